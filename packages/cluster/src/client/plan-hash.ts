/** A hash as jobs: leaves of one length and a root. */
import { blake3 } from 'lanewise/blake3.js';
import { bytesToHex } from 'lanewise/utils.js';
import { optionsOf } from '../calls.ts';
import { bytesOf, stringOf } from '../jobs/check.ts';
import { leafBytesOf } from '../jobs/hash-leaf.ts';
import { hashRoot, MOST_LEAVES, type HashRoot } from '../jobs/hash-root.ts';
import { MOST_CONTEXT, MOST_ID, type HashMode } from '../jobs/mode.ts';
import { WINDOW } from '../jobs/window.ts';
import { readerOf } from '../objects/index.ts';
import type { Detached, HashOptions, Work } from '../types.ts';
import { firstLeaves, type WorkPlan } from './plan.ts';

type HashWork = Extract<Work, { kind: 'blake3' }>;

/** Leaves of a large object. */
const LEAF_BYTES = 64 * 2 ** 20;

function modeOf({ keyId, context }: Detached<HashOptions>): HashMode {
  if (keyId !== undefined && context !== undefined)
    throw new Error('cannot hash with both "keyId" and "context": they are different modes of BLAKE3');
  if (keyId !== undefined) return { name: 'keyed', keyId: stringOf(keyId, 'keyId', MOST_ID) };
  if (context !== undefined) return { name: 'derive', context: stringOf(context, 'context', MOST_CONTEXT) };
  return { name: 'hash' };
}

function leafBytesFor(size: number, given: number | undefined): number {
  if (given === undefined) {
    let leafBytes = LEAF_BYTES;
    while (size > leafBytes * MOST_LEAVES) leafBytes *= 2;
    return leafBytes;
  }
  leafBytesOf(given, 'leafBytes');
  if (size > given * MOST_LEAVES)
    throw new RangeError(
      `"leafBytes" expected at least ${2 ** Math.ceil(Math.log2(size / MOST_LEAVES))} for ${size} bytes, got ${given}`,
    );
  return given;
}

/** The same question about the same version has the same id, so that its answer is found. Fields are in one order. */
const idOf = ({ object, mode, leafBytes, seek, dkLen }: HashRoot): string => {
  const { url, size, etag, version } = object;
  const text = JSON.stringify([url, size, etag, version ?? null, mode, leafBytes, seek, dkLen]);
  return `blake3-${bytesToHex(blake3(new TextEncoder().encode(text), { dkLen: 16 }))}`;
};

export const hashPlan: WorkPlan<HashWork> = {
  root: hashRoot.name,

  async plan(work, objects, signal) {
    const { source, options: given = {} } = work;
    if ('target' in work) throw new TypeError('"work" expected no field target, because a hash has none');
    const options = optionsOf(given, ['keyId', 'context', 'dkLen', 'seek', 'leafBytes']);
    const mode = modeOf(options);
    const { dkLen = 32, seek = 0 } = options;
    if (options.leafBytes !== undefined) leafBytesOf(options.leafBytes, 'leafBytes');
    const object = { url: source, size: 0, etag: '-' };
    // Errors that don't depend on the object come before it is looked up.
    hashRoot.check({ object, mode, leafBytes: LEAF_BYTES, seek, dkLen });
    const found = await readerOf(source, objects).look(signal);
    const leafBytes = leafBytesFor(found.size, options.leafBytes);
    const root = hashRoot.check({ object: found, mode, leafBytes, seek, dkLen, window: WINDOW });
    return { id: idOf(root), root: { name: hashRoot.name, data: root }, leaves: firstLeaves(hashRoot, root) };
  },

  describe(data) {
    const { object, leafBytes } = hashRoot.check(data);
    return { kind: 'blake3', source: object.url, total: object.size, unit: leafBytes };
  },

  result(value, data) {
    const { object, dkLen } = hashRoot.check(data);
    return { kind: 'blake3', hash: bytesOf(value, 'result', dkLen), size: object.size, etag: object.etag };
  },
};
