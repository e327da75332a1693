/** Raw stream ciphers of 64-byte blocks, one call or an object that streams and seeks: shared by ChaCha and Salsa20. */
import { integerOf, lengthOf, outputOf, refuseSurplus, type Result } from '../calls/checks.ts';
import { checkAlive, HALF_WAY, lend, type End } from '../calls/lifetime.ts';
import { inParts } from '../calls/parts.ts';
import type { Instance } from '../engine/instance.ts';
import { Bytes, fillBytes, floor, min, toBigInt, toNumber } from '../engine/intrinsics.ts';
import { checkBlocks, counterOf, plus, type Counter } from './counter.ts';
import { INPUT, INPUT_BYTES, inputKindOf, writeKeyAndNonce, writeWord } from './input.ts';
import { BLOCK_BYTES, STAGE, STAGE_BYTES, CONTINUE, MARGIN, secretsFrom } from './map.ts';

/** The kernel of ChaCha or of Salsa20, and where in the input their nonces and counters are. */
export interface Binding {
  /** The instance of the kernel for a message of `length` bytes. */
  instance(
    length: number,
  ): Instance<{ xor(kind: number, doubleRounds: number, address: number, blocks: number): void }>;
  nonceAt(nonceLength: number): number;
  counterAt(nonceLength: number): number;
}

/** A variant of ChaCha or Salsa20. */
export interface Cipher {
  readonly binding: Binding;
  readonly rounds: 8 | 12 | 20;
  readonly nonceLength: 8 | 12 | 24;
  readonly counterBits: 32 | 64;
  /** Whether keys of 16 bytes are allowed beside those of 32. */
  readonly shortKeys: boolean;
}

function writeInput(
  { binding, nonceLength }: Cipher,
  to: Uint8Array,
  at: number,
  key: Uint8Array,
  keyLength: number,
  nonce: Uint8Array,
): void {
  writeKeyAndNonce(to, at, key, keyLength, nonce, nonceLength, binding.nonceAt(nonceLength));
}

function writeCounter(
  { binding, nonceLength, counterBits }: Cipher,
  counter: Counter,
  to: Uint8Array,
  at: number,
): void {
  const offset = at + binding.counterAt(nonceLength);
  writeWord(to, offset, counter.low);
  if (counterBits === 64) writeWord(to, offset + 4, counter.high);
}

/** The length of a key: 32 bytes, or 16 if the cipher allows short keys. */
function keyLengthOf(cipher: Cipher, key: unknown): 16 | 32 {
  if (cipher.shortKeys && lengthOf(key, 'key') === 16) return 16;
  lengthOf(key, 'key', 32);
  return 32;
}

type Kernel = ReturnType<Binding['instance']>;

/** Lends the kernel for staging `staged` bytes; the message may be only the last of them. */
function lendFor<Result, A, B, C, D>(
  binding: Binding,
  staged: number,
  work: (kernel: Kernel, a: A, b: B, c: C, d: D) => Result,
  a?: A,
  b?: B,
  c?: C,
  d?: D,
): Result {
  const to = STAGE + min(staged, STAGE_BYTES) + MARGIN;
  return lend(binding.instance(staged), secretsFrom(staged), to, work, a, b, c, d);
}

/** XORs `data` with keystream into `out`, from byte `skip` of the first block on. The input is in memory. */
function xorInto(
  kernel: Kernel,
  cipher: Cipher,
  kind: number,
  skip: number,
  data: Uint8Array,
  out: Uint8Array,
  length: number,
): void {
  const first = STAGE_BYTES - skip;
  if (length <= first) xorStaged(kernel, cipher, kind, skip, data, 0, length, out);
  else
    inParts(
      data,
      length,
      out,
      STAGE_BYTES,
      (bytes, from, size) => xorStaged(kernel, cipher, from ? CONTINUE : kind, from ? 0 : skip, bytes, from, size, out),
      first,
    );
}

/** The same for a message that fits the stage; the result goes to `out`, from its byte `from` on. */
function xorStaged(
  kernel: Kernel,
  { rounds }: Cipher,
  kind: number,
  skip: number,
  bytes: Uint8Array,
  from: number,
  size: number,
  out: Uint8Array,
): void {
  kernel.write(STAGE + skip, size, bytes);
  kernel.run.xor(kind, rounds / 2, STAGE, (skip + size + BLOCK_BYTES - 1) >>> 6);
  kernel.read(STAGE + skip, size, out, from);
}

/** A keystream that is taken a piece at a time. Made by `stream` of a cipher, for example {@link chacha20}. */
export class CipherStream {
  readonly #cipher: Cipher;
  readonly #kind: number;
  readonly #input = new Bytes(INPUT_BYTES);
  readonly #first: Readonly<Counter>;
  #next: Counter;
  #skip = 0;
  #end: End | undefined;

