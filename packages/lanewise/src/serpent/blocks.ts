/** Serpent in CBC and ECB mode, with padding or without. */
import { lengthOf, outputOf, refuseSurplus, refuseSecond, type Result } from '../calls/checks.ts';
import { checkAlive, lend, type End } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { byteLengthOf, Bytes, copyOf, fillBytes, min, part } from '../engine/intrinsics.ts';
import { STAGE, STAGE_BYTES, IV, KEY, KEY_BYTES, MARGIN } from './map.ts';
import type { Functions } from './module.ts';
import { serpentInstance } from './binding.ts';
import { inParts } from '../calls/parts.ts';
import { BLOCK_BYTES, checkWhole, keyOf, paddingOf, type PaddingOptions } from './input.ts';

/** The length with padding. */
export const paddedLength = (length: number): number => length + BLOCK_BYTES - (length % BLOCK_BYTES);

/**
 * The length of a message's ciphertext; throws if there is no padding and the message does not consist of whole blocks.
 */
export function ciphertextLength(length: number, padding: boolean, name: string): number {
  if (padding) return paddedLength(length);
  checkWhole(length, name);
  return length;
}

/** Writes the padding after the last bytes at an address of memory. */
export function pad(memory: Uint8Array, end: number, length: number): void {
  const count = paddedLength(length) - length;
  fillBytes(memory, count, end, end + count);
}

/**
 * The length of the padding in a block that ends at `end`; 0 if it is invalid. The time of this function is constant,
 * but the caller's reaction reveals whether the padding is right.
 */
function paddingAt(memory: Uint8Array, end: number): number {
  const count = memory[end - 1];
  // `wrong` becomes all ones if the padding is wrong. The first check is for a count that is 0 or above 16.
  let wrong = ((count - 1) | (BLOCK_BYTES - count)) >> 31;
  for (let i = 1; i <= BLOCK_BYTES; i++) {
    const inside = (i - count - 1) >> 31;
    wrong |= -(inside & (memory[end - i] ^ count)) >> 31;
  }
  return count & ~wrong;
}

const resultOf = (out: Uint8Array | undefined, plain: number): Uint8Array =>
  out === undefined ? new Bytes(plain) : plain === byteLengthOf(out) ? out : part(out, 0, plain);

/** One key, and for CBC one IV. Made by {@link cbc} and {@link ecb}. */
export class BlockMode {
  readonly #key: Uint8Array;
  /** Undefined for ECB. */
  readonly #iv: Uint8Array | undefined;
  readonly #padding: boolean;
  /** Whether a message was encrypted: an IV is for one message only. */
  #encrypted = false;
  #end: End | undefined;

  /** @internal */
  constructor(chained: boolean, key: Uint8Array, iv: Uint8Array | undefined, options: PaddingOptions | undefined) {
    this.#padding = paddingOf(options);
    if (chained) lengthOf(iv, 'iv', BLOCK_BYTES);
    this.#key = keyOf(key);
    this.#iv = chained ? copyOf(iv!, BLOCK_BYTES) : undefined;
  }

