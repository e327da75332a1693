/** A leaf of a hash: the chaining value of a range of the object that is a node of BLAKE3's tree (§2.1 of the paper). */
import { bytesToHex } from 'lanewise/utils.js';
import { readerOf } from '../objects/index.ts';
import type { ObjectVersion } from '../objects/object.ts';
import { fieldsOf, integerOf, stringOf, versionOf } from './check.ts';
import type { JobKind } from './kind.ts';
import { inMode, modeOf, type HashMode } from './mode.ts';
import { nodeOfRange } from './spans.ts';

/** Bytes of a chunk, the leaf of BLAKE3's own tree. */
export const CHUNK = 1024;

export interface HashLeaf {
  readonly object: ObjectVersion;
  readonly mode: HashMode;
  /** A power of two from 1024 up, the same for all leaves. */
  readonly leafBytes: number;
  readonly offset: number;
  readonly length: number;
}

/** A leaf's result for the root. */
export interface HashedLeaf {
  readonly offset: number;
  readonly length: number;
  /** In hexadecimal. It isn't a hash: it has no root. */
  readonly chainingValue: string;
  readonly mode: HashMode['name'];
  /** Of a keyed hash: which key the worker has under the id. */
  readonly key?: string;
}

/** The length of leaves: a power of two of chunks. */
export function leafBytesOf(value: unknown, name: string): number {
  const leafBytes = integerOf(value, name, CHUNK, 2 ** 40);
  if (!Number.isInteger(Math.log2(leafBytes)))
    throw new RangeError(`"${name}" expected a power of two, got ${leafBytes}`);
  return leafBytes;
}

export const hashLeaf: JobKind<HashLeaf, HashedLeaf> = {
  name: 'blake3-leaf',

  check(data) {
    const fields = fieldsOf(data, 'data', ['object', 'mode', 'leafBytes', 'offset', 'length']);
    const object = versionOf(fields['object'], 'object');
    const leafBytes = leafBytesOf(fields['leafBytes'], 'leafBytes');
    const offset = integerOf(fields['offset'], 'offset', 0, Math.max(0, object.size - 1));
    if (offset % leafBytes !== 0) throw new RangeError(`"offset" expected a multiple of ${leafBytes}, got ${offset}`);
    const whole = Math.min(leafBytes, object.size - offset);
    const length = integerOf(fields['length'], 'length', 1);
    if (length !== whole) throw new RangeError(`"length" expected ${whole} at this offset, got ${length}`);
    return { object, mode: modeOf(fields['mode']), leafBytes, offset, length };
  },

  touches: ({ object, offset, length }) => ({ source: object.url, offset, length }),

  run: async ({ object, mode, offset, length }, { settings, signal }) =>
    await inMode(mode, settings.keyFiles, async ({ options, check }) => {
      const reader = readerOf(object.url, settings.objects, settings.allow);
      const node = await nodeOfRange(reader, { object, offset, length, options }, signal);
      const chainingValue = bytesToHex(node.chainingValue);
      return { offset, length, chainingValue, mode: mode.name, ...(check === undefined ? {} : { key: check }) };
    }),
};

/** Checks the result of a leaf, which comes from the queue. */
export function hashedLeafOf(value: unknown): HashedLeaf {
  const { offset, length, chainingValue, mode, key } = fieldsOf(
    value,
    'leaf',
    ['offset', 'length', 'chainingValue', 'mode'],
    ['key'],
  );
  return {
    offset: integerOf(offset, 'leaf.offset', 0),
    length: integerOf(length, 'leaf.length', 1),
    chainingValue: stringOf(chainingValue, 'leaf.chainingValue', 64),
    mode: stringOf(mode, 'leaf.mode', 16) as HashMode['name'],
    ...(key === undefined ? {} : { key: stringOf(key, 'leaf.key', 32) }),
  };
}
