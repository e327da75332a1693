/** libsodium's crypto_secretstream_xchacha20poly1305. */
import { EXTRA_BYTES, HEADER_BYTES, KEY_BYTES, SecretstreamState } from './secretstream-state.ts';
import type { Chunking } from './chunking.ts';
import { MessageChunks } from './message-chunks.ts';
import { MessageOpener } from './message-opener.ts';
import { MessageSealer } from './message-sealer.ts';
import { streamsOf, type StreamOptions, type Streams } from './streams.ts';
import { lengthOf, refuseExtra, sizeOf, typeOf } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf } from '../calls/options.ts';
import { randomBytes } from '../calls/random.ts';
import { copyOf, fillBytes, freeze } from '../engine/intrinsics.ts';

const OPENER = { __proto__: null, header: 1, requireFinal: 1 } as const;
const STREAM = {
  __proto__: null,
  messageLength: 1,
  signal: 1,
  onProgress: 1,
  size: 1,
  header: 'the stream starts with it',
  pool: 'the messages of secretstream depend on each other',
} as const;

/** How a stream of messages is opened. */
export interface SecretstreamOpenerOptions {
  /** The 24 bytes that the sealer has made. */
  readonly header: Uint8Array;
  /** Whether `end` throws unless the last message had the tag FINAL; true unless given. */
  readonly requireFinal?: boolean;
}

/** The options of streams of {@link secretstream}. */
export interface SecretstreamStreamOptions extends StreamOptions {
  /**
   * The bytes of plaintext in each message but the last, which may have fewer: an integer from 1 to 2^30, 65,536 unless given. Both
   * sides must have the same.
   */
  readonly messageLength?: number;
}

/** {@link secretstream} */
export interface Secretstream extends Streams<SecretstreamStreamOptions> {
  /** 32 bytes. */
  readonly keyLength: number;
  /** 24 bytes. */
  readonly headerLength: number;
  /** 17 bytes, by which each message grows. */
  readonly tagLength: number;
  /** 0: nothing special. */
  readonly TAG_MESSAGE: 0;
  /** 1: the last of a set of messages. */
  readonly TAG_PUSH: 1;
  /** 2: both sides go on under a new key, and forget this one. */
  readonly TAG_REKEY: 2;
  /** 3: the last of the stream. */
  readonly TAG_FINAL: 3;
  /**
   * The size of an encrypted message.
   *
   * @param size - Of the message, in bytes: an integer from 0 up.
   * @returns 17 bytes more. The header of the stream is apart.
   * @throws TypeError or RangeError if `size` is not of that form, RangeError above 64·(2^32 - 2) bytes.
   */
  ciphertextSize(size: number): number;
  /**
   * The size of a message.
   *
   * @param size - Of the encrypted message, in bytes: an integer from 0 up.
   * @returns 17 bytes fewer.
   * @throws TypeError or RangeError if `size` is not of that form, RangeError if no message has this size.
   */
  plaintextSize(size: number): number;
  /**
   * Makes an object that encrypts one stream.
   *
   * @param key - 32 bytes, for any number of streams; copied.
   * @returns The object, with a random `header` that the other side needs first.
   * @throws TypeError or RangeError if the key is not of that form, Error if the host has no random numbers.
   */
  sealer(key: Uint8Array): MessageSealer;
  /**
   * Makes an object that decrypts one stream.
   *
   * @param key - 32 bytes; copied.
   * @param options - `header`, 24 bytes, and `requireFinal`.
   * @returns The object.
   * @throws TypeError or RangeError if an argument is not of that form.
   */
  opener(key: Uint8Array, options: SecretstreamOpenerOptions): MessageOpener;
}

/** The longest message of a stream: one is kept in memory. */
const MOST_BUFFERED = 2 ** 30;

/** How a stream is cut into messages of one length. */
function chunkingOf(messageLength: unknown): Chunking {
  const chunkLength = messageLength === undefined ? 65_536 : sizeOf(messageLength, 'messageLength', 1);
  if (chunkLength > MOST_BUFFERED)
    throw new RangeError(`"messageLength" expected at most ${MOST_BUFFERED}, got ${chunkLength}`);
  return {
    chunkLength,
    fullLast: true,
    // libsodium's example of a file makes one where the file ends with a full message.
    emptyLast: true,
    tagLength: EXTRA_BYTES,
    unit: 'message',
    headerLength: HEADER_BYTES,
    mostChunks: 2 ** 53,
  };
}

