/** Tweaks: what makes each page's encryption one of its own, and what is hashed in front of a message because of it. */
import { integerOf, kindOf, lengthOf } from '../calls/checks.ts';
import { optionOf, optionsOf, unexpected } from '../calls/options.ts';
import type { Instance } from '../engine/instance.ts';
import {
  byteLengthOf,
  Bytes,
  copyOf,
  copyBytes,
  copyExactly,
  fillBytes,
  floor,
  part,
  toBigInt,
} from '../engine/intrinsics.ts';
import { HEADS, HEADS_BYTES } from './map.ts';
import type { Disk } from './module.ts';

/** How the tweak of a page follows from its number, by the names that users know: see {@link PagesOptions}. */
export type TweakPreset = 'dm-crypt' | 'dm-crypt-large' | 'offset64' | 'index64';

/** A preset, fscrypt's with the 16 bytes of a file's nonce, or the tweak itself of the page with this number. */
export type Tweak = TweakPreset | { readonly fscrypt: Uint8Array } | ((page: bigint) => Uint8Array);

/** A tweak that is a number of 64 bits and bytes behind it. */
export interface Counted {
  /** The page's number is multiplied by it. */
  readonly factor: number;
  /** The tweak of page 0: the number's eight bytes, and what is behind them. */
  readonly zero: Uint8Array;
}

/** The longest that a tweak may be. */
export const MOST_TWEAK = 4096;
const SECTOR = 512;
const NUMBER_BYTES = 8;
const LONG_BYTES = 32;
const NONCE_BYTES = 16;

const FSCRYPT = { __proto__: null, fscrypt: 1 } as const;
const WANTED = '"tweak" expected dm-crypt, dm-crypt-large, offset64, index64, function or plain object';

/** What is asked for, checked; a function stays one. */
export function tweakOf(tweak: unknown, pageSize: number): Counted | ((page: bigint) => Uint8Array) {
  if (typeof tweak === 'function') return tweak as (page: bigint) => Uint8Array;
  switch (tweak) {
    case 'dm-crypt':
      if (pageSize % SECTOR)
        throw new RangeError(`"pageSize" expected whole sectors of ${SECTOR} bytes with dm-crypt, got ${pageSize}`);
      return { factor: pageSize / SECTOR, zero: new Bytes(LONG_BYTES) };
    case 'dm-crypt-large':
      return { factor: 1, zero: new Bytes(LONG_BYTES) };
    case 'offset64':
      return { factor: pageSize, zero: new Bytes(NUMBER_BYTES) };
    case 'index64':
      return { factor: 1, zero: new Bytes(NUMBER_BYTES) };
  }
  if (typeof tweak === 'string' || tweak === undefined) throw unexpected(tweak ?? kindOf(tweak), FSCRYPT, WANTED);
  const nonce = optionOf(optionsOf(tweak, FSCRYPT, WANTED), 'fscrypt') as Uint8Array;
  lengthOf(nonce, 'fscrypt', NONCE_BYTES);
  const zero = new Bytes(LONG_BYTES);
  copyExactly(zero, NUMBER_BYTES, nonce, NONCE_BYTES);
  return { factor: 1, zero };
}

/** The nonce that a tweak of fscrypt was given, in bytes of its own. */
export const fscryptNonce = ({ zero }: Counted): Uint8Array => copyOf(part(zero, NUMBER_BYTES, NONCE_BYTES));

/** The number of a page, `index` behind the first. */
export const pageNumber = (first: number | bigint, index: number): number | bigint =>
  typeof first === 'number' && first + index < 2 ** 53 ? first + index : toBigInt(first) + toBigInt(index);

/** Checks that the numbers of all pages, times `factor`, have room in the 64 bits of a tweak, or of additional data. */
export function checkNumbers(
  first: number | bigint,
  count: number,
  factor: number,
  name: 'tweak' | 'number' = 'tweak',
): void {
  integerOf(first, 'first', 64);
  if (typeof first === 'number' && (first + count) * factor < 2 ** 53) return;
  const step = toBigInt(factor);
  /** How many pages from `first` on have room. */
  const room = (0x1_0000_0000_0000_0000n + step - 1n) / step - toBigInt(first);
  if (room >= count) return;
  throw new RangeError(`"first" too large: page ${room < 0n ? 1n : room + 1n} of ${count} would have a ${name} ≥ 2^64`);
}

/** The tweak of a page, in bytes of its own. */
export function countedTweak({ factor, zero }: Counted, page: number | bigint): Uint8Array {
  const tweak = new Bytes(byteLengthOf(zero));
  copyBytes(tweak, zero);
  writeNumber(tweak, 0, page, factor);
  return tweak;
}

/** Little-endian, in eight bytes. */
export function writeNumber(to: Uint8Array, at: number, page: number | bigint, factor: number): void {
  const exact = typeof page === 'number' && page * factor < 2 ** 53;
  const { low, high } = integerOf(exact ? page * factor : toBigInt(page) * toBigInt(factor), 'page', 64);
  writeWord(to, at, low);
  writeWord(to, at + 4, high);
}

function writeWord(to: Uint8Array, at: number, word: number): void {
  for (let i = 0; i < 4; i++) to[at + i] = word >>> (8 * i);
}

/** How heads are for one cipher, page size and length of tweak. */
export interface Heads {
  readonly nh: number;
  /** Of a message: a page without its last 16 bytes. */
  readonly messageLength: number;
  readonly tweakLength: number;
  /** Where the tweak is in its head. */
  readonly tweakAt: number;
  /** What is hashed … */
  readonly length: number;
  /** … and how far apart heads are. */
  readonly slot: number;
  /** Heads for which there is room. */
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
export function writeHead(kernel: Instance<Disk>, heads: Heads, index: number, tweak: Uint8Array): void {
  const { nh, messageLength, tweakLength, tweakAt, slot } = heads;
  const { memory } = kernel;
  const at = HEADS + slot * index;
  fillBytes(memory, 0, at, at + slot);
  const bits = nh ? 8 * messageLength : 8 * tweakLength;
  writeWord(memory, at, bits | 0);
  if (nh) writeWord(memory, at + 4, floor(bits / 2 ** 32));
  kernel.write(at + tweakAt, tweakLength, tweak);
}

/** Writes the heads of `count` pages, of which the first has this number. */
export function writeCounted(
  kernel: Instance<Disk>,
  heads: Heads,
  counted: Counted,
  first: number | bigint,
  count: number,
): void {
  writeHead(kernel, heads, 0, counted.zero);
  writeNumber(kernel.memory, HEADS + heads.tweakAt, first, counted.factor);
  kernel.run.heads(heads.tweakAt, heads.slot, counted.factor, count);
}

/** The tweaks of `count` pages that a function gives, one after the other; all have the length of the first. */
export function askedTweaks(
  tweak: (page: bigint) => Uint8Array,
  first: number | bigint,
  count: number,
): { readonly length: number; readonly bytes: Uint8Array } {
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
  return { length, bytes };
}

/** The length of one tweak. */
export function tweakLength(tweak: unknown): number {
  const length = lengthOf(tweak, 'tweak');
  if (length > MOST_TWEAK) throw new RangeError(`"tweak" expected length <= ${MOST_TWEAK}, got length=${length}`);
  return length;
}

/** Tweak number `index` of those. */
export const nthTweak = (bytes: Uint8Array, length: number, index: number): Uint8Array =>
  part(bytes, length * index, length);
