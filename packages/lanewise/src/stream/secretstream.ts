/** libsodium's crypto_secretstream_xchacha20poly1305. */
import { EXTRA_BYTES, HEADER_BYTES, KEY_BYTES, SecretstreamState } from './secretstream-state.ts';
import type { Chunking } from './chunking.ts';
import type { Method } from './conversion.ts';
import { KeyLife } from './life.ts';
import { MessageChunks } from './message-chunks.ts';
import type { MessageOpener } from './message-opener.ts';
import type { MessageSealer } from './message-sealer.ts';
import { messageOpenerOf, messageSealerOf } from './message-transform.ts';
import { KeyedStreams, type StreamOptions, type Streams } from './streams.ts';
import { lengthOf, refuseSurplus, sizeOf } from '../calls/checks.ts';
import { lendBytes } from '../calls/lifetime.ts';
import { flagOf, optionOf, optionsOf, type Options } from '../calls/options.ts';
import { randomBytes } from '../calls/random.ts';
import { assign, copyOf, freeze } from '../engine/intrinsics.ts';

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

/** libsodium's crypto_secretstream_xchacha20poly1305 under one key. Made by {@link secretstream}. */
export interface Secretstream extends Streams<SecretstreamStreamOptions> {
  /**
   * Makes an object that encrypts one stream.
   *
   * @returns The object, with a random `header` that the other side needs first.
   * @throws Error after `destroy`, or if the host has no random numbers.
   */
  sealer(): MessageSealer;
  /**
   * Makes an object that decrypts one stream.
   *
   * @param options - `header`, 24 bytes, and `requireFinal`.
   * @returns The object.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `destroy`.
   */
  opener(options: SecretstreamOpenerOptions): MessageOpener;
}

/** {@link secretstream} */
export interface SecretstreamFunction {
  /**
   * Takes a key, for any number of streams in both directions.
   *
   * @param key - 32 bytes. Copied at once, so the caller may wipe it; the copy is wiped by `destroy`, and each stream has one of its own
   * until it ends.
   * @returns The object that encrypts and decrypts.
   * @throws TypeError if the key isn't a Uint8Array, RangeError if it doesn't have 32 bytes.
   */
  (key: Uint8Array): Secretstream;
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
   * @throws TypeError or RangeError if `size` isn't an integer from 0 up, RangeError above 64·(2^32 - 2) bytes.
   */
  ciphertextSize(size: number): number;
  /**
   * The size of a message.
   *
   * @param size - Of the encrypted message, in bytes: an integer from 0 up.
   * @returns 17 bytes fewer.
   * @throws TypeError or RangeError if `size` isn't an integer from 0 up, RangeError if no message has this size.
   */
  plaintextSize(size: number): number;
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
const stateOf = (key: Uint8Array, header: Uint8Array): SecretstreamState =>
  lendBytes(key, KEY_BYTES, () => new SecretstreamState(key, header));

const messagesOf = (key: Uint8Array, header: Uint8Array): MessageChunks => new MessageChunks(stateOf(key, header));

/** The longest message: with more bytes, the counter of blocks would come to its end. */
const MOST = 64 * (2 ** 32 - 2);

function methodOf(options: Options<typeof STREAM>): Method {
  return {
    chunking: chunkingOf(optionOf(options, 'messageLength')),
    seal(key) {
      const header = randomBytes(HEADER_BYTES);
      return { header, cipher: messagesOf(key, header) };
    },
    open: messagesOf,
  };
}

class MessageStreams extends KeyedStreams implements Secretstream {
  readonly #life: KeyLife;

  constructor(life: KeyLife) {
    super({ life, grammar: STREAM, method: methodOf });
    this.#life = life;
  }

  sealer(): MessageSealer {
    refuseSurplus(arguments, 0);
    const header = randomBytes(HEADER_BYTES);
    return messageSealerOf(stateOf(this.#life.copy(true), header), header);
  }

  opener(options: SecretstreamOpenerOptions): MessageOpener {
    refuseSurplus(arguments, 1);
    const given = optionsOf(options, OPENER);
    const header = optionOf(given, 'header');
    lengthOf(header, 'header', HEADER_BYTES);
    const its = copyOf(header as Uint8Array, HEADER_BYTES);
    const requireFinal = flagOf(given, 'requireFinal', true);
    return messageOpenerOf(stateOf(this.#life.copy(false), its), requireFinal);
  }
}

/**
 * libsodium's crypto_secretstream_xchacha20poly1305, to interoperate with it: messages in order, each with a tag and, if wanted,
 * additional data that is not sent. Take {@link chunked} for files: it commits to its key, and has random access, which
 * this format cannot have: the nonce of each message depends on the MAC of the one before.
 *
 * The format has messages, not bytes: the opener needs each as `push` returned it, so send the length of each message,
 * too, or give all but the last the same length. A message that was changed, left out, doubled or moved is refused, and
 * so is a stream that does not end with a message of the tag FINAL, which `end` of the sealer makes.
 *
 * @throws TypeError, RangeError: see {@link SecretstreamFunction} and {@link Secretstream}; `push` and `end` throw Error if a stream is not authentic or not complete.
 * @example
 * ```ts
 * import { secretstream } from 'lanewise/stream.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const messages = secretstream(randomBytes(32));
 * const text = new TextEncoder();
 * const sealer = messages.sealer();
 * const first = sealer.push(text.encode('first'));
 * const last = sealer.push(text.encode('last'), undefined, { tag: secretstream.TAG_FINAL });
 *
 * const opener = messages.opener({ header: sealer.header });
 * opener.push(first);
 * opener.push(last);
 * console.log(opener.tag === secretstream.TAG_FINAL); // true
 * opener.end(); // throws if that was missing
 * ```
 */
export const secretstream: SecretstreamFunction = /* @__PURE__ */ (() =>
  freeze(
    assign(
      function (key: Uint8Array): Secretstream {
        refuseSurplus(arguments, 1);
        return new MessageStreams(new KeyLife('secretstream', key));
      },
      {
        keyLength: KEY_BYTES,
        headerLength: HEADER_BYTES,
        tagLength: EXTRA_BYTES,
        TAG_MESSAGE: 0,
        TAG_PUSH: 1,
        TAG_REKEY: 2,
        TAG_FINAL: 3,
        ciphertextSize(size: number): number {
          refuseSurplus(arguments, 1);
          if (sizeOf(size, 'size', 0) > MOST) throw new RangeError(`"size" expected at most ${MOST}, got ${size}`);
          return size + EXTRA_BYTES;
        },
        plaintextSize(size: number): number {
          refuseSurplus(arguments, 1);
          if (sizeOf(size, 'size', 0) < EXTRA_BYTES || size > MOST + EXTRA_BYTES)
            throw new RangeError(`"size" expected size of an encrypted message, got ${size}`);
          return size - EXTRA_BYTES;
        },
      } as const,
    ),
  ))();