  /** @internal */
  constructor(cipher: Cipher, key: Uint8Array, nonce: Uint8Array, counter: number | bigint) {
    const keyLength = keyLengthOf(cipher, key);
    lengthOf(nonce, 'nonce', cipher.nonceLength);
    this.#cipher = cipher;
    this.#first = integerOf(counter, 'counter', cipher.counterBits);
    this.#next = { ...this.#first };
    this.#kind = inputKindOf(cipher.nonceLength, keyLength);
    writeInput(cipher, this.#input, 0, key, keyLength, nonce);
  }

  /**
   * XORs the next bytes of the keystream onto `data`. How a message is cut into calls makes no difference.
   *
   * @param data - Any number of bytes.
   * @param out - Where the result goes, of the same length; may be or overlap `data`.
   * @returns `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument is not of that form, RangeError at the counter's end, and Error after
   * `destroy`; then nothing is written, and the stream is where it was. If it throws anything else, as when the stack
   * overflows, a part of `out` may be written: from then on the stream refuses all but `destroy`.
   */
  update(data: Uint8Array): Uint8Array<ArrayBuffer>;
  update<Out extends Uint8Array | undefined>(data: Uint8Array, out: Out): Result<Out>;
  update(data: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 2);
    checkAlive('a stream', this.#end);
    const length = lengthOf(data, 'data');
    const result = outputOf(out, length);
    const end = this.#skip + length;
    checkBlocks(this.#cipher, this.#next, floor((end + BLOCK_BYTES - 1) / BLOCK_BYTES));
    if (length === 0) return result;
    writeCounter(this.#cipher, this.#next, this.#input, 0);
    const next = plus(this.#cipher, this.#next, floor(end / BLOCK_BYTES));
    this.#end = HALF_WAY;
    lendFor(this.#cipher.binding, end, CipherStream.#xor, this, data, result, length);
    this.#end = undefined;
    this.#next = next;
    this.#skip = end % BLOCK_BYTES;
    return result;
  }

  static #xor(
    this: void,
    kernel: Kernel,
    stream: CipherStream,
    data: Uint8Array,
    out: Uint8Array,
    length: number,
  ): void {
    kernel.write(INPUT, INPUT_BYTES, stream.#input);
    xorInto(kernel, stream.#cipher, stream.#kind, stream.#skip, data, out, length);
  }

  /**
   * Moves to a byte of the keystream, so that `update` goes on there.
   *
   * @param position - Counted from the first byte of the block with the `counter` that the stream was made with. Above
   * 2^53 - 1 a bigint.
   * @returns The stream.
   * @throws TypeError if it isn't an integer, RangeError if it is after the counter's end, Error after `destroy`.
   */
  seek(position: number | bigint): this {
    refuseSurplus(arguments, 1);
    checkAlive('a stream', this.#end);
    // Positions have 64 bits for the block and 6 for the byte, and there is one value more for the end.
    integerOf(position, 'position', 71);
    const bits = toBigInt(this.#cipher.counterBits);
    const first = (toBigInt(this.#first.high) << 32n) | toBigInt(this.#first.low);
    const target = (first << 6n) + toBigInt(position);
    const end = 1n << (bits + 6n);
    if (target > end)
      throw new RangeError(`"position" expected at most ${end - (first << 6n)}, the counter's end, got ${position}`);
    const block = target >> 6n;
    this.#skip = toNumber(target & 63n);
    this.#next = target === end ? plus(this.#cipher, counterOf(block - 1n), 1) : counterOf(block);
    return this;
  }

  /** Wipes key and nonce. The stream can't be used any more. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    fillBytes(this.#input, 0);
    this.#end = 'destroy()';
  }
}

/**
 * A raw stream cipher: {@link chacha20} and its like. No authentication: an attacker who changes the ciphertext changes
 * the plaintext.
 */
export interface StreamCipher {
  /**
   * XORs the keystream onto `data`; encryption and decryption are the same.
   *
   * @param key - 32 bytes (some of the original ciphers: or 16).
   * @param nonce - `nonceLength` bytes, never used twice with one key.
   * @param data - Any number of bytes.
   * @param out - Where the result goes, of the same length as `data`; may be or overlap `data`.
   * @param counter - The number of the first block; above 2^53 - 1 a bigint.
   * @returns `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument is not of that form, or the blocks would pass the counter's end; then
   * nothing is written.
   */
  (key: Uint8Array, nonce: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer>;
  <Out extends Uint8Array | undefined>(
    key: Uint8Array,
    nonce: Uint8Array,
    data: Uint8Array,
    out: Out,
    counter?: number | bigint,
  ): Result<Out>;
  /**
   * The same keystream a piece at a time.
   *
   * @param key - As for the call; copied.
   * @param nonce - As for the call; copied.
   * @param counter - The number of the first block, 0 unless given; above 2^53 - 1 a bigint.
   * @returns An object that goes on where it stopped, and seeks.
   * @throws TypeError or RangeError if an argument is not of that form.
   */
  stream(key: Uint8Array, nonce: Uint8Array, counter?: number | bigint): CipherStream;
  /** 64 bytes. */
  readonly blockSize: number;
  /** In bytes. */
  readonly nonceLength: number;
}

export function streamCipher(cipher: Cipher): StreamCipher {
  const { binding, nonceLength } = cipher;
  const call = function (
    key: Uint8Array,
    nonce: Uint8Array,
    data: Uint8Array,
    out?: Uint8Array,
    counter: number | bigint = 0,
  ): Uint8Array {
    refuseSurplus(arguments, 5);
    const keyLength = keyLengthOf(cipher, key);
    lengthOf(nonce, 'nonce', nonceLength);
    const length = lengthOf(data, 'data');
    const first = integerOf(counter, 'counter', cipher.counterBits);
    checkBlocks(cipher, first, floor((length + BLOCK_BYTES - 1) / BLOCK_BYTES));
    const result = outputOf(out, length);
    if (length === 0) return result;
    lendFor(binding, length, (kernel) => {
      const { memory } = kernel;
      writeInput(cipher, memory, INPUT, key, keyLength, nonce);
      writeCounter(cipher, first, memory, INPUT);
      xorInto(kernel, cipher, inputKindOf(nonceLength, keyLength), 0, data, result, length);
    });
    return result;
  };
  const stream = function (key: Uint8Array, nonce: Uint8Array, counter: number | bigint = 0): CipherStream {
    refuseSurplus(arguments, 3);
    return new CipherStream(cipher, key, nonce, counter);
  };
  return Object.freeze(Object.assign(call, { stream, blockSize: BLOCK_BYTES, nonceLength })) as StreamCipher;
}
