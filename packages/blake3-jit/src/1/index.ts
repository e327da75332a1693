/** `dist/index.js` of `blake3-jit`, version 1: all of the package. */
import { isMessage, placeOf, realLengthOf, sizeOf } from '../../../drop-ins/src/message.ts';
import { hash as digestOf } from '../../../lanewise/src/blake3/hash.ts';
import { Blake3 } from '../../../lanewise/src/blake3/hasher.ts';
import { initialValue, type Mode } from '../../../lanewise/src/blake3/mode.ts';
import { IV } from '../../../lanewise/src/blake3/rounds.ts';
import { describe } from '../../../lanewise/src/calls/choice.ts';

const DIGEST_BYTES = 32;
const KEY_WORDS = 8;
/** The flags of the modes, and of the hash of a context: §2.3 of the paper. */
const [KEYED_HASH, DERIVE_KEY_CONTEXT, DERIVE_KEY_MATERIAL] = [16, 32, 64];
const FLAGS: readonly number[] = [0, KEYED_HASH, DERIVE_KEY_CONTEXT, DERIVE_KEY_MATERIAL];

const modeOf = (key: Uint8Array, flags: number, length = DIGEST_BYTES): Mode => ({ key, flags, length });
const PLAIN = modeOf(initialValue, 0);

/** The original reads indexes, whatever it is given; here that has to be bytes, or an array of numbers. */
function bytesOf(input: ArrayLike<number>, name: string): Uint8Array {
  if (isMessage(input)) return input;
  const length = realLengthOf(input) ?? (Array.isArray(input) ? input.length : undefined);
  // A Proxy, too: no getter of the language's own finds an array in it.
  if (length === undefined) throw new TypeError(`"${name}" expected Uint8Array, got ${typeof input}`);
  return Uint8Array.from({ length }, (_, i) => input[i]);
}

/** A length as the original takes it: that of an array. */
const lengthOf = (length: number): number => (length === DIGEST_BYTES ? length : new Uint8Array(length).length);

function bytesOfWords(words: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(4 * KEY_WORDS);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < KEY_WORDS; i++) view.setUint32(4 * i, words[i], true);
  return bytes;
}

function wordsOf(key: Uint8Array): Uint32Array {
  const { buffer, from } = placeOf(key);
  const view = new DataView(buffer, from);
  return Uint32Array.from({ length: KEY_WORDS }, (_, i) => view.getUint32(4 * i, true));
}

/** How many elements an array has, whatever one of the language's kinds says of itself. */
const countOf = (values: ArrayLike<number>): number => realLengthOf(values) ?? values.length;

const isInitial = (words: ArrayLike<number>, count: number | undefined): boolean =>
  count === KEY_WORDS && IV.every((word, i) => word >>> 0 === words[i] >>> 0);

/** Which objects may be made without the public arguments. */
const OURS = Symbol('ours');

/** The output of a root, read on and on: §2.6 of the paper. */
export class XofReader {
  readonly #output: Blake3;

  constructor(output: unknown, made?: unknown) {
    if (made !== OURS) throw new Error('cannot make a reader of words: finalizeXof() makes one');
    this.#output = output as Blake3;
  }

  read(length: number): Uint8Array<ArrayBuffer> {
    return this.#output.xof(lengthOf(length));
  }
}

/** So long a message waits until its digest is asked for: one call of the kernel costs less than a hasher in pieces. */
const HELD_BYTES = 65_536;
const NOTHING = new Uint8Array(0);

/** A message in pieces. */
export class Hasher {
  readonly #mode: Mode;
  /** The message, while it is short; it may be followed by free room. */
  #held: Uint8Array = NOTHING;
  #length = 0;
  /** The message once it was longer. */
  #long: Blake3 | undefined;

