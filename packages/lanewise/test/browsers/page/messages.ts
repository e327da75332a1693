/** What passes between a run and the host that it runs in. */

/** What a realm needs to know to run one file. */
export interface Surroundings {
  /** The engines that must work there. */
  readonly engines: readonly string[];
  readonly isolated: boolean;
  /** Whether the processor is emulated. */
  readonly emulated?: boolean;
}

/** What a page needs to know. */
export interface Plan extends Surroundings {
  readonly files: readonly string[];
  /** Each file in a frame, or in a worker. */
  readonly place: 'page' | 'worker';
}

/** What came of one test file. */
export interface Result {
  readonly file: string;
  readonly passed: number;
  readonly failed: readonly { readonly test: string; readonly error: string }[];
  readonly skipped: readonly { readonly test: string; readonly reason: string }[];
  /** What a test wants to be known. */
  readonly note?: string | undefined;
  readonly milliseconds: number;
}

/** What page/provided.ts found. */
export interface Provided {
  /** What `describe` told without modules, and with them. */
  readonly before: Told;
  readonly after: Told;
  /** What `provide` says to what it does not take. */
  readonly refused: { readonly bytes: string; readonly foreign: string };
  /** Whether the answers stayed what they were. */
  readonly same: boolean;
}
interface Told {
  readonly engine: string;
  readonly reason: string | undefined;
}

/** When the file itself could not be run. */
export const broken = (file: string, error: string): Result => ({
  file,
  passed: 0,
  failed: [{ test: '(the file)', error }],
  skipped: [],
  milliseconds: 0,
});

/** A file and its surroundings in the query of an address, and out of it again. */
export const queryOf = (file: string, { engines, isolated }: Surroundings): string =>
  new URLSearchParams({ file, surroundings: JSON.stringify({ engines, isolated }) }).toString();

export function askedFor(url: string): { readonly file: string; readonly surroundings: Surroundings } {
  const { searchParams } = new URL(url);
  return {
    file: searchParams.get('file')!,
    surroundings: JSON.parse(searchParams.get('surroundings')!) as Surroundings,
  };
}
