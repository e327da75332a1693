/** Serpent in CTR mode. */
import { lengthOf, outputOf, refuseSurplus, refuseSecond, type Result } from '../calls/checks.ts';
import { checkAlive, lend, type End } from '../calls/lifetime.ts';
import { Bytes, fillBytes, min } from '../engine/intrinsics.ts';
import { COUNTER, STAGE, STAGE_BYTES, KEY, KEY_BYTES, MARGIN } from './map.ts';
import { serpentCtrInstance } from './ctr-binding.ts';
import { inParts } from '../calls/parts.ts';
import { BLOCK_BYTES, keyOf } from './input.ts';

/** The number of low bytes of a counter that are counted exactly; near the counter's end all other bytes are 255. */
const LOW_BYTES = 6;

/** How many blocks there are up to the counter's end, if fewer than 2^48; it is little-endian here. */
function blocksLeft(counter: Uint8Array): number {
  let low = 0;
  for (let i = BLOCK_BYTES - 1; i >= 0; i--) {
    if (i < LOW_BYTES) low = low * 256 + counter[i];
    else if (counter[i] !== 255) return Infinity;
  }
  return 2 ** (8 * LOW_BYTES) - low;
}

/**
 * One key and one first counter. Made by {@link ctr} and {@link ctrLittleEndian}. Each call starts from that counter,
 * so an object encrypts one message.
 */
export class Ctr {
  readonly #key: Uint8Array;
  /** Little-endian, whatever the order of the blocks. */
  readonly #counter = new Bytes(BLOCK_BYTES);
  readonly #big: 0 | 1;
  #encrypted = false;
  #end: End | undefined;

  /** @internal */
  constructor(key: Uint8Array, nonce: Uint8Array, littleEndian: boolean) {
    lengthOf(nonce, 'nonce', BLOCK_BYTES);
    this.#key = keyOf(key);
    this.#big = littleEndian ? 0 : 1;
    for (let i = 0; i < BLOCK_BYTES; i++) this.#counter[i] = nonce[littleEndian ? i : BLOCK_BYTES - 1 - i];
  }

  /**
   * XORs the keystream onto `plaintext`, once: a second message under the same counter would give both away.
   *
   * @param plaintext - Any number of bytes, up to the counter's end.
   * @param out - Where the ciphertext goes, of the same length; may be or overlap the plaintext.
   * @returns `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument is not of that form, RangeError if the counter would pass its end, Error
   * on the second call or after `destroy`; then nothing is written.
   */
  encrypt(plaintext: Uint8Array): Uint8Array<ArrayBuffer>;
  encrypt<Out extends Uint8Array | undefined>(plaintext: Uint8Array, out: Out): Result<Out>;
  encrypt(plaintext: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 2);
    return this.#xor(plaintext, 'plaintext', out, true);
  }

  /**
   * Decrypts: the same as `encrypt`, but any number of times.
   *
   * @param ciphertext - Any number of bytes, up to the counter's end.
   * @param out - Where the plaintext goes, of the same length; may be or overlap the ciphertext.
   * @returns `out`, or fresh bytes.
   * @throws As `encrypt`, but for the second call.
   */
  decrypt(ciphertext: Uint8Array): Uint8Array<ArrayBuffer>;
  decrypt<Out extends Uint8Array | undefined>(ciphertext: Uint8Array, out: Out): Result<Out>;
  decrypt(ciphertext: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 2);
    return this.#xor(ciphertext, 'ciphertext', out, false);
  }

  /** Wipes key and counter. The object can't be used any more. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    fillBytes(this.#key, 0);
    fillBytes(this.#counter, 0);
    this.#end = 'destroy()';
  }

  #xor(data: Uint8Array, name: string, out: Uint8Array | undefined, encrypts: boolean): Uint8Array {
    checkAlive('a cipher', this.#end);
    refuseSecond(encrypts && this.#encrypted, 'counter');
    const length = lengthOf(data, name);
    const left = blocksLeft(this.#counter);
    if (length > left * BLOCK_BYTES)
      throw new RangeError(
        `"${name}" expected at most ${left} blocks of ${BLOCK_BYTES} bytes up to the counter's end, got length=${length}`,
      );
    const result = outputOf(out, length);
    this.#encrypted ||= encrypts;
    if (length === 0) return result;
    lend(serpentCtrInstance(), KEY, STAGE + min(length, STAGE_BYTES) + MARGIN, (kernel) => {
      kernel.write(KEY, KEY_BYTES, this.#key);
      kernel.write(COUNTER, BLOCK_BYTES, this.#counter);
      inParts(data, length, result, STAGE_BYTES, (bytes, from, size) => {
        kernel.write(STAGE, size, bytes);
        kernel.run.ctr(from ? 0 : 1, this.#big, (size + BLOCK_BYTES - 1) >>> 4);
        kernel.read(STAGE, size, result, from);
      });
    });
    return result;
  }
}
