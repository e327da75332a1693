/** Adiantum and HPolyC: a key, and pages under it. */
import { lengthOf, outputOf, refuseExtra, type Result } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf } from '../calls/options.ts';
import { diskInstance } from './binding.ts';
import { countPages, sizeOf } from './options.ts';
import {
  askedTweaks,
  checkNumbers,
  countedTweak,
  headsOf,
  nthTweak,
  pageNumber,
  tweakLength,
  tweakOf,
  writeCounted,
  writeHead,
  type Counted,
  type Heads,
  type Tweak,
} from './tweak.ts';
import { checkAlive, lend, lendBytes, type End } from '../calls/lifetime.ts';
import { inParts } from '../calls/parts.ts';
import type { Instance } from '../engine/instance.ts';
import { byteLengthOf, Bytes, copyBytes, copyOf, fillBytes, floor, min, part } from '../engine/intrinsics.ts';
import { BLOCK, DATA, DATA_BYTES, HEADS, KEY, KEY_BYTES, KEYS_BYTES, MARGIN, MIDDLE, SHORT_KEYS_BYTES } from './map.ts';
import type { Disk } from './module.ts';

/** Which pages, and under which tweaks: for `encryptPages` and `decryptPages`. */
export interface PagesOptions {
  /** Bytes of a page, at least 16: the sector or block size of what the pages belong to. */
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
   * | a function | what it gives for n: up to 4096 bytes, for all pages of a call as many | |
   */
  readonly tweak: Tweak;
}

/** Rounds of XChaCha, in the stream and in HChaCha. */
export interface DiskOptions {
  /** 12 unless given, as in Linux and Android; 20 for more margin, 8 for less. */
  readonly rounds?: 8 | 12 | 20;
}

const PAGES = {
  __proto__: null,
  pageSize: 1,
  first: 1,
  tweak: 1,
  rounds: 'give it to adiantum() or hpolyc()',
} as const;
const TO_PAGES = 'give it to encryptPages() and decryptPages()';
const CIPHER = { __proto__: null, rounds: 1, pageSize: TO_PAGES, first: TO_PAGES, tweak: TO_PAGES } as const;

/** The kernel's work areas, keys among them. */
const WORK = MIDDLE;
/** A set of four blocks is written whole. */
const SET = 256;

/** One key, any number of pages. Made by {@link adiantum} and {@link hpolyc}. */
export class PageCipher {
  readonly #keys: Uint8Array;
  /** 1 for Adiantum, which has NH. */
  readonly #nh: number;
  readonly #doubleRounds: number;
  #end: End | undefined;

