/** C2SP chunked-encryption with ChaCha20-Poly1305. */
import type { Begun } from './conversion.ts';
import { ChaChaChunks, KEY_BYTES, NONCE_BYTES } from './chacha-chunks.ts';
import { sizesOf, TAG_BYTES, type Chunking, type StreamSizes } from './chunking.ts';
import { COMMITMENT_BYTES, deriveKeys, joined, SALT_BYTES, type StreamKeys } from './derive.ts';
import { Opener } from './opener.ts';
import type { RandomAccessSource } from '../io/random-access.ts';
import type { Reader } from './reader.ts';
import { readersOf, type ReaderOptions, type Unlocking } from './readers.ts';
import { Sealer } from './sealer.ts';
import { streamsOf, type PoolOption, type StreamOptions, type Streams } from './streams.ts';
import { equalBytes } from '../calls/bytes.ts';
import { lengthOf, refuseExtra } from '../calls/checks.ts';
import { optionOf, optionsOf } from '../calls/options.ts';
import { randomBytes } from '../calls/random.ts';
import { Bytes, copyOf, fillBytes, freeze, part } from '../engine/intrinsics.ts';

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

const SEALER = { __proto__: null, context: 1, header: 'the sealer makes it' } as const;
const OPENER = { __proto__: null, header: 1, context: 1 } as const;
const READER = {
  __proto__: null,
  context: 1,
  offset: 1,
  signal: 1,
  pool: 1,
  header: 'the reader takes it from the source',
} as const;
const STREAM = {
  __proto__: null,
  context: 1,
  signal: 1,
  onProgress: 1,
  size: 1,
  pool: 1,
  header: 'the stream starts with it',
} as const;

/** The data to which a stream is bound. */
export interface ChunkedOptions {
  /**
   * Bytes that both sides know, the name of the file for instance: the stream opens under this context only. Not secret, not
   * stored; none unless given.
   */
  readonly context?: Uint8Array;
}

/** How a stream is opened. */
export interface ChunkedOpenerOptions extends ChunkedOptions {
  /** The first 56 bytes of the stream; `push` is given the bytes after them. */
  readonly header: Uint8Array;
}

/** How a stream is read at any place. */
export interface ChunkedReaderOptions extends ChunkedOptions, ReaderOptions {}

/** The options of streams of {@link chunked}. */
export interface ChunkedStreamOptions extends ChunkedOptions, StreamOptions, PoolOption {}

/** {@link chunked} */
export interface Chunked extends StreamSizes, Streams<ChunkedStreamOptions> {
  /** 32 bytes. */
  readonly keyLength: number;
  /** 56 bytes: a salt of 24 and a commitment to the key of 32. */
  readonly headerLength: number;
  /** 16,384 bytes of plaintext in each chunk but the last, which has fewer. */
  readonly chunkLength: number;
  /** 16 bytes, after each chunk. */
  readonly tagLength: number;
  /**
   * Makes an object that encrypts one stream under a key of its own.
   *
   * @param key - 32 random bytes, for any number of streams; copied.
   * @param options - `context`.
   * @returns A promise of the object. Its `header` goes in front of all bytes from `push` and `end`.
   * @throws TypeError or RangeError if an argument is not of that form, Error if the host has no random numbers: at once. The
   * promise is rejected with an Error if the host has no `crypto.subtle`.
   */
  sealer(key: Uint8Array, options?: ChunkedOptions): Promise<Sealer>;
  /**
   * Makes an object that decrypts one stream.
   *
   * @param key - 32 bytes; copied.
   * @param options - `header`, the first 56 bytes of the stream, and `context`.
   * @returns A promise of the object; it is rejected with an Error if key, context or header is wrong.
   * @throws TypeError or RangeError if an argument is not of that form: at once. The promise is rejected with an Error if the
   * host has no `crypto.subtle`.
   */
  opener(key: Uint8Array, options: ChunkedOpenerOptions): Promise<Opener>;
  /**
   * Makes an object that decrypts any range of a stream. The size, the header and the last chunk are checked first.
   *
   * @param source - The encrypted stream with its header: a Blob or File, a `FileHandle` of Node, a `FileSystemFileHandle` or
   * `FileSystemSyncAccessHandle`, a Uint8Array, the source of {@link fetchRange}, or an object with `size` and `read`. It stays the
   * caller's, who leaves it as it is while it is read, and closes it.
   * @param key - 32 bytes; copied.
   * @param options - `context`; `offset`, where the stream begins in the source; `signal`, `pool`.
   * @returns A promise of the object. It is rejected with an Error `truncated after N bytes, …` before anything is read if no stream
   * has that size; with an Error if key, context or header is wrong, or the last chunk is not authentic or not the last; with the
   * reason of the signal; or with whatever the source throws.
   * @throws TypeError or RangeError if an argument is not of that form: at once.
   */
  reader(source: RandomAccessSource, key: Uint8Array, options?: ChunkedReaderOptions): Promise<Reader>;
}

