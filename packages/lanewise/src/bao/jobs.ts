/** The tree over a content in parallel: each job is a subtree. */
import { hashSubtree } from './nodes.ts';
import { parentBytes, VALUE } from './shape.ts';
import type { JobKind, Work } from '../work/threads.ts';
import { byteLengthOf, Bytes } from '../engine/intrinsics.ts';

/** The bytes of a job, or of a longer one a part: a whole subtree unless it is the last. */
export const JOB_BYTES = 1_048_576;

/** A part of a content: where it starts, and whether it is all of it. */
export interface TreeJob {
  readonly offset: number;
  readonly isRoot: boolean;
}

/** The code of workers. An answer has the parents of the subtree, and its value after them. */
export const trees: JobKind = {
  kind: 'bao',
  open: (groupLength) => ({
    run(job, input) {
      const content = input!;
      const parents = parentBytes(byteLengthOf(content), groupLength as number);
      const hashed = new Bytes(parents + VALUE);
      hashSubtree(job as TreeJob, content, groupLength as number, hashed, hashed, 0, parents);
      return hashed;
    },
    wipe: () => undefined,
  }),
};

/** The work of one content. */
export function treeWork(groupLength: number): Work<TreeJob, Uint8Array<ArrayBuffer>> {
  const here = trees.open(groupLength, []);
  return {
    kind: trees.kind,
    parameters: groupLength,
    secrets: [],
    here: (job, input) => here.run(job, input) as Uint8Array<ArrayBuffer>,
  };
}
