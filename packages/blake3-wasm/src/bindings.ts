/**
 * The functions and classes of the module that wasm-bindgen wrote for the original: all that its other files know of WebAssembly. Here they
 * are our kernels. Names are those of that module.
 */
import { blake3 } from 'lanewise/blake3.js';
import { isBytes } from 'lanewise/utils.js';
import { isMessage, sizeOf } from '../../drop-ins/src/message.ts';

type Hasher = ReturnType<typeof blake3.create>;

const KEY_BYTES = 32;
const DIGEST_BYTES = 32;

/**
 * The bytes that the original copies to its memory: those of an array of any kind, or of an object that looks like one. An array that says
 * it has another length is read as it is; the original reads what lies in its memory after the bytes, or fewer.
 */
function bytesOf(values: ArrayLike<number>): Uint8Array {
  if (isMessage(values)) return values;
  const copy = new Uint8Array(isBytes(values) ? sizeOf(values) : values.length);
  // A view of a detached buffer throws here, as it does there.
  copy.set(values);
  return copy;
}

/** The original's error for an object that was freed, or that no function made. */
function alive<Inside>(inside: Inside | undefined): Inside {
  if (inside === undefined) throw new Error('null pointer passed to rust');
  return inside;
}

/** A reader of the output of a root: §2.6 of the paper. */
export class HashReader {
  #hasher: Hasher | undefined;
  #position = 0n;

  /** @internal */
  static __wrap(hasher: Hasher): HashReader {
    const reader = new HashReader();
    reader.#hasher = hasher;
    return reader;
  }

  free(): void {
    alive(this.#hasher).destroy();
    this.#hasher = undefined;
  }

  fill(bytes: Uint8Array): void {
    const hasher = alive(this.#hasher);
    const { length } = bytes;
    bytes.set(hasher.seek(this.#position).xof(length));
    // Last of all: after an error the next call gives the same bytes.
    this.#position = BigInt.asUintN(64, this.#position + BigInt(length));
  }

  set_position(position: bigint): void {
    const its = BigInt.asUintN(64, position);
    alive(this.#hasher);
    this.#position = its;
  }
}

/** A message in pieces. */
export class Blake3Hash {
  #hasher: Hasher | undefined;

  /** @internal */
  static __wrap(hasher: Hasher): Blake3Hash {
    const hash = new Blake3Hash();
    hash.#hasher = hasher;
    return hash;
  }

  free(): void {
    alive(this.#hasher).destroy();
    this.#hasher = undefined;
  }

  reader(): HashReader {
    return HashReader.__wrap(alive(this.#hasher).clone());
  }

  update(input_bytes: Uint8Array): void {
    alive(this.#hasher).update(bytesOf(input_bytes));
  }

  digest(out: Uint8Array): void {
    out.set(alive(this.#hasher).peek(out.length));
  }
}

export function hash(data: Uint8Array, out: Uint8Array): void {
  const message = bytesOf(data);
  const { length } = out;
  out.set(length === DIGEST_BYTES ? blake3(message) : blake3(message, { dkLen: length }));
}

export function create_hasher(): Blake3Hash {
  return Blake3Hash.__wrap(blake3.create());
}

/**
 * Under the original, a key of another length ends in a trap. The error is of that class and has V8's words for it, its cause says more.
 * Where there is no WebAssembly, there is no such class.
 */
function trap(length: number): Error {
  const cause = new RangeError(`"key" expected ${KEY_BYTES} bytes, got length=${length}`);
  const Trap = typeof WebAssembly === 'object' ? WebAssembly.RuntimeError : Error;
  return new (Trap as ErrorConstructor)('unreachable', { cause });
}

export function create_keyed(key_slice: Uint8Array): Blake3Hash {
  const key = bytesOf(key_slice);
  if (sizeOf(key) !== KEY_BYTES) throw trap(sizeOf(key));
  return Blake3Hash.__wrap(blake3.create({ key }));
}

/** A key derivation; each platform has its own way from a context to bytes. */
export const derivation = (context: Uint8Array): Blake3Hash => Blake3Hash.__wrap(blake3.create({ context }));
