/** C2SP chunked-encryption with ChaCha20-Poly1305. */
import type { Begun, Method } from './conversion.ts';
import { ChaChaChunks, KEY_BYTES, NONCE_BYTES } from './chacha-chunks.ts';
import { openerOf, sealerOf } from './chunk-transform.ts';
import { sizesOf, TAG_BYTES, type Chunking, type StreamSizes } from './chunking.ts';
import { COMMITMENT_BYTES, deriveKeys, joined, SALT_BYTES, type StreamKeys } from './derive.ts';
import { KeyLife } from './life.ts';
import type { Opener } from './opener.ts';
import type { RandomAccessSource } from '../io/random-access.ts';
import type { Reader } from './reader.ts';
import { readerOf, type ReaderOptions } from './readers.ts';
import type { Sealer } from './sealer.ts';
import { KeyedStreams, type ParallelStreamOptions, type Streams } from './streams.ts';
import { equalBytes } from '../calls/bytes.ts';
import { namedKeys, type NamedKey } from '../io/named-keys.ts';
import { lengthOf, refuseSurplus } from '../calls/checks.ts';
import { optionOf, optionsOf } from '../calls/options.ts';
import { randomBytes } from '../calls/random.ts';
import { assign, byteLengthOf, Bytes, copyOf, fillBytes, freeze, getWeak, part } from '../engine/intrinsics.ts';

const HEADER_BYTES = 56;
export const CHUNKING: Chunking = {
  chunkLength: 16384,
  fullLast: false,
  emptyLast: true,
  tagLength: TAG_BYTES,
  unit: 'chunk',
  headerLength: HEADER_BYTES,
  mostChunks: 2 ** 38,
};

const KEYED = { __proto__: null, context: 1 } as const;
const context = 'chunked(key, { context }) takes it';
const OPENER = { __proto__: null, header: 1, context } as const;
const header = 'the stream starts with it';
const STREAM = { __proto__: null, signal: 1, onProgress: 1, size: 1, pool: 1, context, header } as const;

/** The data to which streams are bound. */
export interface ChunkedOptions {
  /**
   * Bytes that both sides know, the name of the file for instance: a stream opens under this context only. Copied. Not secret, not
   * stored; none unless given.
   */
  readonly context?: Uint8Array;
}

/** How a stream is opened. */
export interface ChunkedOpenerOptions {
  /** The first 56 bytes of the stream; `push` is given the bytes after them. */
  readonly header: Uint8Array;
}

/** C2SP chunked-encryption under one key and context. Made by {@link chunked}. */
export interface Chunked extends Streams<ParallelStreamOptions> {
  /**
   * Makes an object that encrypts one stream under a key of its own.
   *
   * @returns A promise of the object. Its `header` goes in front of all bytes from `push` and `end`.
   * @throws Error after `destroy`, or if the host has no random numbers: at once. The promise is rejected with an Error if the host has no
   * `crypto.subtle`.
   */
  sealer(): Promise<Sealer>;
  /**
   * Makes an object that decrypts one stream.
   *
   * @param options - `header`, the first 56 bytes of the stream.
   * @returns A promise of the object; it is rejected with an Error if key, context or header is wrong.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `destroy`: at once. The promise is rejected with an Error if the host has no `crypto.subtle`.
   */
  opener(options: ChunkedOpenerOptions): Promise<Opener>;
  /**
   * Makes an object that decrypts any range of a stream. The size, the header and the last chunk are checked first.
   *
   * @param source - The encrypted stream with its header: a Blob or File, a `FileHandle` of Node, a `FileSystemFileHandle` or
   * `FileSystemSyncAccessHandle`, a Uint8Array, the source of {@link fetchRange}, or an object with `size` and `read`. It stays the
   * caller's, who leaves it as it is while it is read, and closes it.
   * @param options - `offset`, where the stream begins in the source; `signal`, `pool`.
   * @returns A promise of the object. It is rejected with an Error `truncated after N bytes, …` before anything is read if no stream
   * has that size; with an Error if key, context or header is wrong, or the last chunk is not authentic or not the last; with the
   * reason of the signal; or with whatever the source throws.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `destroy`: at once.
   */
  reader(source: RandomAccessSource, options?: ReaderOptions): Promise<Reader>;
}

/** {@link chunked} */
export interface ChunkedFunction extends StreamSizes {
  /**
   * Takes a key and a context, for any number of streams in both directions.
   *
   * @param key - 32 random bytes. Copied at once, so the caller may wipe it; the copy is wiped by `destroy`, and each stream has one of
   * its own until it ends.
   * @param options - `context`.
   * @returns The object that encrypts and decrypts.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value.
   */
  (key: Uint8Array, options?: ChunkedOptions): Chunked;
  /** 32 bytes. */
  readonly keyLength: number;
  /** 56 bytes: a salt of 24 and a commitment to the key of 32. */
  readonly headerLength: number;
  /** 16,384 bytes of plaintext in each chunk but the last, which has fewer. */
  readonly chunkLength: number;
  /** 16 bytes, after each chunk. */
  readonly tagLength: number;
}

/** The context that options have. */
function contextOf(context: unknown): Uint8Array {
  if (context === undefined) return new Bytes(0);
  return copyOf(context as Uint8Array, lengthOf(context, 'context'));
}

const AEAD = 'AEAD_CHACHA20_POLY1305';
/** @param key - And after it the bytes that name it, if there are such. */
const keysOf = (key: Uint8Array<ArrayBuffer>, salt: Uint8Array, context: Uint8Array): Promise<StreamKeys> =>
  deriveKeys(AEAD, [KEY_BYTES, NONCE_BYTES], part(key, 0, KEY_BYTES) as typeof key, salt, context);