  constructor(keyWords?: ArrayLike<number>, flags = 0) {
    const count = keyWords && countOf(keyWords);
    const ofInitial = !keyWords || isInitial(keyWords, count);
    if (!FLAGS.includes(flags) || (!ofInitial && (flags === 0 || flags === DERIVE_KEY_CONTEXT)))
      throw new RangeError(
        `"flags" expected ${KEYED_HASH} or ${DERIVE_KEY_MATERIAL} with key words, or without them 0 or ${DERIVE_KEY_CONTEXT}, got ${flags}`,
      );
    if (keyWords && count !== KEY_WORDS)
      throw new RangeError(`"keyWords" expected ${KEY_WORDS} words, got length=${count}`);
    this.#mode = flags === 0 ? PLAIN : modeOf(ofInitial ? initialValue : bytesOfWords(keyWords), flags);
  }

  reset(): this {
    this.#held.fill(0, 0, this.#length);
    this.#length = 0;
    this.#long?.destroy();
    this.#long = undefined;
    return this;
  }

  static newKeyed(key: ArrayLike<number>): Hasher {
    const count = countOf(key);
    if (count !== 4 * KEY_WORDS) throw new Error(`Key must be 32 bytes, got ${count}`);
    return new Hasher(wordsOf(bytesOf(key, 'key')), KEYED_HASH);
  }

  static newDeriveKey(context: string): Hasher {
    const bytes = new TextEncoder().encode(context);
    const key = digestOf(bytes, bytes.length, modeOf(initialValue, DERIVE_KEY_CONTEXT));
    return new Hasher(wordsOf(key), DERIVE_KEY_MATERIAL);
  }

  update(input: ArrayLike<number>): this {
    const message = bytesOf(input, 'input');
    if (!this.#hold(message)) this.#whole().update(message);
    return this;
  }

  finalize(outputLength: number = DIGEST_BYTES): Uint8Array<ArrayBuffer> {
    const length = lengthOf(outputLength);
    if (this.#long) return this.#long.peek(length);
    return digestOf(this.#short(), this.#length, length === DIGEST_BYTES ? this.#mode : { ...this.#mode, length });
  }

  finalizeXof(): XofReader {
    return new XofReader(this.#whole().clone(), OURS);
  }

  /** Takes a piece, if the message stays short with it. */
  #hold(piece: Uint8Array): boolean {
    const end = this.#length + sizeOf(piece);
    if (this.#long || end > HELD_BYTES) return false;
    if (end > this.#held.length) {
      const larger = new Uint8Array(Math.max(end, Math.min(2 * this.#held.length, HELD_BYTES)));
      larger.set(this.#short());
      this.#held.fill(0);
      this.#held = larger;
    }
    this.#held.set(piece, this.#length);
    this.#length = end;
    return true;
  }

  #short(): Uint8Array {
    return this.#held.length === this.#length ? this.#held : this.#held.subarray(0, this.#length);
  }

  /** The message as an object that takes pieces of any length. */
  #whole(): Blake3 {
    if (!this.#long) {
      const whole = new Blake3(this.#mode);
      whole.update(this.#short());
      this.#held.fill(0, 0, this.#length);
      this.#length = 0;
      this.#long = whole;
    }
    return this.#long;
  }
}

export function hash(input: ArrayLike<number>, outputLength: number = DIGEST_BYTES): Uint8Array<ArrayBuffer> {
  const message = bytesOf(input, 'input');
  const length = lengthOf(outputLength);
  return digestOf(message, sizeOf(message), length === DIGEST_BYTES ? PLAIN : modeOf(initialValue, 0, length));
}

export function hashInto(input: ArrayLike<number>, output: Uint8Array, outputLength: number = DIGEST_BYTES): void {
  const room = countOf(output);
  if (room < outputLength) throw new Error(`Output buffer too small: ${room} < ${outputLength}`);
  output.set(hash(input, outputLength));
}

/** Long enough for the kernel with vectors. */
const LONG = 4096;
export function warmupSimd(): boolean {
  hash(new Uint8Array(LONG));
  return describe().engine === 'simd';
}

export const createHasher = (): Hasher => new Hasher();
export const createKeyed = (key: ArrayLike<number>): Hasher => Hasher.newKeyed(key);
export const createDeriveKey = (context: string): Hasher => Hasher.newDeriveKey(context);

export default { hash, hashInto, Hasher, createHasher, createKeyed, createDeriveKey };
