/**
 * BLAKE3 in noble's shape. A message that is all there goes to our function. A message in pieces stays in the original's own object,
 * in which our kernel computes the subtrees of long pieces: so clones, subclasses, HMAC, HKDF and PBKDF2 find the state that they expect.
 */
import { blake3, subtree } from 'lanewise/blake3.js';
import { isMessage, partOf, sizeOf } from '../../drop-ins/src/message.ts';

/** The internals of an original's object, in all versions that we replace. */
interface Inside {
  /** How many bytes of the last block are in `buffer`; a full block stays there until more bytes follow. */
  pos: number;
  readonly blockLen: number;
  readonly buffer32: Uint32Array;
  length: number;
  /** How many blocks of the current chunk are compressed. */
  readonly chunkPos: number;
  chunksDone: number;
  readonly flags: number;
  readonly IV: Uint32Array;
  state: Uint32Array;
  readonly stack: Uint32Array[];
  readonly finished: boolean;
  destroyed: boolean;
  update(data: Uint8Array): this;
  /** Writes the next bytes of the output, for all calls that give some. */
  writeInto(out: Uint8Array): Uint8Array;
  compress(words: Uint32Array, from: number, isLast: boolean): void;
  /** The chaining value of a node replaces `state`. */
  b2Compress(counter: number, flags: number, words: Uint32Array, from: number): void;
}

const CHUNK_BYTES = 1024;
const WORDS = 8;
const PARENT = 4;
const KEYED_HASH = 16;
/** Where a call of our kernel for a part of a message begins to be worth it. */
const LONG_BYTES = 2 * CHUNK_BYTES;
/** The original reads words in the order of the machine, and we read bytes. */
const isLittleEndian = /* @__PURE__ */ (() => new Uint8Array(new Uint16Array([1]).buffer)[0] === 1)();

const bytesOf = (words: Uint32Array): Uint8Array => new Uint8Array(words.buffer, words.byteOffset, words.byteLength);

/** Absorbs a subtree of `chunks` chunks, a power of two that divides the number of chunks before it. No block is pending. */
function absorb(inside: Inside, bytes: Uint8Array, chunks: number): void {
  const offset = inside.chunksDone * CHUNK_BYTES;
  const { chainingValue } = subtree(bytes, inside.flags ? { key: bytesOf(inside.IV), offset } : { offset });
  let value = new Uint32Array(WORDS);
  bytesOf(value).set(chainingValue);
  // Nodes of equal size are merged, as the original does it after each chunk.
  for (let parts = inside.chunksDone / chunks + 1; parts % 2 === 0; parts /= 2) {
    inside.buffer32.set(inside.stack.pop()!, 0);
    inside.buffer32.set(value, WORDS);
    inside.pos = inside.blockLen;
    inside.b2Compress(0, inside.flags | PARENT, inside.buffer32, 0);
    value = inside.state as Uint32Array<ArrayBuffer>;
    inside.state = inside.IV.slice();
  }
  inside.pos = 0;
  inside.chunksDone += chunks;
  inside.length += chunks * CHUNK_BYTES;
  inside.stack.push(value);
}

/** Absorbs whole chunks of a long piece, and returns the rest, which the original absorbs: at least one byte. */
function absorbMost(inside: Inside, update: (data: Uint8Array) => void, data: Uint8Array): Uint8Array {
  const length = sizeOf(data);
  const started = inside.chunkPos * inside.blockLen + inside.pos;
  const first = started === 0 ? 0 : CHUNK_BYTES - started;
  if (first) update(partOf(data, 0, first));
  if (inside.pos === inside.blockLen) inside.compress(inside.buffer32, 0, false);
  let done = first;
  for (let rest = length - done; rest > CHUNK_BYTES; rest = length - done) {
    let chunks = 2 ** Math.floor(Math.log2((rest - 1) / CHUNK_BYTES));
    while (inside.chunksDone % chunks) chunks /= 2;
    absorb(inside, partOf(data, done, done + chunks * CHUNK_BYTES), chunks);
    done += chunks * CHUNK_BYTES;
  }
  return partOf(data, done, length);
}

/** The class of one version, with our kernel for long pieces. A key that was derived from a context stays the original's matter. */
export function withSubtrees<Class>(Original: Class): Class {
  const Base = Original as new (...values: unknown[]) => Inside;
  class BLAKE3 extends Base {
    override update(data: Uint8Array): this {
      const isOurs =
        isLittleEndian &&
        isMessage(data) &&
        sizeOf(data) > LONG_BYTES &&
        (this.flags === 0 || this.flags === KEYED_HASH) &&
        !this.finished &&
        !this.destroyed;
      if (!isOurs) return super.update(data);
      try {
        return super.update(absorbMost(this, (bytes) => super.update(bytes), data));
      } catch (error) {
        // It may have absorbed a part of the data: no later call may go on with that.
        this.destroyed = true;
        throw error;
      }
    }

    override writeInto(out: Uint8Array): Uint8Array {
      // The original refuses other arguments before it changes anything. Asked here, because no call is certain to work after an overflow.
      const isOutput = out instanceof Uint8Array;
      try {
        return super.writeInto(out);
      } catch (error) {
        // The position in the output may be wrong, and the last block half made.
        if (isOutput) this.destroyed = true;
        throw error;
      }
    }
  }
  return BLAKE3 as Class;
}

/** Options of a whole message. */
interface Options {
  readonly key?: Uint8Array;
  readonly context?: Uint8Array;
  readonly dkLen?: number;
}

const NAMES = ['key', 'context', 'dkLen'];

/** Options that our function answers, or undefined for others. */
function plainOptions(options: unknown): Options | undefined {
  if (options === null || typeof options !== 'object') return undefined;
  const prototype: unknown = Object.getPrototypeOf(options);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  if (Object.hasOwn(options, '__proto__')) return undefined;
  // Versions differ in whether they take options from a prototype.
  if (NAMES.some((name) => name in Object.prototype)) return undefined;
  const { key, context, dkLen } = options as Options;
  const length = dkLen === undefined ? {} : { dkLen };
  if (dkLen !== undefined && !(Number.isSafeInteger(dkLen) && dkLen >= 0)) return undefined;
  if (key !== undefined)
    return context === undefined && isMessage(key) && sizeOf(key) === 32 ? { key, ...length } : undefined;
  if (context !== undefined) return isMessage(context) ? { context, ...length } : undefined;
  return length;
}

/** The function of a version; `theirs` answers the calls that our function doesn't. */
export function functionOf(
  theirs: (message: Uint8Array, options?: object) => Uint8Array,
): (message: Uint8Array, options?: object) => Uint8Array {
  return (message, options) => {
    if (!isMessage(message)) return theirs(message, options);
    if (options === undefined) return blake3(message);
    const plain = plainOptions(options);
    return plain ? blake3(message, plain) : theirs(message, options);
  };
}
