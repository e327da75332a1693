/** ChaCha8Rand as an object that numbers are drawn from. */
import { integerOf, lengthOf, refuseSurplus, sizeOf, typeOf, type Result } from '../calls/checks.ts';
import { checkAlive, HALF_WAY, type End } from '../calls/lifetime.ts';
import { Bytes, copyBytes, floor, freeze, isArray, typeName } from '../engine/intrinsics.ts';
import { below64, wordOf } from './below.ts';
import { KEY_BYTES } from './map.ts';
import { Source, WORDS } from './source.ts';

const SAVED_BYTES = KEY_BYTES + 1;
const TWO_32 = 2 ** 32;
const TWO_53 = 2 ** 53;

/** @inline */
type Shuffled =
  | unknown[]
  | Uint8Array
  | Uint8ClampedArray
  | Uint16Array
  | Uint32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** A generator of random numbers. Made by {@link chacha8rand} and its `load`. */
export class ChaCha8Rand {
  readonly #source: Source;
  #end: End | undefined;

  /** @internal */
  constructor(key: Uint8Array, drawn: number) {
    this.#source = new Source(key, drawn);
  }

  /**
   * Random bytes, the output of ChaCha8Rand as it is: 10 bytes and 10 bytes are the same as 20. As Go's `Read` does, it
   * draws whole words, and the rest of the last one is the start of the next call's bytes.
   *
   * @param length - How many bytes; or the bytes to overwrite.
   * @returns Fresh bytes, or those that were given.
   * @throws TypeError if it is neither, RangeError if the length isn't an integer from 0 up, Error after `destroy`; then
   * nothing is written. If it throws anything else, as when the stack overflows, the generator refuses all but `destroy`.
   */
  bytes(length: number): Uint8Array<ArrayBuffer>;
  bytes<Out extends Uint8Array>(out: Out): Result<Out>;
  bytes(target: number | Uint8Array): Uint8Array {
    refuseSurplus(arguments, 1);
    const out = typeof target === 'number' ? new Bytes(sizeOf(target, 'length')) : target;
    const length = lengthOf(out, 'out');
    this.#drawn((source) => source.fill(out, length));
    return out;
  }

  /**
   * An integer from 0 to 2^32 - 1: the high half of the next word, as Go's `Uint32` takes it.
   *
   * @throws Error after `destroy`.
   */
  uint32(): number {
    refuseSurplus(arguments, 0);
    return this.#drawn((source) => source.draw().high);
  }

  /**
   * An integer from 0 to 2^64 - 1: the next word.
   *
   * @throws Error after `destroy`.
   */
  uint64(): bigint {
    refuseSurplus(arguments, 0);
    return this.#drawn((source) => wordOf(source.draw()));
  }

  /**
   * A number from 0 up to and without 1, one of 2^53 that are equally far apart: as Go's `Float64`.
   *
   * @throws Error after `destroy`.
   */
  float(): number {
    refuseSurplus(arguments, 0);
    const { low, high } = this.#drawn((source) => source.draw());
    return ((high & 0x1fffff) * TWO_32 + low) / TWO_53;
  }

  /**
   * An integer from 0 to n - 1, each as likely as any other: as Go's `Uint64N`. The number of words that it draws
   * depends on their values.
   *
   * @param n - An integer from 1 to 2^53, or a bigint from 1 to 2^64 - 1.
   * @returns A number if `n` is one, else a bigint.
   * @throws TypeError or RangeError if `n` is none of these, Error after `destroy`.
   */
  below<N extends number | bigint>(n: N): N extends bigint ? bigint : number;
  below(n: number | bigint): number | bigint {
    refuseSurplus(arguments, 1);
    if (typeof n === 'bigint') {
      integerOf(n, 'n', 64);
      if (n === 0n) throw new RangeError('"n" expected integer from 1 to 2^64 - 1, got 0');
      return this.#drawn((source) => below64(source, n));
    }
    if (typeof n !== 'number') throw new TypeError(`"n" expected integer, got ${typeOf(n)}`);
    if (!(n >= 1 && n <= TWO_53) || floor(n) !== n)
      throw new RangeError(`"n" expected integer from 1 to 2^53 (above it a bigint), got ${n}`);
    return this.#drawn((source) => source.below(n));
  }