  /**
   * Encrypts; with an IV only once, because two messages under one IV reveal the length of their common beginning.
   *
   * @param plaintext - Any number of bytes; without padding whole blocks.
   * @param out - Where the ciphertext goes, as long as the plaintext with its padding; may overlap it in any way.
   * @returns `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument is not of that form, Error after `destroy` and on the second call with an
   * IV; then nothing is written.
   */
  encrypt(plaintext: Uint8Array): Uint8Array<ArrayBuffer>;
  encrypt<Out extends Uint8Array | undefined>(plaintext: Uint8Array, out: Out): Result<Out>;
  encrypt(plaintext: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 2);
    checkAlive('a cipher', this.#end);
    refuseSecond(this.#encrypted, 'IV');
    const length = lengthOf(plaintext, 'plaintext');
    const whole = ciphertextLength(length, this.#padding, 'plaintext');
    const result = outputOf(out, whole);
    this.#encrypted = this.#iv !== undefined;
    this.#run(whole, (kernel) => {
      let key = 1;
      const block = (size: number, from: number): void => {
        if (this.#iv) kernel.run.cbcEncrypt(key, size >>> 4);
        else kernel.run.ecbEncrypt(key, size >>> 4);
        key = 0;
        kernel.read(STAGE, size, result, from);
        // The last block is in front of the next part.
        if (this.#iv) kernel.write(IV, BLOCK_BYTES, part(kernel.memory, STAGE + size - BLOCK_BYTES, BLOCK_BYTES));
      };
      inParts(plaintext, length, result, STAGE_BYTES, (bytes, from, size) => {
        kernel.write(STAGE, size, bytes);
        const last = from + size === length && this.#padding;
        if (last) pad(kernel.memory, STAGE + size, size);
        block(last ? paddedLength(size) : size, from);
      });
      if (length === 0 && this.#padding) {
        pad(kernel.memory, STAGE, 0);
        block(BLOCK_BYTES, 0);
      }
    });
    return result;
  }

  /**
   * Decrypts. With padding, authenticate first: an attacker who forges messages must not learn whether their padding is
   * right.
   *
   * @param ciphertext - Whole blocks; with padding at least one.
   * @param out - Where the plaintext goes, as long as the ciphertext; may overlap it in any way.
   * @returns The plaintext: fresh bytes, or the part of `out` that it takes; all else of `out` stays as it was.
   * @throws TypeError or RangeError if an argument is not of that form, Error `invalid padding`, Error after `destroy`; then
   * nothing is written.
   */
  decrypt(ciphertext: Uint8Array): Uint8Array<ArrayBuffer>;
  decrypt<Out extends Uint8Array | undefined>(ciphertext: Uint8Array, out: Out): Uint8Array;
  decrypt(ciphertext: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 2);
    checkAlive('a cipher', this.#end);
    const length = lengthOf(ciphertext, 'ciphertext');
    checkWhole(length, 'ciphertext');
    if (this.#padding && length === 0)
      throw new RangeError(`"ciphertext" expected length >= blockSize=${BLOCK_BYTES}, got length=0`);
    if (out !== undefined) lengthOf(out, 'out', length);
    let result: Uint8Array | undefined;
    this.#run(length, (kernel) => {
      if (length <= STAGE_BYTES) {
        kernel.write(STAGE, length, ciphertext);
        this.#decryptBlocks(kernel, 1, length);
        const plain = this.#plainLength(kernel, length, length);
        if (plain < 0) return;
        result = resultOf(out, plain);
        kernel.read(STAGE, plain, result);
        return;
      }
      // The last block first, so that nothing is written if its padding is wrong.
      const last = length - BLOCK_BYTES;
      if (this.#iv) kernel.write(IV, BLOCK_BYTES, part(ciphertext, last - BLOCK_BYTES, BLOCK_BYTES));
      kernel.write(STAGE, BLOCK_BYTES, part(ciphertext, last, BLOCK_BYTES));
      this.#decryptBlocks(kernel, 1, BLOCK_BYTES);
      const plain = this.#plainLength(kernel, BLOCK_BYTES, length);
      if (plain < 0) return;
      result = resultOf(out, plain);
      if (this.#iv) kernel.write(IV, BLOCK_BYTES, this.#iv);
      this.#decryptParts(kernel, ciphertext, length, result, plain);
    });
    if (!result) throw new Error('invalid padding');
    return result;
  }

  /** Wipes key and IV. The object can't be used any more. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    fillBytes(this.#key, 0);
    if (this.#iv) fillBytes(this.#iv, 0);
    this.#end = 'destroy()';
  }

  /** Decrypts the blocks at STAGE; `key` is 1 if the round keys are not made yet. */
  #decryptBlocks(kernel: Instance<Functions>, key: number, length: number): void {
    if (length === 0) return;
    if (this.#iv) kernel.run.cbcDecrypt(key, length >>> 4);
    else kernel.run.ecbDecrypt(key, length >>> 4);
  }

  /** The length of a plaintext, whose last bytes, `staged` of them, are at STAGE; negative if its padding is wrong. */
  #plainLength({ memory }: Instance<Functions>, staged: number, length: number): number {
    if (!this.#padding) return length;
    return length - (paddingAt(memory, STAGE + staged) || Infinity);
  }

  #decryptParts(
    kernel: Instance<Functions>,
    ciphertext: Uint8Array,
    length: number,
    out: Uint8Array,
    plain: number,
  ): void {
    const before = new Bytes(BLOCK_BYTES);
    inParts(ciphertext, length, out, STAGE_BYTES, (bytes, from, size) => {
      kernel.write(STAGE, size, bytes);
      // The last block of ciphertext is in front of the next part.
      kernel.read(STAGE + size - BLOCK_BYTES, BLOCK_BYTES, before);
      this.#decryptBlocks(kernel, 0, size);
      kernel.read(STAGE, min(size, plain - from), out, from);
      if (this.#iv) kernel.write(IV, BLOCK_BYTES, before);
    });
  }

  /** Lends the kernel with key and IV in place, and wipes. */
  #run(length: number, body: (kernel: Instance<Functions>) => void): void {
    lend(serpentInstance(), KEY, STAGE + min(length, STAGE_BYTES) + MARGIN, (kernel) => {
      kernel.write(KEY, KEY_BYTES, this.#key);
      if (this.#iv) kernel.write(IV, BLOCK_BYTES, this.#iv);
      body(kernel);
    });
  }
}
