/** The payload of the age file format, which is STREAM with ChaCha20-Poly1305. */
import { ChaChaChunks, KEY_BYTES, NONCE_BYTES } from './chacha-chunks.ts';
import { openerOf, sealerOf, type StreamPart } from './chunk-transform.ts';
import { sizesOf, TAG_BYTES, type Chunking, type StreamSizes } from './chunking.ts';
import type { Method } from './conversion.ts';
import { KeyLife } from './life.ts';
import type { Opener } from './opener.ts';
import type { RandomAccessSource } from '../io/random-access.ts';
import type { Reader } from './reader.ts';
import { readerOf, type ReaderOptions } from './readers.ts';
import type { Sealer } from './sealer.ts';
import { KeyedStreams, type ParallelStreamOptions, type Streams } from './streams.ts';
import { lengthOf, refuseSurplus, sizeOf, typeOf } from '../calls/checks.ts';
import { flagOf, optionOf, optionOr, optionsOf, type Options } from '../calls/options.ts';
import { assign, Bytes, copyOf, freeze } from '../engine/intrinsics.ts';

const CHUNKING: Chunking = {
  chunkLength: 65536,
  fullLast: true,
  emptyLast: false,
  tagLength: TAG_BYTES,
  unit: 'chunk',
  headerLength: 0,
  mostChunks: 2 ** 53,
};

const OPENER = { __proto__: null, firstChunk: 1, isLast: 1 } as const;
const SEALER = { __proto__: null, header: 1, firstChunk: 1, isLast: 1 } as const;
const STREAM = { __proto__: null, header: 1, signal: 1, onProgress: 1, size: 1, pool: 1 } as const;

/** @param key - The library's own. */
const chunksOf = (key: Uint8Array): ChaChaChunks => new ChaChaChunks(key, new Bytes(NONCE_BYTES), true);

/** The bytes that options put in front of the chunks: a copy of them. */
function headerOf(header: unknown): Uint8Array<ArrayBuffer> {
  if (header === undefined) return new Bytes(0);
  return copyOf(header as Uint8Array, lengthOf(header, 'header'));
}

function methodOf(options: Options<typeof STREAM>, seals: boolean): Method {
  const given = optionOf(options, 'header');
  if (!seals && given !== undefined)
    throw new TypeError(`"header" expected undefined, as for all decryption of agePayload, got ${typeOf(given)}`);
  const header = headerOf(given);
  return { chunking: CHUNKING, seal: (key) => ({ header, cipher: chunksOf(key) }), open: chunksOf };
}

/** Which part of a stream an object has, where several have it together. */
function partOf(options: Options<typeof OPENER>): StreamPart {
  const isLast = flagOf(options, 'isLast', true);
  return [sizeOf(optionOr(options, 'firstChunk', 0), 'firstChunk'), isLast];
}

/**
 * Which part of a stream a sealer or an opener has: whole chunks, so that several machines share a file. **All parts together are one
 * stream**: no number of a chunk may encrypt two texts under one key.
 */
export interface AgePayloadPart {
  /** The number of its first chunk: an integer from 0 up, 0 unless given. */
  readonly firstChunk?: number;
  /** Whether its last chunk is the last of the stream: true unless given. If false, the part has whole chunks, or none. */
  readonly isLast?: boolean;
}

/** How a stream is encrypted. */
export interface AgePayloadOptions {
  /** Bytes that go in front of the chunks: of an age file, its header and the 16 bytes of its nonce. None unless given. */
  readonly header?: Uint8Array;
}

/** How a stream is encrypted by `encrypt` and `encryptor`. */
export interface AgePayloadStreamOptions extends AgePayloadOptions, ParallelStreamOptions {}

/** The payload of age under one key. Made by {@link agePayload}. It encrypts one stream, by `encrypt`, `encryptor` or `sealer`. */
export interface AgePayload extends Streams<AgePayloadStreamOptions, ParallelStreamOptions> {
  /**
   * Makes an object that encrypts one stream, or a part of it.
   *
   * @param options - `header`, which becomes that of the object; `firstChunk` and `isLast` for a part.
   * @returns The object.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error for a second
   * stream or after `destroy`.
   */
  sealer(options?: AgePayloadOptions & AgePayloadPart): Sealer;
  /**
   * Makes an object that decrypts one stream, or a part of it.
   *
   * @param options - `firstChunk` and `isLast` for a part.
   * @returns The object.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `destroy`.
   */
  opener(options?: AgePayloadPart): Opener;
  /**
   * Makes an object that decrypts any range of a stream. The size and the last chunk are checked first.
   *
   * @param source - The chunks, or with `offset` an age file: a Blob or File, a `FileHandle` of Node, a `FileSystemFileHandle`
   * or `FileSystemSyncAccessHandle`, a Uint8Array, the source of {@link fetchRange}, or an object with `size` and `read`. It stays the
   * caller's, who leaves it as it is while it is read, and closes it.
   * @param options - `offset`, where the chunks begin in the source (in an age file after its header and the 16 bytes of the
   * nonce: {@link randomAccess} reads these); `signal`, `pool`.
   * @returns A promise of the object. It is rejected with an Error `truncated after N bytes, …` before anything is read if no stream
   * has that size; with an Error if the last chunk is not authentic or not the last, as when the key is wrong; with the reason of the
   * signal; or with whatever the source throws.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `destroy`: at once.
   */
  reader(source: RandomAccessSource, options?: ReaderOptions): Promise<Reader>;
}