/** @param key - The library's own, wiped here. */
function messagesOf(key: Uint8Array, header: Uint8Array): MessageChunks {
  const messages = new MessageChunks(new SecretstreamState(key, header));
  fillBytes(key, 0);
  return messages;
}

/** The longest message: with more bytes, the counter of blocks would come to its end. */
const MOST = 64 * (2 ** 32 - 2);

/**
 * libsodium's crypto_secretstream_xchacha20poly1305, to interoperate with it: messages in order, each with a tag and, if wanted,
 * additional data that is not sent. Take {@link chunked} for files: it commits to its key, and has random access, which
 * this format cannot have: the nonce of each message depends on the MAC of the one before.
 *
 * The format has messages, not bytes: the opener needs each as `push` returned it, so send the length of each message,
 * too, or give all but the last the same length. A message that was changed, left out, doubled or moved is refused, and
 * so is a stream that does not end with a message of the tag FINAL, which `end` of the sealer makes.
 *
 * @throws TypeError, RangeError: see {@link Secretstream}; `push` and `end` throw Error if a stream is not authentic or not complete.
 * @example
 * ```ts
 * import { secretstream } from 'lanewise/stream.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const key = randomBytes(32);
 * const text = new TextEncoder();
 * const sealer = secretstream.sealer(key);
 * const first = sealer.push(text.encode('first'));
 * const last = sealer.push(text.encode('last'), undefined, { tag: secretstream.TAG_FINAL });
 *
 * const opener = secretstream.opener(key, { header: sealer.header });
 * opener.push(first);
 * opener.push(last);
 * console.log(opener.tag === secretstream.TAG_FINAL); // true
 * opener.end(); // throws if that was missing
 * ```
 */
export const secretstream: Secretstream = /* @__PURE__ */ (() =>
  freeze({
    keyLength: KEY_BYTES,
    headerLength: HEADER_BYTES,
    tagLength: EXTRA_BYTES,
    TAG_MESSAGE: 0,
    TAG_PUSH: 1,
    TAG_REKEY: 2,
    TAG_FINAL: 3,
    ciphertextSize(size: number, extra?: unknown): number {
      refuseExtra(extra, 1);
      if (sizeOf(size, 'size', 0) > MOST) throw new RangeError(`"size" expected at most ${MOST}, got ${size}`);
      return size + EXTRA_BYTES;
    },
    plaintextSize(size: number, extra?: unknown): number {
      refuseExtra(extra, 1);
      if (sizeOf(size, 'size', 0) < EXTRA_BYTES || size > MOST + EXTRA_BYTES)
        throw new RangeError(`"size" expected size of an encrypted message, got ${size}`);
      return size - EXTRA_BYTES;
    },
    ...streamsOf<SecretstreamStreamOptions>({
      keyLength: KEY_BYTES,
      grammar: STREAM,
      method(options) {
        const chunking = chunkingOf(optionOf(options, 'messageLength'));
        return {
          chunking,
          seal(key) {
            const header = randomBytes(HEADER_BYTES);
            return { header, cipher: messagesOf(key, header) };
          },
          open: messagesOf,
        };
      },
    }),
    sealer(key: Uint8Array, extra?: unknown): MessageSealer {
      refuseExtra(extra, 1);
      lengthOf(key, 'key', KEY_BYTES);
      const header = randomBytes(HEADER_BYTES);
      return new MessageSealer(new SecretstreamState(key, header), header);
    },
    opener(key: Uint8Array, options: SecretstreamOpenerOptions, extra?: unknown): MessageOpener {
      refuseExtra(extra, 2);
      lengthOf(key, 'key', KEY_BYTES);
      const given = optionsOf(options, OPENER);
      const header = optionOf(given, 'header');
      lengthOf(header, 'header', HEADER_BYTES);
      const requireFinal = optionOr(given, 'requireFinal', true);
      if (typeof requireFinal !== 'boolean')
        throw new TypeError(`"requireFinal" expected boolean, got ${typeOf(requireFinal)}`);
      return new MessageOpener(new SecretstreamState(key, copyOf(header as Uint8Array, HEADER_BYTES)), requireFinal);
    },
  }))();
