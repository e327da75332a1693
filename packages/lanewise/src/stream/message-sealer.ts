/** Encrypts the messages of a stream in libsodium's format. */
import { Life, Machine, roomIn, type Written } from './life.ts';
import { EXTRA_BYTES, type SecretstreamState } from './secretstream-state.ts';
import { lengthOf, refuseExtra, sizeOf, typeOf } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf } from '../calls/options.ts';
import { byteLengthOf, Bytes } from '../engine/intrinsics.ts';

const MESSAGE = { __proto__: null, tag: 1, ad: 1 } as const;
export const FINAL = 3;
const NOTHING = /* @__PURE__ */ new Bytes(0);

/** Additional data of a message. */
export function additionalOf(ad: unknown): Uint8Array {
  if (ad === undefined) return NOTHING;
  lengthOf(ad, 'ad');
  return ad as Uint8Array;
}

/** The options of a message. */
export interface MessageOptions {
  /**
   * 0 to 255: TAG_MESSAGE unless given. Apart from TAG_REKEY and TAG_FINAL, the application decides on the meaning of
   * tags.
   */
  readonly tag?: number;
  /** Additional data, which is authenticated with the message and not sent with it; none unless given. */
  readonly ad?: Uint8Array;
}

/** Encrypts the messages of a stream in libsodium's format. Made by `sealer` of {@link secretstream}. */
export class MessageSealer extends Machine {
  /** 24 bytes that the other side needs first. Not secret. */
  readonly header: Uint8Array<ArrayBuffer>;
  readonly #state: SecretstreamState;
  readonly #life: Life;
  #final = false;

  /** @internal */
  constructor(state: SecretstreamState, header: Uint8Array<ArrayBuffer>) {
    const life = new Life('a sealer', () => state.wipe(), state.secrets);
    super(life);
    this.#life = life;
    this.#state = state;
    this.header = header;
  }

  /**
   * The number of bytes that the next call returns.
   *
   * @param length - The length in bytes of the message that `push` would get; left out for the result of `end`.
   * @returns The least length that `out` may have.
   * @throws TypeError or RangeError if it isn't an integer from 0 up, Error after `end` or `destroy`.
   */
  outputLength(length?: number): number;
  outputLength(length?: number, extra?: unknown): number {
    refuseExtra(extra, 1);
    this.#life.check();
    if (length === undefined) return this.#final ? 0 : EXTRA_BYTES;
    return sizeOf(length, 'length', 0) + EXTRA_BYTES;
  }

  /**
   * Encrypts one message. The tag FINAL ends the stream and wipes its key: then only `end` may follow.
   *
   * @param message - Any number of bytes up to 64·(2^32 - 2).
   * @param out - Where the result goes, from its start on: at least 17 bytes more; may be or overlap the message.
   * @param options - `tag` and `ad`.
   * @returns The encrypted tag, the ciphertext and a MAC, 17 bytes more than the message: a view of `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument is not of that form, Error after `end`, `destroy` or a message with the tag
   * FINAL; then nothing is written, and the machine is where it was. If it throws anything else, as when the stack overflows, the
   * machine is wiped, and refuses all but `destroy`.
   */
  push(message: Uint8Array): Uint8Array<ArrayBuffer>;
  push<Out extends Uint8Array | undefined>(message: Uint8Array, out: Out, options?: MessageOptions): Written<Out>;
  push(message: Uint8Array, out?: Uint8Array, options?: MessageOptions, extra?: unknown): Uint8Array {
    refuseExtra(extra, 3);
    this.#checkOpen();
    const length = lengthOf(message, 'message');
    const given = optionsOf(options, MESSAGE);
    const tag = optionOr(given, 'tag', 0);
    if (typeof tag !== 'number') throw new TypeError(`"tag" expected integer, got ${typeOf(tag)}`);
    if (!(tag >= 0 && tag <= 255 && (tag | 0) === tag))
      throw new RangeError(`"tag" expected integer from 0 to 255, got ${tag}`);
    const ad = additionalOf(optionOf(given, 'ad'));
    return this.#seal(message, lengthOf(message, 'message', length), roomIn(out, length + EXTRA_BYTES), tag, ad);
  }

  /**
   * Ends the stream: with an empty message of the tag FINAL, unless the last message had it. Wipes the machine.
   *
   * @param out - Where the result goes, from its start on: at least `outputLength()` bytes.
   * @returns That message, of 17 bytes, or no bytes: a view of `out`, or fresh bytes.
   * @throws TypeError or RangeError if `out` is not of that form, Error after `end` or `destroy`; then nothing is written. If it
   * throws anything else, the machine is wiped, and refuses all but `destroy`.
   */
  end(): Uint8Array<ArrayBuffer>;
  end<Out extends Uint8Array | undefined>(out: Out): Written<Out>;
  end(out?: Uint8Array, extra?: unknown): Uint8Array {
    refuseExtra(extra, 1);
    this.#life.check();
    const result = roomIn(out, this.#final ? 0 : EXTRA_BYTES);
    if (!this.#final) this.#seal(NOTHING, 0, result, FINAL, NOTHING);
    this.#life.finish('end()');
    return result;
  }

  /** Goes on under a new key, and forgets this one. The other side must do so between the same messages. */
  rekey(): void;
  rekey(extra?: unknown): void {
    refuseExtra(extra, 0);
    this.#checkOpen();
    this.#life.work(() => this.#state.rekey());
  }

  #checkOpen(): void {
    this.#life.check();
    if (this.#final) throw new Error('cannot use a sealer after its FINAL message');
  }

  #seal(message: Uint8Array, length: number, out: Uint8Array, tag: number, ad: Uint8Array): Uint8Array {
    this.#life.work(() => {
      this.#state.seal(tag, ad, byteLengthOf(ad), message, length, out);
      if (tag === FINAL) {
        this.#final = true;
        this.#state.wipe();
      }
    });
    return out;
  }
}