  /**
   * Puts the elements of an array into a random order, each order as likely as any other: as Go's `Shuffle`.
   *
   * @param array - An array or a typed array; changed in place.
   * @returns The array.
   * @throws TypeError if it is neither, Error after `destroy`. If an element can't be read or written, as when the array is frozen, that
   * is the engine's error, and the generator refuses all but `destroy`.
   */
  shuffle<List extends Shuffled>(array: List): List;
  shuffle(array: unknown): unknown {
    refuseSurplus(arguments, 1);
    if (!isArray(array) && typeName(array) === undefined)
      throw new TypeError(`"array" expected array or typed array, got ${typeOf(array)}`);
    const list = array as { [i: number]: unknown; readonly length: number };
    return this.#drawn((source) => {
      for (let i = list.length - 1; i > 0; i--) {
        const j = source.below(i + 1);
        const element: unknown = list[i];
        list[i] = list[j];
        list[j] = element;
      }
      return array;
    });
  }

  /**
   * The state, for `chacha8rand.load`: the key of the iteration, and how many of its 124 words are drawn. As secret as the seed.
   *
   * @returns 33 fresh bytes.
   * @throws Error while a part of a word is drawn, which 33 bytes cannot tell; and after `destroy`.
   */
  save(): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 0);
    checkAlive('a generator', this.#end);
    const { key, drawn, restBytes } = this.#source;
    if (restBytes) throw new Error(`cannot save() within a word: bytes(${restBytes}) draws the rest of it`);
    const saved = new Bytes(SAVED_BYTES);
    copyBytes(saved, key);
    saved[KEY_BYTES] = drawn;
    return saved;
  }

  /** Wipes the state; the generator can't be used any more. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    this.#source.wipe();
    this.#end = 'destroy()';
  }

  /** Draws numbers. Until all is done, the generator is half-way. */
  #drawn<T>(draw: (source: Source) => T): T {
    checkAlive('a generator', this.#end);
    this.#end = HALF_WAY;
    const numbers = draw(this.#source);
    this.#end = undefined;
    return numbers;
  }
}

function load(state: Uint8Array): ChaCha8Rand {
  refuseSurplus(arguments, 1);
  lengthOf(state, 'state', SAVED_BYTES);
  const drawn = state[KEY_BYTES];
  if (drawn > WORDS) throw new RangeError(`"state" expected at most ${WORDS} words drawn, got ${drawn}`);
  return new ChaCha8Rand(state, drawn);
}

/** {@link chacha8rand} */
export interface ChaCha8RandFunction {
  (seed: Uint8Array): ChaCha8Rand;
  /**
   * Restores a generator in the state in which `save` was called.
   *
   * @param state - 33 bytes, the result of `save`; copied.
   * @returns A generator that gives the same numbers as the saved one.
   * @throws TypeError or RangeError if it isn't a saved state.
   */
  load(state: Uint8Array): ChaCha8Rand;
}

/**
 * A generator of random numbers, ChaCha8Rand of C2SP (chacha8rand.md): equal to Go's `rand.NewChaCha8(seed)`.
 *
 * @param seed - 32 bytes; copied. The seed determines all numbers.
 * @returns A generator with `bytes`, `uint32`, `uint64`, `float`, `below`, `shuffle`, `save` and `destroy`.
 * @throws TypeError or RangeError if the seed is not that.
 * @example
 * ```ts
 * import { chacha8rand, randomBytes } from 'lanewise/random.js';
 * const random = chacha8rand(randomBytes(32));
 * random.bytes(16);
 * const die = random.below(6) + 1;
 * const share = random.float(); // from 0 up to and without 1
 * const cards = random.shuffle(['ace', 'king', 'queen']);
 * const again = chacha8rand.load(random.save()); // 33 bytes
 * random.uint64() === again.uint64(); // true
 * ```
 */
export const chacha8rand: ChaCha8RandFunction = /* @__PURE__ */ freeze(
  /* @__PURE__ */ Object.assign(
    function (seed: Uint8Array): ChaCha8Rand {
      refuseSurplus(arguments, 1);
      lengthOf(seed, 'seed', KEY_BYTES);
      return new ChaCha8Rand(seed, 0);
    },
    { load },
  ),
);
