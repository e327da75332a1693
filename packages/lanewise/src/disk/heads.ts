/** Heads: the bytes that are hashed in front of a message, i.e. lengths and the tweak of its page. */
import { lengthOf } from '../calls/checks.ts';
import type { Instance } from '../engine/instance.ts';
import { byteLengthOf, Bytes, copyExactly, fillBytes, floor, part, toBigInt } from '../engine/intrinsics.ts';
import { HEADS, HEADS_BYTES } from './map.ts';
import type { Functions } from './module.ts';
import { countedTweak, pageNumber, tweakLength, writeNumber, type Counted } from './tweak.ts';
import { writeWord } from '../keystream/input.ts';

/** The form of heads for one cipher, page size and length of tweak. */
export interface Heads {
  readonly nh: number;
  /** A message is a page without its last 16 bytes. */
  readonly messageLength: number;
  readonly tweakLength: number;
  /** Where the tweak is in its head. */
  readonly tweakAt: number;
  /** Bytes that are hashed … */
  readonly length: number;
  /** … and how far apart heads are. */
  readonly slot: number;
  /** The number of heads for which there is room. */
  readonly most: number;
}

/**
 * Adiantum: the length of the message in bits, 16 bytes little-endian, and the tweak. HPolyC: the length of the tweak in
 * bits, 4 bytes, the tweak, and zeros up to a whole block. "Adiantum: length-preserving encryption for entry-level
 * processors" §6.4, §6.2
 */
export function headsOf(nh: number, messageLength: number, tweakLength: number): Heads {
  const tweakAt = nh ? 16 : 4;
  const slot = (tweakAt + tweakLength + 15) & -16;
  const length = nh ? tweakAt + tweakLength : slot;
  return { nh, messageLength, tweakLength, tweakAt, length, slot, most: floor(HEADS_BYTES / slot) };
}

/** Writes the head number `index`. */
export function writeHead(kernel: Instance<Functions>, heads: Heads, index: number, tweak: Uint8Array): void {
  const { nh, messageLength, tweakLength, tweakAt, slot } = heads;
  const { memory } = kernel;
  const at = HEADS + slot * index;
  fillBytes(memory, 0, at, at + slot);
  const bits = nh ? 8 * messageLength : 8 * tweakLength;
  writeWord(memory, at, bits | 0);
  if (nh) writeWord(memory, at + 4, floor(bits / 2 ** 32));
  kernel.write(at + tweakAt, tweakLength, tweak);
}

/** Writes the heads of `count` pages from this number on. */
function writeCounted(
  kernel: Instance<Functions>,
  heads: Heads,
  counted: Counted,
  first: number | bigint,
  count: number,
): void {
  writeHead(kernel, heads, 0, counted.zero);
  writeNumber(kernel.memory, HEADS + heads.tweakAt, first, counted.factor);
  kernel.run.heads(heads.tweakAt, heads.slot, counted.factor, count);
}

/** The tweaks of the pages of one call, by their index in it. */
export interface Tweaks {
  /** Bytes of each. */
  readonly length: number;
  of(index: number): Uint8Array;
  /** Writes the heads of `count` pages from `index` on. */
  write(kernel: Instance<Functions>, heads: Heads, index: number, count: number): void;
}

/** Tweaks that count up from that of the page `first`. */
export const countedTweaks = (counted: Counted, first: number | bigint): Tweaks => ({
  length: byteLengthOf(counted.zero),
  of: (index) => countedTweak(counted, pageNumber(first, index)),
  write: (kernel, heads, index, count) => writeCounted(kernel, heads, counted, pageNumber(first, index), count),
});

/** Tweaks that a function gives, which is asked for all of them now; all have the length of the first. */
export function askedTweaks(tweak: (page: bigint) => Uint8Array, first: number | bigint, count: number): Tweaks {
  let length = 0;
  let bytes: Uint8Array = new Bytes(0);
  for (let i = 0; i < count; i++) {
    const given = tweak(toBigInt(pageNumber(first, i)));
    if (i === 0) {
      length = tweakLength(given);
      bytes = new Bytes(length * count);
    } else lengthOf(given, 'tweak', length);
    copyExactly(bytes, length * i, given, length);
  }
  const of = (index: number): Uint8Array => part(bytes, length * index, length);
  return {
    length,
    of,
    write: (kernel, heads, index, some) => {
      for (let i = 0; i < some; i++) writeHead(kernel, heads, i, of(index + i));
    },
  };
}
