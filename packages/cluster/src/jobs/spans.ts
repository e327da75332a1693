/**
 * Spans of a leaf. One connection to a store brings less than a core can hash, so several requests are under way at once; as each
 * reads a node of the tree, its bytes are hashed when they come, and need not be kept until those before them are there. So
 * requests can be long: a store counts them, and each waits for its first byte.
 */
import type { Subtree } from 'lanewise/blake3.js';
import type { ObjectVersion, Reader } from '../objects/object.ts';
import type { ModeOptions } from './mode.ts';
import { Merger, nodeOf } from './tree-node.ts';

/** Spans that are read at once, for each thread. */
export const SPANS_AT_ONCE = 3;
/** A span of S3 waits some 100 ms for its first byte, in which one connection brings about as much as the shortest one has. */
const LEAST_BYTES = 8 * 2 ** 20;
/** After a fault a span is asked for again from where it stopped, so long ones lose nothing; but the last ones of a leaf are waited for. */
const MOST_BYTES = 64 * 2 ** 20;

/** The length of the spans of a leaf: a power of two, by which a whole leaf has more spans than are read at once, if it is long enough. */
export const spanBytesOf = (leafBytes: number): number =>
  Math.min(MOST_BYTES, Math.max(LEAST_BYTES, 2 ** Math.floor(Math.log2(leafBytes / SPANS_AT_ONCE))));

/** Where the node of a range is in the object, and in which mode it is hashed. */
export interface NodeRange {
  readonly object: ObjectVersion;
  readonly offset: number;
  readonly length: number;
  readonly options: ModeOptions['options'];
}

/** The node over a range of an object, which starts at a multiple of the least power of two that is not below its length. */
export async function nodeOfRange(
  reader: Reader,
  { object, offset, length, options }: NodeRange,
  signal?: AbortSignal,
  spanBytes: number = spanBytesOf(length),
): Promise<Subtree> {
  // Files are read in order: a disk and the system's cache are quickest so.
  if (reader.lend) return await nodeOf(reader.lend(object, offset, length, signal), offset, length, options);
  const nodes = new Array<Subtree>(Math.ceil(length / spanBytes));
  const ended = new AbortController();
  const either = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  let next = 0;
  const readSpans = async (): Promise<void> => {
    for (let index; (index = next++) < nodes.length;) {
      const at = offset + index * spanBytes;
      const bytes = Math.min(spanBytes, offset + length - at);
      nodes[index] = await nodeOf(reader.read(object, at, bytes, either), at, bytes, options);
    }
  };
  const readers = Array.from({ length: Math.min(SPANS_AT_ONCE, nodes.length) }, readSpans);
  try {
    await Promise.all(readers);
  } finally {
    // If one has failed, the others end before the job does.
    ended.abort();
    await Promise.allSettled(readers);
  }
  const merger = new Merger();
  for (const node of nodes) merger.add(node);
  return merger.end();
}
