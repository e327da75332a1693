/** Adiantum and HPolyC: a key, and pages under it. */
import { lengthOf, outputOf, refuseSurplus, type Result } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf, type Grammar } from '../calls/options.ts';
import { countPages, sizeOf } from './options.ts';
import { askedTweaks, countedTweaks, headsOf } from './heads.ts';
import { keepPageCall, type PageCall, type PageWork } from './page-calls.ts';
import { BLOCK, KEY_BYTES } from './map.ts';
import { deriveKeys, manyPages, onePage, type Back, type Keys } from './stage.ts';
import { checkNumbers, tweakLength, tweakOf, type PagesOptions } from './tweak.ts';
import { checkAlive, type End } from '../calls/lifetime.ts';
import { Bytes, fillBytes } from '../engine/intrinsics.ts';

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

/** One key, any number of pages. Made by {@link adiantum} and {@link hpolyc}. */
export class PageCipher {
  readonly #keys: Keys;
  #end: End | undefined;

  static readonly #call: PageCall = (cipher, back, buffer, ...values) => {
    if (!(#keys in cipher)) return false;
    if (typeof buffer === 'number') cipher.#pages(back, new Bytes(0), ...values, buffer);
    else cipher.#pages(back, buffer, ...values);
    return true;
  };

  /** @internal */
  constructor(nh: 0 | 1, key: Uint8Array, options: DiskOptions | undefined) {
    const doubleRounds = roundsOf(options) / 2;
    lengthOf(key, 'key', KEY_BYTES);
    this.#keys = deriveKeys(nh, doubleRounds, key);
    keepPageCall(PageCipher.#call);
  }

  /**
   * Encrypts a page: any change to it or to the tweak changes all of the ciphertext, which is as long as the page. The same
   * page under the same tweak gives the same ciphertext.
   *
   * @param page - At least 16 bytes.
   * @param tweak - Up to 4096 bytes, which need not be secret: where the page is.
   * @param out - Where the ciphertext goes, as long as the page; may be the page or overlap it.
   * @returns `out`, or fresh bytes.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `destroy`; then nothing is written.
   */
  encrypt(page: Uint8Array, tweak: Uint8Array): Uint8Array<ArrayBuffer>;
  encrypt<Out extends Uint8Array | undefined>(page: Uint8Array, tweak: Uint8Array, out: Out): Result<Out>;
  encrypt(page: Uint8Array, tweak: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 3);
    return this.#page(0, page, tweak, out);
  }

  /**
   * Decrypts a page. There is no check whether it is the one that was encrypted: a page that was changed becomes noise
   * as a whole.
   *
   * @param page - At least 16 bytes.
   * @param tweak - The page's.
   * @param out - Where the plaintext goes, as long as the page; may be the page or overlap it.
   * @returns `out`, or fresh bytes.
   * @throws As `encrypt`.
   */
  decrypt(page: Uint8Array, tweak: Uint8Array): Uint8Array<ArrayBuffer>;
  decrypt<Out extends Uint8Array | undefined>(page: Uint8Array, tweak: Uint8Array, out: Out): Result<Out>;
  decrypt(page: Uint8Array, tweak: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 3);
    return this.#page(1, page, tweak, out);
  }

  /**
   * Encrypts many pages in place, each under the tweak of its number.
   *
   * @param buffer - Whole pages, possibly none.
   * @param options - How long they are, which is the first, and how its number becomes a tweak.
   * @returns `buffer`.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `destroy`, and any error of a function for tweaks; then nothing is written.
   */
  encryptPages<Buffer extends Uint8Array>(buffer: Buffer, options: PagesOptions): Buffer {
    refuseSurplus(arguments, 2);
    return this.#pages(0, buffer, options);
  }

  /**
   * Decrypts many pages in place, each under the tweak of its number.
   *
   * @param buffer - Whole pages, possibly none.
   * @param options - Those of `encryptPages`.
   * @returns `buffer`.
   * @throws As `encryptPages`.
   */
  decryptPages<Buffer extends Uint8Array>(buffer: Buffer, options: PagesOptions): Buffer {
    refuseSurplus(arguments, 2);
    return this.#pages(1, buffer, options);
  }

  /** Wipes the keys. The object can't be used any more. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    fillBytes(this.#keys.bytes, 0);
    this.#end = 'destroy()';
  }

  #page(back: Back, page: Uint8Array, tweak: Uint8Array, out: Uint8Array | undefined): Uint8Array {
    checkAlive('a cipher', this.#end);
    const length = lengthOf(page, 'page');
    if (length < BLOCK) throw new RangeError(`"page" expected length >= ${BLOCK}, got length=${length}`);
    const heads = headsOf(this.#keys.nh, length - BLOCK, tweakLength(tweak));
    const result = outputOf(out, length);
    onePage(this.#keys, back, page, length, heads, tweak, result);
    return result;
  }

  /**
   * @param work - Called when everything is checked; that of a pool comes back later.
   * @param total - The bytes of pages in a file, which are not in the buffer.
   */
  #pages<Buffer extends Uint8Array>(
    back: Back,
    buffer: Buffer,
    options: PagesOptions,
    work: PageWork = manyPages,
    grammar: Grammar = PAGES,
    total?: number,
  ): Buffer {
    checkAlive('a cipher', this.#end);
    lengthOf(buffer, 'buffer');
    const given = optionsOf(options, grammar);
    const size = sizeOf(optionOf(given, 'pageSize'), 'pageSize', BLOCK);
    const tweak = tweakOf(optionOf(given, 'tweak'), size);
    const first = optionOr(given, 'first', 0) as number | bigint;
    const count = total === undefined ? countPages(lengthOf(buffer, 'buffer'), size) : countPages(total, size, 'from');
    const isAsked = typeof tweak === 'function';
    if (isAsked) checkNumbers(first, count, 1, 'number');
    else checkNumbers(first, count, tweak.factor);
    const tweaks = isAsked ? askedTweaks(tweak, first, count) : countedTweaks(tweak, first);
    if (isAsked) {
      // Tweaks are computed before any work: the function is the caller's, and may have used the library, or detached
      // the buffer.
      checkAlive('a cipher', this.#end);
      if (total === undefined && countPages(lengthOf(buffer, 'buffer'), size) !== count)
        throw new RangeError(`"buffer" expected Uint8Array of length ${size * count}, got another in the meantime`);
    }
    work(this.#keys, back, buffer, size, count, tweaks, buffer, manyPages, tweak, first);
    return buffer;
  }
}

/** The number of rounds that the options ask for. */
function roundsOf(options: DiskOptions | undefined): number {
  const rounds = optionOr(optionsOf(options, CIPHER), 'rounds', 12);
  if (rounds === 8 || rounds === 12 || rounds === 20) return rounds;
  sizeOf(rounds, 'rounds');
  throw new RangeError(`"rounds" expected 8, 12 or 20, got ${rounds as number}`);
}