  /** @internal */
  constructor(nh: 0 | 1, key: Uint8Array, options: DiskOptions | undefined) {
    this.#doubleRounds = roundsOf(options) / 2;
    this.#nh = nh;
    lengthOf(key, 'key', KEY_BYTES);
    this.#keys = new Bytes(keysBytes(nh));
    lend(diskInstance(), WORK, DATA + KEYS_BYTES + SET, (kernel) => {
      kernel.write(KEY, KEY_BYTES, key);
      kernel.run.derive(this.#doubleRounds);
      kernel.read(KEY, keysBytes(nh), this.#keys);
    });
  }

  /**
   * Encrypts a page: any change to it or to the tweak changes all of the ciphertext, which is as long as the page. The same
   * page under the same tweak gives the same ciphertext.
   *
   * @param page - At least 16 bytes.
   * @param tweak - Up to 4096 bytes, which need not be secret: where the page is.
   * @param out - Where the ciphertext goes, as long as the page; may be the page or overlap it.
   * @returns `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument is not of that form, Error after `destroy`; then nothing is written.
   */
  encrypt(page: Uint8Array, tweak: Uint8Array): Uint8Array<ArrayBuffer>;
  encrypt<Out extends Uint8Array | undefined>(page: Uint8Array, tweak: Uint8Array, out: Out): Result<Out>;
  encrypt(page: Uint8Array, tweak: Uint8Array, out?: Uint8Array, extra?: unknown): Uint8Array {
    refuseExtra(extra, 3);
    return this.#page(0, page, tweak, out);
  }

  /**
   * Decrypts a page. Nothing tells whether it is the one that was encrypted: what was changed comes out as noise, all of it.
   *
   * @param page - At least 16 bytes.
   * @param tweak - The page's.
   * @param out - Where the plaintext goes, as long as the page; may be the page or overlap it.
   * @returns `out`, or fresh bytes.
   * @throws As `encrypt`.
   */
  decrypt(page: Uint8Array, tweak: Uint8Array): Uint8Array<ArrayBuffer>;
  decrypt<Out extends Uint8Array | undefined>(page: Uint8Array, tweak: Uint8Array, out: Out): Result<Out>;
  decrypt(page: Uint8Array, tweak: Uint8Array, out?: Uint8Array, extra?: unknown): Uint8Array {
    refuseExtra(extra, 3);
    return this.#page(1, page, tweak, out);
  }

  /**
   * Encrypts many pages in place, each under the tweak of its number.
   *
   * @param buffer - Whole pages, possibly none.
   * @param options - How long they are, which is the first, and how its number becomes a tweak.
   * @returns `buffer`.
   * @throws TypeError or RangeError if an argument is not of that form, Error after `destroy`, and what a function for
   * tweaks throws; then nothing is written.
   */
  encryptPages<Buffer extends Uint8Array>(buffer: Buffer, options: PagesOptions): Buffer;
  encryptPages<Buffer extends Uint8Array>(buffer: Buffer, options: PagesOptions, extra?: unknown): Buffer {
    refuseExtra(extra, 2);
    this.#pages(0, buffer, options);
    return buffer;
  }

  /**
   * Decrypts many pages in place, each under the tweak of its number.
   *
   * @param buffer - Whole pages, possibly none.
   * @param options - Those of `encryptPages`.
   * @returns `buffer`.
   * @throws As `encryptPages`.
   */
  decryptPages<Buffer extends Uint8Array>(buffer: Buffer, options: PagesOptions): Buffer;
  decryptPages<Buffer extends Uint8Array>(buffer: Buffer, options: PagesOptions, extra?: unknown): Buffer {
    refuseExtra(extra, 2);
    this.#pages(1, buffer, options);
    return buffer;
  }

  /** Wipes the keys. The object can't be used any more. */
  destroy(): void;
  destroy(extra?: unknown): void {
    refuseExtra(extra, 0);
    fillBytes(this.#keys, 0);
    this.#end = 'destroy()';
  }

  #page(back: number, page: Uint8Array, tweak: Uint8Array, out: Uint8Array | undefined): Uint8Array {
    checkAlive('a cipher', this.#end);
    const length = lengthOf(page, 'page');
    if (length < BLOCK) throw new RangeError(`"page" expected length >= ${BLOCK}, got length=${length}`);
    const heads = headsOf(this.#nh, length - BLOCK, tweakLength(tweak));
    const result = outputOf(out, length);
    if (length > DATA_BYTES) {
      this.#long(back, page, length, heads, tweak, result);
      return result;
    }
    lend(diskInstance(), WORK, HEADS + heads.slot, (kernel) => {
      kernel.write(KEY, keysBytes(this.#nh), this.#keys);
      writeHead(kernel, heads, 0, tweak);
      kernel.write(DATA, length, page);
      kernel.run.pages(back, this.#nh, this.#doubleRounds, heads.length, heads.slot, length, 0, 1);
      kernel.read(DATA, length, result);
      if (!onlyCiphertext(back, length)) kernel.wipe(DATA, DATA + length + MARGIN);
    });
    return result;
  }

  /** Longer than the stage: twice through it, from a copy, which nobody else changes between. */
  #long(back: number, page: Uint8Array, length: number, heads: Heads, tweak: Uint8Array, out: Uint8Array): void {
    const bytes = copyOf(page, length);
    const nh = this.#nh;
    const { messageLength } = heads;
    const message = part(bytes, 0, messageLength);
    const work = (kernel: Instance<Disk>): void => {
      const { run } = kernel;
      kernel.write(KEY, keysBytes(nh), this.#keys);
      writeHead(kernel, heads, 0, tweak);
      run.begin(nh, heads.length);
      inParts(message, messageLength, message, DATA_BYTES, (staged, _, size) => {
        kernel.write(DATA, size, staged);
        run.absorb(nh, size);
      });
      kernel.write(MIDDLE, BLOCK, part(bytes, messageLength, BLOCK));
      run.turn(back, nh, this.#doubleRounds);
      inParts(message, messageLength, message, DATA_BYTES, (staged, from, size) => {
        kernel.write(DATA, size, staged);
        run.stream(nh, this.#doubleRounds, size);
        kernel.read(DATA, size, bytes, from);
      });
      run.end(nh);
      kernel.read(MIDDLE, BLOCK, bytes, messageLength);
      copyBytes(out, bytes);
    };
    lendBytes(bytes, length, () => lend(diskInstance(), WORK, DATA + DATA_BYTES + MARGIN, work));
  }

  #pages(back: number, buffer: Uint8Array, options: PagesOptions): void {
    checkAlive('a cipher', this.#end);
    lengthOf(buffer, 'buffer');
    const given = optionsOf(options, PAGES);
    const size = sizeOf(optionOf(given, 'pageSize'), 'pageSize', BLOCK);
    const how = tweakOf(optionOf(given, 'tweak'), size);
    const from = optionOr(given, 'first', 0) as number | bigint;
    const count = countPages(lengthOf(buffer, 'buffer'), size);
    if (typeof how === 'function') checkNumbers(from, count, 1, 'number');
    else checkNumbers(from, count, how.factor);
    if (typeof how === 'function') {
      // All of them before any work: the function is the caller's, and may use the library, or take the buffer away.
      const { length, bytes } = askedTweaks(how, from, count);
      checkAlive('a cipher', this.#end);
      if (countPages(lengthOf(buffer, 'buffer'), size) !== count)
        throw new RangeError(`"buffer" expected Uint8Array of length ${size * count}, got another in the meantime`);
      this.#each(back, buffer, size, count, headsOf(this.#nh, size - BLOCK, length), {
        write: (kernel, heads, at, some) => {
          for (let i = 0; i < some; i++) writeHead(kernel, heads, i, nthTweak(bytes, length, at + i));
        },
        one: (at) => nthTweak(bytes, length, at),
      });
    } else this.#counted(back, buffer, size, count, from, how);
  }

  #counted(back: number, buffer: Uint8Array, size: number, count: number, first: number | bigint, how: Counted): void {
    this.#each(back, buffer, size, count, headsOf(this.#nh, size - BLOCK, byteLengthOf(how.zero)), {
      write: (kernel, heads, at, some) => writeCounted(kernel, heads, how, pageNumber(first, at), some),
      one: (at) => countedTweak(how, pageNumber(first, at)),
    });
  }

  /** As many pages in a call as there is room for. */
  #each(
    back: number,
    buffer: Uint8Array,
    size: number,
    count: number,
    heads: Heads,
    tweaks: {
      readonly write: (kernel: Instance<Disk>, heads: Heads, at: number, count: number) => void;
      readonly one: (at: number) => Uint8Array;
    },
  ): void {
    const stride = (size + SET - 1) & -SET;
    const most = min(floor(DATA_BYTES / stride), heads.most);
    if (most < 2) {
      for (let at = 0; at < count; at++) {
        const page = part(buffer, size * at, size);
        this.#page(back, page, tweaks.one(at), page);
      }
      return;
    }
    if (count === 0) return;
    const used = min(most, count);
    lend(diskInstance(), WORK, HEADS + heads.slot * used, (kernel) => {
      kernel.write(KEY, keysBytes(this.#nh), this.#keys);
      for (let at = 0; at < count; at += most) {
        const some = min(most, count - at);
        tweaks.write(kernel, heads, at, some);
        if (stride === size) kernel.write(DATA, size * some, part(buffer, size * at, size * some));
        else for (let i = 0; i < some; i++) kernel.write(DATA + stride * i, size, part(buffer, size * (at + i), size));
        kernel.run.pages(back, this.#nh, this.#doubleRounds, heads.length, heads.slot, size, stride, some);
        if (stride === size) kernel.read(DATA, size * some, buffer, size * at);
        else for (let i = 0; i < some; i++) kernel.read(DATA + stride * i, size, buffer, size * (at + i));
      }
      if (!onlyCiphertext(back, size)) kernel.wipe(DATA, DATA + stride * used + MARGIN);
    });
  }
}

/** Whether pages leave nothing but ciphertext in DATA: a page that ends within a set has keystream behind it. */
const onlyCiphertext = (back: number, length: number): boolean => back === 0 && length % SET === 0;

/** What a cipher keeps: with NH, and without. */
const keysBytes = (nh: number): number => (nh ? KEYS_BYTES : SHORT_KEYS_BYTES);

/** How many rounds are asked for. */
function roundsOf(options: DiskOptions | undefined): number {
  const rounds = optionOr(optionsOf(options, CIPHER), 'rounds', 12);
  if (rounds === 8 || rounds === 12 || rounds === 20) return rounds;
  sizeOf(rounds, 'rounds', 0);
  throw new RangeError(`"rounds" expected 8, 12 or 20, got ${rounds as number}`);
}