/** {@link agePayload} */
export interface AgePayloadFunction extends StreamSizes {
  /**
   * Takes the key of one stream.
   *
   * @param key - 32 bytes, **for one stream only**: nonces count chunks, so two streams under one key give both away. Copied at once, so
   * the caller may wipe it; the copy is wiped by `destroy`, and the stream has one of its own until it ends.
   * @returns The object that encrypts one stream, and decrypts.
   * @throws TypeError if the key isn't a Uint8Array, RangeError if it doesn't have 32 bytes.
   */
  (key: Uint8Array): AgePayload;
  /** 32 bytes. */
  readonly keyLength: number;
  /** 0: the salt of the payload key belongs to the file. Encryption can put a `header` in front of the chunks. */
  readonly headerLength: number;
  /** 65,536 bytes of plaintext in each chunk but the last. */
  readonly chunkLength: number;
  /** 16 bytes, after each chunk. */
  readonly tagLength: number;
}

class AgePayloadStreams extends KeyedStreams implements AgePayload {
  readonly #life: KeyLife;

  constructor(life: KeyLife) {
    super({ life, grammar: STREAM, method: methodOf });
    this.#life = life;
  }

  sealer(options?: AgePayloadOptions & AgePayloadPart): Sealer {
    refuseSurplus(arguments, 1);
    const given = optionsOf(options, SEALER);
    const [header, its] = [headerOf(optionOf(given, 'header')), partOf(given)];
    return sealerOf(CHUNKING, chunksOf(this.#life.copy(true)), header, its);
  }

  opener(options?: AgePayloadPart): Opener {
    refuseSurplus(arguments, 1);
    const its = partOf(optionsOf(options, OPENER));
    return openerOf(CHUNKING, chunksOf(this.#life.copy(false)), its);
  }

  reader(source: RandomAccessSource, options?: ReaderOptions): Promise<Reader> {
    refuseSurplus(arguments, 2);
    return readerOf(CHUNKING, source, options, () => {
      const cipher = chunksOf(this.#life.copy(false));
      return { withHeader: () => cipher, wipe: () => cipher.wipe() };
    });
  }
}

/**
 * The payload of age (C2SP age v1, "Payload"): chunks of 64 KiB, each encrypted by ChaCha20-Poly1305 with its number and
 * whether it is the last one as the nonce. A stream that is cut off, extended or put in another order is refused.
 *
 * A key encrypts **one** stream. In an age file it is HKDF-SHA-256(file key, 16 random bytes, "payload"), and these 16 bytes are in
 * front of the chunks. For a key of your own take {@link chunked}, which derives a key for each stream.
 *
 * A chunk that is full is kept until more comes, because it may be the last. If a stream turns out not to be authentic,
 * the plaintext that is released before the error is the same as in the reference implementation.
 *
 * @throws TypeError, RangeError: see {@link AgePayloadFunction} and {@link AgePayload}; `push` and `end` throw Error if a stream is not authentic or not complete.
 * @example
 * ```ts
 * import { agePayload } from 'lanewise/stream.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const payload = agePayload(randomBytes(32)); // for this stream only
 * const sealer = payload.sealer();
 * const sealed = [sealer.push(new Uint8Array(100_000)), sealer.push(new Uint8Array(50_000)), sealer.end()];
 *
 * const opener = payload.opener();
 * for (const bytes of sealed) console.log(opener.push(bytes).length);
 * console.log(opener.end().length); // only `end` shows that the stream is complete
 *
 * const file = await payload.reader(new Blob(sealed)); // any range; `offset` skips the header of an age file
 * console.log((await file.read(149_000, file.size)).length);
 * file.destroy();
 * ```
 */
export const agePayload: AgePayloadFunction = /* @__PURE__ */ (() =>
  freeze(
    assign(
      function (key: Uint8Array): AgePayload {
        refuseSurplus(arguments, 1);
        return new AgePayloadStreams(new KeyLife('agePayload', key, 1));
      },
      {
        keyLength: KEY_BYTES,
        headerLength: CHUNKING.headerLength,
        chunkLength: CHUNKING.chunkLength,
        tagLength: TAG_BYTES,
        ...sizesOf(CHUNKING),
      },
    ),
  ))();
