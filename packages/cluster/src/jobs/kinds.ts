/** All kinds of jobs. */
import { agePart } from './age-part.ts';
import { ageRoot } from './age-root.ts';
import { hashLeaf } from './hash-leaf.ts';
import { hashRoot } from './hash-root.ts';
import type { JobKind } from './kind.ts';

const KINDS: readonly JobKind[] = [hashLeaf, hashRoot, agePart, ageRoot].map((kind) => kind as unknown as JobKind);

/** The kind of a job by its name, which anybody may have written. */
export function kindOf(name: unknown): JobKind {
  const kind = KINDS.find((each) => each.name === name);
  if (kind === undefined) throw new RangeError(`"name" expected a kind of job, got another; are the workers older?`);
  return kind;
}