/** The context that options have. */
function contextOf(context: unknown): Uint8Array {
  if (context === undefined) return new Bytes(0);
  return copyOf(context as Uint8Array, lengthOf(context, 'context'));
}

const keysOf = (key: Uint8Array<ArrayBuffer>, salt: Uint8Array, context: Uint8Array): Promise<StreamKeys> =>
  deriveKeys('AEAD_CHACHA20_POLY1305', [KEY_BYTES, NONCE_BYTES], key, salt, context);

const cipherOf = ({ key, baseNonce }: StreamKeys): ChaChaChunks => new ChaChaChunks(key, baseNonce, false);

async function begin(key: Uint8Array<ArrayBuffer>, salt: Uint8Array, context: Uint8Array): Promise<Begun> {
  const keys = await keysOf(key, salt, context);
  return { header: joined(salt, keys.commitment), cipher: cipherOf(keys) };
}

/** The cipher of a stream with this header, if it commits to the key. */
async function unlock(key: Uint8Array<ArrayBuffer>, header: Uint8Array, context: Uint8Array): Promise<ChaChaChunks> {
  const keys = await keysOf(key, part(header, 0, SALT_BYTES), context);
  if (equalBytes(part(header, SALT_BYTES, COMMITMENT_BYTES), keys.commitment)) return cipherOf(keys);
  fillBytes(keys.key, 0);
  fillBytes(keys.baseNonce, 0);
  throw new Error('wrong key or context, or a header that was changed');
}

function unlocking(key: Uint8Array, options: object): Unlocking {
  lengthOf(key, 'key', KEY_BYTES);
  const context = contextOf(optionOf(options as ChunkedOptions, 'context'));
  const its = copyOf(key, KEY_BYTES);
  return { withHeader: (header) => unlock(its, header, context), wipe: () => fillBytes(its, 0) };
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
 * @throws TypeError, RangeError: see {@link Chunked}; `push` and `end` throw Error if a stream is not authentic or not complete.
 * @example
 * ```ts
 * import { chunked } from 'lanewise/stream.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const key = randomBytes(32);
 * const context = new TextEncoder().encode('backup.tar');
 * const sealer = await chunked.sealer(key, { context });
 * const sealed = [sealer.header, sealer.push(new Uint8Array(100_000)), sealer.end()];
 *
 * const [header, ...rest] = sealed;
 * const opener = await chunked.opener(key, { header, context });
 * for (const bytes of rest) console.log(opener.push(bytes).length);
 * console.log(opener.end().length); // only `end` shows that the stream is complete
 *
 * const file = await chunked.reader(new Blob(sealed), key, { context }); // any range, of a file or a URL, too
 * console.log((await file.read(50_000, 50_100)).length);
 * file.destroy();
 *
 * const plaintext = await chunked.decryptWhole(new Blob(sealed), key, { context }); // all of it, or an error
 * console.log(plaintext.length);
 * ```
 */
export const chunked: Chunked = /* @__PURE__ */ (() =>
  freeze({
    keyLength: KEY_BYTES,
    headerLength: HEADER_BYTES,
    chunkLength: CHUNKING.chunkLength,
    tagLength: 16,
    ...sizesOf(CHUNKING),
    ...streamsOf<ChunkedStreamOptions>({
      keyLength: KEY_BYTES,
      grammar: STREAM,
      method(options) {
        const context = contextOf(optionOf(options, 'context'));
        return {
          chunking: CHUNKING,
          seal: (key) => begin(key, randomBytes(SALT_BYTES), context),
          open: (key, header) => unlock(key, header, context),
        };
      },
    }),
    sealer(key: Uint8Array, options?: ChunkedOptions, extra?: unknown): Promise<Sealer> {
      refuseExtra(extra, 2);
      lengthOf(key, 'key', KEY_BYTES);
      const context = contextOf(optionOf(optionsOf(options, SEALER), 'context'));
      return begin(copyOf(key, KEY_BYTES), randomBytes(SALT_BYTES), context).then(
        ({ cipher, header }) => new Sealer(CHUNKING, cipher, header),
      );
    },
    opener(key: Uint8Array, options: ChunkedOpenerOptions, extra?: unknown): Promise<Opener> {
      refuseExtra(extra, 2);
      lengthOf(key, 'key', KEY_BYTES);
      const given = optionsOf(options, OPENER);
      const header = optionOf(given, 'header');
      lengthOf(header, 'header', HEADER_BYTES);
      const context = contextOf(optionOf(given, 'context'));
      return unlock(copyOf(key, KEY_BYTES), copyOf(header as Uint8Array, HEADER_BYTES), context).then(
        (cipher) => new Opener(CHUNKING, cipher),
      );
    },
    ...readersOf(CHUNKING, READER, unlocking),
  }))();
