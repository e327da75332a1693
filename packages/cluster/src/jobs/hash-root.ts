/** The root of a hash: checks that the leaves are the whole object, and merges them. A small object has no leaves, and is hashed here. */
import { blake3, subtreeFrom, TreeBuilder, type Blake3 } from 'lanewise/blake3.js';
import { bytesToHex } from 'lanewise/utils.js';
import type { ObjectVersion } from '../objects/object.ts';
import { readerOf } from '../objects/index.ts';
import { bytesOf, fieldsOf, integerOf, MOST_BYTES, versionOf } from './check.ts';
import { checked, FinalError } from './errors.ts';
import { hashedLeafOf, hashLeaf, leafBytesOf, type HashedLeaf } from './hash-leaf.ts';
import type { JobContext, JobKind } from './kind.ts';
import { inMode, modeOf, type HashMode, type ModeOptions } from './mode.ts';
import { lent } from './read-ahead.ts';
import { windowOf } from './window.ts';

/** The most leaves of a task: the root gets all their results at once. */
export const MOST_LEAVES = 10_000;
/** The most bytes of output, which go through the queue. */
export const MOST_OUTPUT = 65_536;

export interface HashRoot {
  readonly object: ObjectVersion;
  readonly mode: HashMode;
  readonly leafBytes: number;
  /** Where in the output to begin. */
  readonly seek: number;
  /** Bytes of output. */
  readonly dkLen: number;
  /** Leaves that wait at a time. */
  readonly window?: number;
}

/** How many leaves an object has: none if one would do. */
export const leavesOf = ({ object, leafBytes }: Pick<HashRoot, 'object' | 'leafBytes'>): number =>
  object.size <= leafBytes ? 0 : Math.ceil(object.size / leafBytes);

/** Checks that leaves are the object's, each of them once, and puts them in order. */
function inOrder(root: HashRoot, children: readonly unknown[], check: string | undefined): readonly HashedLeaf[] {
  const leaves = children.map(hashedLeafOf).sort((a, b) => a.offset - b.offset);
  const count = leavesOf(root);
  if (leaves.length !== count) throw new RangeError(`leaves expected ${count}, got ${leaves.length}`);
  for (const [index, leaf] of leaves.entries()) {
    const offset = index * root.leafBytes;
    const length = Math.min(root.leafBytes, root.object.size - offset);
    if (leaf.offset !== offset || leaf.length !== length)
      throw new RangeError(
        `leaf expected bytes ${offset} to ${offset + length}, got ${leaf.offset} to ${leaf.offset + leaf.length}`,
      );
    if (leaf.mode !== root.mode.name) throw new RangeError('leaf expected the mode of its root, got another');
    if (leaf.key !== check)
      throw new FinalError('"keyId" expected the same key on all workers, got another from the worker of a leaf');
  }
  return leaves;
}

function merged(root: HashRoot, children: readonly unknown[], { options, check }: ModeOptions): Blake3 {
  const builder = new TreeBuilder();
  for (const { offset, length, chainingValue } of inOrder(root, children, check))
    builder.add(
      subtreeFrom({ offset, length, chainingValue: bytesOf(chainingValue, 'leaf.chainingValue', 32) }, options),
    );
  return builder.xof();
}

async function whole(
  { object }: HashRoot,
  { options }: ModeOptions,
  context: Pick<JobContext, 'settings' | 'signal'>,
): Promise<Blake3> {
  const hasher = blake3.create(options);
  const pieces = lent(
    readerOf(object.url, context.settings.objects, context.settings.allow),
    object,
    0,
    object.size,
    context.signal,
  );
  let length = 0;
  for await (const piece of pieces) {
    hasher.update(piece);
    length += piece.length;
  }
  if (length !== object.size) throw new FinalError(`"object" expected ${object.size} bytes, got ${length}`);
  return hasher;
}

export const hashRoot: JobKind<HashRoot, string> = {
  name: 'blake3-root',

  check(data) {
    const fields = fieldsOf(data, 'data', ['object', 'mode', 'leafBytes', 'seek', 'dkLen'], ['window']);
    const window = windowOf(fields['window'], MOST_LEAVES);
    const root = {
      object: versionOf(fields['object'], 'object'),
      mode: modeOf(fields['mode']),
      leafBytes: leafBytesOf(fields['leafBytes'], 'leafBytes'),
      seek: integerOf(fields['seek'], 'seek', 0, MOST_BYTES),
      dkLen: integerOf(fields['dkLen'], 'dkLen', 1, MOST_OUTPUT),
      ...(window === undefined ? {} : { window }),
    };
    const leaves = leavesOf(root);
    if (leaves > MOST_LEAVES) throw new RangeError(`"leafBytes" expected at most ${MOST_LEAVES} leaves, got ${leaves}`);
    return root;
  },

  touches: (root) => ({
    source: root.object.url,
    offset: 0,
    length: leavesOf(root) === 0 ? root.object.size : 0,
  }),

  leaves: (root) => ({
    name: hashLeaf.name,
    count: leavesOf(root),
    window: root.window,
    at(index) {
      const { object, mode, leafBytes } = root;
      const offset = index * leafBytes;
      return { object, mode, leafBytes, offset, length: Math.min(leafBytes, object.size - offset) };
    },
  }),

  run: async (root, { settings, children, signal }) =>
    await inMode(root.mode, settings.keyFiles, async (mode) => {
      const hasher =
        leavesOf(root) === 0
          ? await whole(root, mode, { settings, signal })
          : checked(() => merged(root, children, mode));
      return bytesToHex(hasher.seek(root.seek).xof(root.dkLen));
    }),
};
