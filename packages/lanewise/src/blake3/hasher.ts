/** BLAKE3 in pieces: an object that absorbs a message, and then gives the output of its root. */
import { GATHERED, Message, PENDING } from './message.ts';
import { initialValue, KEY_BYTES, wipeMode, type Mode } from './mode.ts';
import { nodeOver, OUTPUT_END, type OutputNode } from './output.ts';
import { decode, encode } from './saved.ts';
import { integerOf, lengthOf, refuseSurplus, sizeOf } from '../calls/checks.ts';
import { byteLengthOf, Bytes, copyOf, toBigInt, toNumber } from '../engine/intrinsics.ts';
import { BLOCK_BYTES, ROOT } from './rounds.ts';

/** The state of an object while a call runs on it; it stays if the call never ends, as when the stack overflows. */
const HALF_WAY = 'a call that threw half-way; make another or reset() it';

/** A message in pieces. Made by `blake3.create` and `blake3.load`. */
export class Blake3 {
  /** 64 bytes. */
  readonly blockLen: number = BLOCK_BYTES;
  /** The length of a digest in bytes. */
  readonly outputLen: number;
  readonly #mode: Mode;
  #message: Message;
  #root: OutputNode | undefined;
  #position = 0n;
  #ended: 'digest()' | 'destroy()' | 'xof()' | typeof HALF_WAY | undefined;

  /** @internal */
  constructor(mode: Mode) {
    // The object copies the key, so that it can wipe its own copy.
    this.#mode = mode.key === initialValue ? mode : { ...mode, key: copyOf(mode.key, KEY_BYTES) };
    this.#message = new Message(this.#mode);
    this.outputLen = mode.length;
  }

  /** How many bytes were absorbed: a bigint above 2^53 - 1. */
  get count(): number | bigint {
    const exact = this.#message.length;
    return exact < 2 ** 53 ? toNumber(exact) : exact;
  }

  /**
   * Absorbs more of the message.
   *
   * @param message - Any number of bytes; not kept.
   * @returns The object.
   * @throws TypeError if it isn't a Uint8Array, Error after `digest`, `xof` or `destroy`. If it throws anything else, as when
   * the stack overflows, a part may have been absorbed: from then on the object refuses all but `reset` and `destroy`.
   */
  update(message: Uint8Array): this {
    refuseSurplus(arguments, 1);
    this.#checkOpen();
    const length = lengthOf(message, 'message');
    this.#ended = HALF_WAY;
    this.#message.update(message, length);
    this.#ended = undefined;
    return this;
  }

