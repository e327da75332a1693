/** A row of the table of speeds in docs/speed.md; rooms export theirs from figures.ts. */
export interface Figure {
  readonly title: string;
  /** The id of the contest in a result of the lab. */
  readonly contest: string;
  /** Whether the contest gives our functions a buffer for their results, or has them allocated. */
  readonly result: 'out' | 'allocated';
  /** The id of our case, where a contest has several; the best of ours unless given. */
  readonly ours?: string;
  /** Rivals that the table names; the lab's report has all. */
  readonly rivals: readonly string[];
  /** Whether the README's picture has it; the README's sentence is about the first. */
  readonly shown?: boolean;
}
