/** Messages of one length in libsodium's format, as the chunks of a stream. The last one has the tag FINAL, the others MESSAGE. */
import type { ChunkCipher } from './chunking.ts';
import { FINAL } from './message-transform.ts';
import { EXTRA_BYTES, type SecretstreamState } from './secretstream-state.ts';
import { byteLengthOf, Bytes, fillBytes } from '../engine/intrinsics.ts';

const NOTHING = /* @__PURE__ */ new Bytes(0);

export class MessageChunks implements ChunkCipher {
  readonly #state: SecretstreamState;
  readonly secrets: readonly Uint8Array[];
  /** Whether the message with the tag FINAL was opened. */
  #final = false;

  constructor(state: SecretstreamState) {
    this.#state = state;
    this.secrets = state.secrets;
  }

  seal(_: number, last: boolean, plaintext: Uint8Array, out: Uint8Array): void {
    this.#state.seal(last ? FINAL : 0, NOTHING, 0, plaintext, byteLengthOf(plaintext), out);
  }

  /**
   * A message itself tells whether it is the last, and opening it goes on to the state for the next one. So a message that turned out
   * to be the last when the question was whether others follow is not opened again for the second question.
   */
  open(_: number, last: boolean, ciphertext: Uint8Array, out: Uint8Array): boolean {
    if (this.#final) return last;
    const tag = this.#state.open(NOTHING, 0, ciphertext, byteLengthOf(ciphertext) - EXTRA_BYTES, out);
    if (tag === undefined) return false;
    this.#final = tag === FINAL;
    // The stream was cut off after this message.
    if (last && !this.#final) fillBytes(out, 0);
    return last === this.#final;
  }

  wipe(): void {
    this.#state.wipe();
  }
}