  /**
   * The digest; ends the object and wipes it.
   *
   * @returns `dkLen` fresh bytes.
   * @throws Error after `digest`, `xof` or `destroy`.
   */
  digest(): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 0);
    const out = new Bytes(this.#mode.length);
    this.digestInto(out);
    return out;
  }

  /**
   * Like `digest`, into the caller's bytes.
   *
   * @param out - As long as the digest.
   * @throws TypeError or RangeError if it isn't that, Error after `digest`, `xof` or `destroy`; then nothing is written.
   */
  digestInto(out: Uint8Array): void {
    refuseSurplus(arguments, 1);
    this.#checkOpen();
    lengthOf(out, 'out', this.#mode.length);
    this.#message.root().take(out, this.#mode.length);
    this.#end('digest()');
  }

  /**
   * The digest so far; more may follow.
   *
   * @param length - In bytes, as `dkLen` unless given.
   * @returns Fresh bytes.
   * @throws TypeError or RangeError if that isn't an integer from 0 up, Error after `digest`, `xof` or `destroy`.
   */
  peek(length: number = this.#mode.length): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 1);
    this.#checkOpen();
    const out = new Bytes(sizeOf(length, 'length'));
    this.#message.root().take(out, byteLengthOf(out));
    return out;
  }

  /**
   * The next bytes of the output, §2.6: at the first call the message ends.
   *
   * @param length - In bytes.
   * @returns Fresh bytes.
   * @throws TypeError or RangeError if that isn't an integer from 0 up or passes 2^64 bytes, Error after `digest` or
   * `destroy`.
   */
  xof(length: number): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 1);
    return this.xofInto(new Bytes(sizeOf(length, 'length')));
  }

  /**
   * Like `xof`, into the caller's bytes.
   *
   * @param out - Any number of bytes.
   * @returns `out`
   * @throws TypeError if it isn't a Uint8Array, RangeError if it passes 2^64 bytes, Error after `digest` or `destroy`; then
   * nothing is written.
   */
  xofInto<Out extends Uint8Array>(out: Out): Out {
    refuseSurplus(arguments, 1);
    if (this.#ended !== 'xof()') this.#checkOpen();
    const length = lengthOf(out, 'out');
    const end = this.#position + toBigInt(length);
    if (end > OUTPUT_END)
      throw new RangeError(`"out" expected at most ${OUTPUT_END - this.#position} bytes, got length=${length}`);
    if (!this.#root) {
      this.#root = this.#message.root();
      this.#ended = 'xof()';
    }
    this.#root.read(this.#position, ROOT, out, length);
    this.#position = end;
    return out;
  }

  /**
   * Moves to a byte of the output, so that `xof` goes on there.
   *
   * @param position - From 0 up; above 2^53 - 1 a bigint.
   * @returns The object.
   * @throws TypeError or RangeError if it isn't an integer from 0 to 2^64 - 1, Error after `digest` or `destroy`.
   */
  seek(position: number | bigint): this {
    refuseSurplus(arguments, 1);
    if (this.#ended !== 'xof()') this.#checkOpen();
    integerOf(position, 'position', 64);
    this.#position = toBigInt(position);
    return this;
  }

  /**
   * A second, independent object in the same state, position in the output included.
   *
   * @throws Error after `digest`, `xof` or `destroy`.
   */
  clone(): Blake3 {
    refuseSurplus(arguments, 0);
    this.#checkOpen();
    const twin = new Blake3(this.#mode);
    twin.#message = this.#message.copy(twin.#mode);
    twin.#position = this.#position;
    return twin;
  }

  /**
   * Forgets the message; mode and key stay.
   *
   * @returns The object.
   * @throws Error after `digest` or `destroy`, which have wiped the key.
   */
  reset(): this {
    refuseSurplus(arguments, 0);
    if (this.#ended !== 'xof()' && this.#ended !== HALF_WAY) this.#checkOpen();
    this.#ended = HALF_WAY;
    this.#wipe();
    this.#ended = undefined;
    return this;
  }

  /** Wipes the object; it can't be used any more. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    this.#end('destroy()');
  }

  /**
   * The state, position in the output included, from which `blake3.load` continues elsewhere or later. It holds the key
   * and up to 16 KiB of the message.
   *
   * @returns Fresh bytes.
   * @throws Error after `digest`, `xof` or `destroy`.
   */
  save(): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 0);
    this.#checkOpen();
    return encode(this.#mode, this.#message.state, this.#position);
  }

  /** @internal */
  static load(saved: Uint8Array): Blake3 {
    const { mode, state, position } = decode(saved, GATHERED, PENDING);
    const hasher = new Blake3(mode.flags ? mode : { ...mode, key: initialValue });
    // The object has a copy of the key; the other decoded arrays are now its own.
    wipeMode(mode);
    hasher.#message = Message.load(hasher.#mode, state);
    hasher.#position = position;
    return hasher;
  }

  /**
   * The output of the root over two chaining values.
   * @internal
   */
  static over(mode: Mode, left: Uint8Array, right: Uint8Array): Blake3 {
    const hasher = new Blake3(mode);
    hasher.#root = nodeOver(mode, left, right);
    hasher.#ended = 'xof()';
    return hasher;
  }

  #wipe(): void {
    this.#message.wipe();
    this.#root?.wipe();
    this.#root = undefined;
    this.#position = 0n;
  }

  /** Marks the object as ended before wiping it: if wiping is interrupted, a half-wiped state cannot be used. */
  #end(by: 'digest()' | 'destroy()'): void {
    this.#ended = by;
    this.#wipe();
    wipeMode(this.#mode);
  }

  #checkOpen(): void {
    if (this.#ended) throw new Error(`cannot use Blake3 after ${this.#ended}`);
  }
}
