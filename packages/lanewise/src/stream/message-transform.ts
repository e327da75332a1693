/** Encrypts or decrypts the messages of a stream in libsodium's format. */
import type { Life } from './life.ts';
import type { MessageOpener as OpenerFace } from './message-opener.ts';
import type { MessageSealer as SealerFace } from './message-sealer.ts';
import { EXTRA_BYTES, type SecretstreamState } from './secretstream-state.ts';
import { lifeOf, Shell, type Transform } from './shell.ts';
import { lengthOf, refuseSurplus, typeOf } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf } from '../calls/options.ts';
import { byteLengthOf, Bytes, max } from '../engine/intrinsics.ts';

export const FINAL = 3;
const NOTHING = /* @__PURE__ */ new Bytes(0);
const SEALED = { __proto__: null, tag: 1, ad: 1 } as const;
const OPENED = { __proto__: null, ad: 1, tag: 'the message has it: see opener.tag' } as const;

/** The options of a message, checked. */
interface Given {
  readonly tag: number;
  readonly ad: Uint8Array;
}

class MessageTransform implements Transform<Given> {
  readonly name: 'a sealer' | 'an opener';
  readonly input = 'message';
  readonly secrets: readonly (readonly Uint8Array[])[];
  failure: string | undefined;
  /** The tag of the last message. */
  tag: number | undefined;
  readonly #state: SecretstreamState;
  readonly #seals: boolean;
  readonly #requireFinal: boolean;
  #count = 0;
  #bytes = 0;

  constructor(state: SecretstreamState, seals: boolean, requireFinal: boolean) {
    this.#state = state;
    this.#seals = seals;
    this.#requireFinal = requireFinal;
    this.name = seals ? 'a sealer' : 'an opener';
    this.secrets = [state.secrets];
  }

  optionsOf(options: unknown): Given {
    const given = optionsOf(options, this.#seals ? SEALED : OPENED);
    const tag = this.#seals ? optionOr(given, 'tag', 0) : 0;
    if (typeof tag !== 'number') throw new TypeError(`"tag" expected integer, got ${typeOf(tag)}`);
    if (!(tag >= 0 && tag <= 255 && (tag | 0) === tag))
      throw new RangeError(`"tag" expected integer from 0 to 255, got ${tag}`);
    const ad = optionOf(given, 'ad') as Uint8Array | undefined;
    if (ad !== undefined) lengthOf(ad, 'ad');
    return { tag, ad: ad ?? NOTHING };
  }

  outputLength(length: number | undefined): number {
    if (!this.#seals) return max(0, (length ?? 0) - EXTRA_BYTES);
    return length === undefined && this.tag === FINAL ? 0 : (length ?? 0) + EXTRA_BYTES;
  }

  check(): void {
    if (this.#seals) this.checkOpen();
  }

  checkOpen(): void {
    if (this.failure !== undefined) throw new Error(this.failure);
    if (this.tag === FINAL) throw new Error(`cannot use ${this.name} after its FINAL message`);
  }

  push(message: Uint8Array, length: number, out: Uint8Array, { tag, ad }: Given): number {
    if (this.#seals) this.#state.seal(tag, ad, byteLengthOf(ad), message, length, out);
    const its = this.#seals ? tag : this.#open(message, length, out, ad);
    if (its === undefined) return 0;
    this.tag = its;
    this.#count++;
    this.#bytes += length;
    if (its === FINAL) this.#state.wipe();
    return byteLengthOf(out);
  }

  end(out: Uint8Array): void {
    if (this.tag === FINAL) return;
    if (this.#seals) this.push(NOTHING, 0, out, { tag: FINAL, ad: NOTHING });
    else if (this.#requireFinal) this.#fail(`truncated after ${this.#bytes} bytes`);
  }

  rekey(): void {
    this.#state.rekey();
  }

  wipe(): void {
    this.#state.wipe();
  }

  #open(message: Uint8Array, length: number, out: Uint8Array, ad: Uint8Array): number | undefined {
    let tag: number | undefined;
    if (this.tag === FINAL) this.#fail('data after the end');
    else if (length < EXTRA_BYTES) this.#fail(`message ${this.#count} is truncated: it has fewer than 17 bytes`);
    else {
      tag = this.#state.open(ad, byteLengthOf(ad), message, length - EXTRA_BYTES, out);
      if (tag === undefined) this.#fail(`message ${this.#count} is not authentic`);
    }
    return tag;
  }

  #fail(failure: string): void {
    this.failure = failure;
    this.wipe();
  }
}

class MessageShell extends Shell<Given> {
  readonly #life: Life;
  readonly #transform: MessageTransform;

  constructor(transform: MessageTransform, header?: Uint8Array<ArrayBuffer>) {
    const life = lifeOf(transform);
    super(transform, header, life);
    this.#life = life;
    this.#transform = transform;
  }

  get tag(): number | undefined {
    return this.#transform.tag;
  }

  rekey(): void {
    refuseSurplus(arguments, 0);
    this.#life.check();
    this.#transform.checkOpen();
    this.#life.work(() => this.#transform.rekey());
  }
}

class MessageSealer extends MessageShell {}
class MessageOpener extends MessageShell {}

/** The objects that {@link secretstream} makes. */
export const messageSealerOf = (state: SecretstreamState, header: Uint8Array<ArrayBuffer>): SealerFace =>
  new MessageSealer(new MessageTransform(state, true, false), header);
export const messageOpenerOf = (state: SecretstreamState, requireFinal: boolean): OpenerFace =>
  new MessageOpener(new MessageTransform(state, false, requireFinal));
