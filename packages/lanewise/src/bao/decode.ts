/** Proves encodings and slices as a whole, and makes slices. */
import { openTree, type Opened } from './inputs.ts';
import type { GroupOptions } from './hasher.ts';
import { MOST_BYTES, Proof } from './proof.ts';
import { Growing, HEADER, parentBytes, weave, writeLength } from './shape.ts';
import { sliceOf, Walk } from './walk.ts';
import { refuseSurplus, sizeOf } from '../calls/checks.ts';
import { optionOf, optionsOf } from '../calls/options.ts';
import type { RandomAccessSource } from '../io/random-access.ts';
import type { ByteSource } from '../io/source.ts';
import { abortable, signalOf } from '../work/abort.ts';
import { progressOf, type PoolProgress } from '../work/progress.ts';
import { breathe, sliceIsOver } from '../work/slices.ts';
import { Bytes, part } from '../engine/intrinsics.ts';

/** The options of calls that prove a slice. */
export interface SliceOptions extends GroupOptions {
  /** Gives the work up: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The options of calls that make a slice. */
export interface SlicingOptions extends SliceOptions {
  /** The outboard of the source, which then is the content itself, and not an encoding. */
  readonly outboard?: RandomAccessSource;
}

/** The options of calls that prove an encoding. */
export interface DecodeOptions extends SlicingOptions {
  /** The most bytes of content: a RangeError comes before any more. */
  readonly maxLength?: number;
  /** Called with the number of bytes that are proven. An error that it throws ends the work. */
  readonly onProgress?: PoolProgress;
}

const DECODE = { __proto__: null, groupLength: 1, outboard: 1, signal: 1, maxLength: 1, onProgress: 1 } as const;
const SLICING = { __proto__: null, groupLength: 1, outboard: 1, signal: 1 } as const;
const SLICE = { __proto__: null, groupLength: 1, signal: 1, outboard: 'a slice has the parents in it' } as const;

/** Proves all of a range, and gives its bytes. */
async function gather(
  opened: Opened,
  start: number,
  length: number,
  signal: AbortSignal,
  most: number,
  onProgress: PoolProgress | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Growing();
  const proof = new Proof(opened, start, length);
  try {
    for (;;) {
      const proven = await proof.next(signal);
      if (!proven) break;
      const { first, end } = proof.overlapOf(proven.node);
      if (bytes.length + end - first > most)
        throw new RangeError(`"maxLength" expected at least the length of the content, got ${most}`);
      bytes.append(part(proven.content, first, end - first));
      onProgress?.(bytes.length);
    }
    await proof.end();
    signal.throwIfAborted();
  } catch (error) {
    opened.taker?.cancel(error).catch(() => undefined);
    throw error;
  }
  return bytes.taken();
}

function prove(
  opened: Opened,
  start: number,
  length: number,
  signal: AbortSignal | undefined,
  most = Infinity,
  onProgress?: PoolProgress,
): Promise<Uint8Array<ArrayBuffer>> {
  return abortable([signal], (its) => {
    // The source may be waiting, and hears of the end by the signal only.
    its.addEventListener('abort', () => void opened.taker?.cancel(its.reason).catch(() => undefined));
    return gather(opened, start, length, its, most, onProgress);
  });
}

/**
 * Proves an encoding, and gives its content; nothing unless all of it is what the hash demands.
 *
 * @param encoded - A Uint8Array, Blob or File, `FileHandle` of Node, Response, ReadableStream or iterable of Uint8Array: an encoding, or
 * with `outboard` the content. To use a long content while it comes, take {@link verified}.
 * @param hash - 32 bytes, from someone you trust.
 * @param options - `groupLength`, the same as when it was encoded; `outboard`; `maxLength`, `signal`, `onProgress`.
 * @returns A promise of the content, fresh bytes. It is rejected with an Error that names the first bytes that do not match the hash, an
 * Error if the source is truncated or goes on after its end, a RangeError if there are more bytes than `maxLength`, the reason of the
 * signal, or whatever the source throws.
 * @throws TypeError or RangeError if an argument is not of that form: at once.
 * @example
 * ```ts
 * import { decode, encode } from 'lanewise/bao.js';
 * const { hash, encoded } = await encode(new TextEncoder().encode('hello'));
 * const content = await decode(encoded, hash);
 * console.log(new TextDecoder().decode(content)); // prints hello
 * ```
 */
export function decode(
  encoded: ByteSource,
  hash: Uint8Array,
  options?: DecodeOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  refuseSurplus(arguments, 3);
  const given = optionsOf(options, DECODE);
  const [outboard, groupLength] = [optionOf(given, 'outboard'), optionOf(given, 'groupLength')];
  const signal = signalOf(optionOf(given, 'signal'));
  const onProgress = progressOf(optionOf(given, 'onProgress'));
  const maxLength = optionOf(given, 'maxLength');
  const most = maxLength === undefined ? Infinity : sizeOf(maxLength, 'maxLength');
  return prove(openTree(encoded, hash, { groupLength, outboard }, true), 0, Infinity, signal, most, onProgress);
}

/**
 * Proves a slice, and gives the bytes of its range.
 *
 * @param slice - The result of `slice()` or of `bao slice`, as any source of {@link decode}.
 * @param hash - 32 bytes: that of the whole content.
 * @param start - The start that the slice was made for, an integer from 0 up.
 * @param length - The length that it was made for.
 * @param options - `groupLength`, `signal`.
 * @returns A promise of the bytes from `start` on: fewer than `length` only if the content ends before, which then is proven. It is
 * rejected as that of {@link decode}.
 * @throws TypeError or RangeError if an argument is not of that form: at once.
 * @example
 * ```ts
 * import { decodeSlice, encode, slice } from 'lanewise/bao.js';
 * const { hash, encoded } = await encode(new Uint8Array(100_000));
 * const some = await slice(encoded, 50_000, 10);
 * const bytes = await decodeSlice(some, hash, 50_000, 10);
 * ```
 */
export function decodeSlice(
  slice: ByteSource,
  hash: Uint8Array,
  start: number,
  length: number,
  options?: SliceOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  refuseSurplus(arguments, 5);
  const from = sizeOf(start, 'start');
  const size = sizeOf(length, 'length');
  const given = optionsOf(options, SLICE);
  const signal = signalOf(optionOf(given, 'signal'));
  return prove(openTree(slice, hash, { groupLength: optionOf(given, 'groupLength') }, true), from, size, signal);
}

/**
 * Makes a slice: the parts of an encoding that prove one range of its content. Nothing is proven here: whoever makes slices for others
 * needs no hash, and {@link decodeSlice} finds every fault.
 *
 * The slices of bao-tree for ranges of whole groups have the same bytes, but for the 8 in front.
 *
 * @param encoded - A Uint8Array, Blob or File, `FileHandle` of Node, the source of `fetchRange`, or another source of random access: an
 * encoding, or with `outboard` the content.
 * @param start - The first byte, an integer from 0 up.
 * @param length - How many bytes. 0 counts as 1, and after the end of the content the slice has its last group.
 * @param options - `groupLength`, `outboard`, `signal`.
 * @returns A promise of the slice, fresh bytes. It is rejected with an Error if the source is no encoding with such groups, the reason of
 * the signal, or whatever the source throws.
 * @throws TypeError or RangeError if an argument is not of that form: at once.
 * @example
 * ```ts
 * import { encode, slice } from 'lanewise/bao.js';
 * const { encoded } = await encode(new Uint8Array(100_000));
 * const some = await slice(encoded, 50_000, 10);
 * console.log(some.length); // prints 1480
 * ```
 */
export function slice(
  encoded: RandomAccessSource,
  start: number,
  length: number,
  options?: SlicingOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  refuseSurplus(arguments, 4);
  const from = sizeOf(start, 'start');
  const wanted = sizeOf(length, 'length');
  const given = optionsOf(options, SLICING);
  const [outboard, groupLength] = [optionOf(given, 'outboard'), optionOf(given, 'groupLength')];
  const signal = signalOf(optionOf(given, 'signal'));
  const { origin, taker, groupLength: its } = openTree(encoded, new Bytes(32), { groupLength, outboard });
  if (taker) throw new TypeError('"encoded" expected source that can be read at any place, got a stream; use a Blob');
  return abortable([signal], async (heeded) => {
    const size = await origin.size(heeded);
    const walk = new Walk(size, sliceOf(from, wanted, size), its);
    const made = new Growing(HEADER);
    writeLength(size, made.extend(HEADER).bytes);
    for (let step = walk.next(MOST_BYTES); step; step = walk.next(MOST_BYTES)) {
      const { node, isParent } = step;
      if (sliceIsOver()) await breathe();
      heeded.throwIfAborted();
      if (isParent) {
        const parent = await origin.parent(node, heeded);
        made.append(parent);
        walk.descend(node, parent);
        continue;
      }
      const { content, parents } = await origin.subtree(node, heeded);
      const { bytes, at } = made.extend(node.length + parentBytes(node.length, its));
      weave(parents, content, its, bytes, at);
    }
    return made.taken();
  });
}
