/** Tweaks, which make the encryption of each page different from that of all others. */
import { integerOf, typeOf, lengthOf } from '../calls/checks.ts';
import { optionOf, optionsOf, unexpected } from '../calls/options.ts';
import { byteLengthOf, Bytes, copyOf, copyBytes, copyExactly, part, toBigInt } from '../engine/intrinsics.ts';
import { writeWord } from '../keystream/input.ts';

/** How the tweak of a page follows from its number, by the names that users know: see {@link PagesOptions}. */
export type TweakPreset = 'dm-crypt' | 'dm-crypt-large' | 'offset64' | 'index64';

/** A preset, fscrypt's with the 16 bytes of a file's nonce, or the tweak itself of the page with this number. */
export type Tweak =
  | TweakPreset
  | {
      /** The nonce of the file, 16 bytes. */
      readonly fscrypt: Uint8Array;
    }
  | ((page: bigint) => Uint8Array);

/** Which pages, and under which tweaks: for `encryptPages` and `decryptPages`. */
export interface PagesOptions {
  /** Bytes of a page, at least 16: the sector or block size of the medium or file. */
  readonly pageSize: number;
  /** The number of the first page of the buffer, 0 unless given; above 2^53 - 1 a bigint. */
  readonly first?: number | bigint;
  /**
   * The tweak of page n:
   *
   * | name | tweak | as in |
   * |---|---|---|
   * | `dm-crypt` | n times the sectors of 512 bytes in a page, 8 bytes little-endian, and 24 zeros | Linux: `xchacha12,aes-adiantum-plain64` |
   * | `dm-crypt-large` | n, 8 bytes little-endian, and 24 zeros | the same with `iv_large_sectors` |
   * | `offset64` | n times `pageSize`, 8 bytes little-endian | go-sqlite3's Adiantum VFS |
   * | `index64` | n, 8 bytes little-endian | |
   * | `{ fscrypt: nonce }` | n, 8 bytes little-endian, the file's nonce of 16 bytes, 8 zeros | Linux: fscrypt with direct keys |
   * | a function | its result for n: up to 4096 bytes, the same length for all pages of a call | |
   */
  readonly tweak: Tweak;
}

/** A tweak that is a number of 64 bits and bytes after it. */
export interface Counted {
  /** The page's number is multiplied by it. */
  readonly factor: number;
  /** The tweak of page 0: the number's eight bytes, and the constant bytes after them. */
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

/** The tweak that options ask for, checked; a function is returned as it is. */
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
  if (typeof tweak === 'string' || tweak === undefined) throw unexpected(tweak ?? typeOf(tweak), FSCRYPT, WANTED);
  const nonce = optionOf(optionsOf(tweak, FSCRYPT, WANTED), 'fscrypt') as Uint8Array;
  lengthOf(nonce, 'fscrypt', NONCE_BYTES);
  const zero = new Bytes(LONG_BYTES);
  copyExactly(zero, NUMBER_BYTES, nonce, NONCE_BYTES);
  return { factor: 1, zero };
}

/** A copy of the nonce that was given to a tweak of fscrypt. */
export const fscryptNonce = ({ zero }: Counted): Uint8Array => copyOf(part(zero, NUMBER_BYTES, NONCE_BYTES));

/** The number of a page, `index` after the first. */
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

/** The length of one tweak. */
export function tweakLength(tweak: unknown): number {
  const length = lengthOf(tweak, 'tweak');
  if (length > MOST_TWEAK) throw new RangeError(`"tweak" expected length <= ${MOST_TWEAK}, got length=${length}`);
  return length;
}