const cipherOf = ({ key, baseNonce }: StreamKeys): ChaChaChunks => new ChaChaChunks(key, baseNonce, false);

/** The bytes that name the key, if there are such, go in front of the stream. */
async function begin(key: Uint8Array<ArrayBuffer>, context: Uint8Array): Promise<Begun> {
  const salt = randomBytes(SALT_BYTES);
  const keys = await keysOf(key, salt, context);
  return {
    header: joined(part(key, KEY_BYTES, byteLengthOf(key) - KEY_BYTES), salt, keys.commitment),
    cipher: cipherOf(keys),
  };
}

class ChunkedStreams extends KeyedStreams implements Chunked {
  readonly #life: KeyLife;
  readonly #context: Uint8Array;
  readonly #chunking: Chunking;
  readonly #named: NamedKey | undefined;

  /** @param key - The caller's. */
  constructor(key: Uint8Array, context: Uint8Array) {
    const named = getWeak(namedKeys, key);
    const length = named ? byteLengthOf(key) : KEY_BYTES;
    const life = new KeyLife('chunked', key, Infinity, length);
    const chunking = { ...CHUNKING, headerLength: HEADER_BYTES + length - KEY_BYTES };
    const method: Method = { chunking, seal: (its) => begin(its, context), open: (its, it) => this.#unlock(its, it) };
    super({ life, grammar: STREAM, method: () => method });
    this.#life = life;
    this.#context = context;
    this.#chunking = chunking;
    this.#named = named;
  }

  sealer(): Promise<Sealer> {
    refuseSurplus(arguments, 0);
    const key = this.#life.copy(true);
    return begin(key, this.#context).then(({ cipher, header }) => sealerOf(this.#chunking, cipher, header));
  }

  opener(options: ChunkedOpenerOptions): Promise<Opener> {
    refuseSurplus(arguments, 1);
    const its = optionOf(optionsOf(options, OPENER), 'header') as Uint8Array;
    const header = copyOf(its, lengthOf(its, 'header', this.#chunking.headerLength));
    return this.#unlock(this.#life.copy(false), header).then((cipher) => openerOf(this.#chunking, cipher));
  }

  reader(source: RandomAccessSource, options?: ReaderOptions): Promise<Reader> {
    refuseSurplus(arguments, 2);
    return readerOf(this.#chunking, source, options, () => {
      const key = this.#life.copy(false);
      return { withHeader: (header) => this.#unlock(key, header), wipe: () => fillBytes(key, 0) };
    });
  }

  /** The cipher of a stream with this header, if it commits to the key. */
  async #unlock(key: Uint8Array<ArrayBuffer>, header: Uint8Array): Promise<ChaChaChunks> {
    this.#named?.(header, key);
    const salt = byteLengthOf(header) - HEADER_BYTES;
    const keys = await keysOf(key, part(header, salt, SALT_BYTES), this.#context);
    if (equalBytes(part(header, salt + SALT_BYTES, COMMITMENT_BYTES), keys.commitment)) return cipherOf(keys);
    fillBytes(keys.key, 0);
    fillBytes(keys.baseNonce, 0);
    throw new Error('wrong key or context, or a header that was changed');
  }
}

/**
 * C2SP chunked-encryption with ChaCha20-Poly1305: the format to take for files and bodies of any size under a key of 32 random
 * bytes. Each stream has a random salt, from which HKDF-Expand with SHA-512 derives a key of its own, so one key encrypts any
 * number of streams; the header commits to the key, so a wrong one is noticed before any chunk. Chunks have 16 KiB, and the last one
 * is always shorter: a stream that is cut off, extended or put in another order is refused.
 *
 * The specification leaves the AEAD open and names two instances, both with AES-GCM. This one has AEAD_CHACHA20_POLY1305 of IANA's
 * registry in the same framework, for which there is no official name. The specification's analysis is about block ciphers of 128 bits;
 * with ChaCha20, a pseudorandom function of 256-bit keys, its bounds hold without the term for colliding blocks.
 *
 * Keys are derived by the host's `crypto.subtle`, so the objects are made with a promise; their methods are
 * synchronous.
 *
 * @throws TypeError, RangeError: see {@link ChunkedFunction} and {@link Chunked}; `push` and `end` throw Error if a stream is not authentic or not complete.
 * @example
 * ```ts
 * import { chunked } from 'lanewise/stream.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const context = new TextEncoder().encode('backup.tar');
 * const backup = chunked(randomBytes(32), { context });
 * const sealer = await backup.sealer();
 * const sealed = [sealer.header, sealer.push(new Uint8Array(100_000)), sealer.end()];
 *
 * const [header, ...rest] = sealed;
 * const opener = await backup.opener({ header });
 * for (const bytes of rest) console.log(opener.push(bytes).length);
 * console.log(opener.end().length); // only `end` shows that the stream is complete
 *
 * const file = await backup.reader(new Blob(sealed)); // any range, of a file or a URL, too
 * console.log((await file.read(50_000, 50_100)).length);
 * file.destroy();
 *
 * const plaintext = await backup.decryptWhole(new Blob(sealed)); // all of it, or an error
 * console.log(plaintext.length);
 * backup.destroy(); // wipes the copy of the key
 * ```
 */
export const chunked: ChunkedFunction = /* @__PURE__ */ (() =>
  freeze(
    assign(
      function (key: Uint8Array, options?: ChunkedOptions): Chunked {
        refuseSurplus(arguments, 2);
        const context = contextOf(optionOf(optionsOf(options, KEYED), 'context'));
        return new ChunkedStreams(key, context);
      },
      {
        keyLength: KEY_BYTES,
        headerLength: HEADER_BYTES,
        chunkLength: CHUNKING.chunkLength,
        tagLength: TAG_BYTES,
        ...sizesOf(CHUNKING),
      },
    ),
  ))();
