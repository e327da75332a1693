/**
 * secretstream: messages in order, each with a tag. A state is the original's, an address in its memory, so that it is the same state for
 * all its functions, and for those that programs call in its memory themselves. Ours take key and nonce from there, and put the next
 * ones back.
 */
import { sizeOf } from '../../drop-ins/src/message.ts';
import { LAST_ROW } from '../../lanewise/src/keystream/input.ts';
import {
  EXTRA_BYTES,
  HEADER_BYTES,
  KEY_BYTES,
  SecretstreamState,
} from '../../lanewise/src/stream/secretstream-state.ts';
import { isUnsigned, type Conversions } from './conversions.ts';
import type { Original, Replacements } from './original.ts';

const PREFIX = 'crypto_secretstream_xchacha20poly1305';

/** `crypto_secretstream_xchacha20poly1305_state`: the key, a counter and a nonce, and 8 bytes that are not used. */
const NONCE_BYTES = 12;
const STATE_BYTES = KEY_BYTES + NONCE_BYTES;

/** A shorter message is the original's: to take its state over would cost more than our kernels gain. */
const SHORTEST = 2048;

/** Our state, lent to one message at a time. */
class Loan {
  #state: SecretstreamState | undefined;

  /** Runs `work` on the state in `memory`, which is changed when all is done: a caller who gets no result still has the old one. */
  run<Result>(memory: Uint8Array, work: (state: SecretstreamState) => Result): Result {
    const state = (this.#state ??= new SecretstreamState(new Uint8Array(KEY_BYTES), new Uint8Array(HEADER_BYTES)));
    // The working memory, after these, is wiped by each call.
    const [input, mac, head] = state.secrets;
    const [key, nonce] = [input.subarray(0, KEY_BYTES), input.subarray(LAST_ROW + 4, LAST_ROW + 16)];
    const next = new Uint8Array(STATE_BYTES);
    let result: Result;
    try {
      try {
        key.set(memory.subarray(0, KEY_BYTES));
        nonce.set(memory.subarray(KEY_BYTES));
        result = work(state);
        next.set(key);
        next.set(nonce, KEY_BYTES);
      } finally {
        for (const secret of [input, mac, head]) secret.fill(0);
      }
    } catch (error) {
      next.fill(0);
      throw error;
    }
    // All of it, or after an exception nothing: there is no call from here on, so nothing can be thrown.
    for (let i = 0; i < STATE_BYTES; i++) {
      memory[i] = next[i];
      next[i] = 0;
    }
    return result;
  }
}

export function secretstream(
  original: Original,
  { bytesOf, optional, isFormat, formatted }: Conversions,
): Replacements {
  const loan = new Loan();

  /** The memory of a state; undefined if a value isn't an address of one. */
  const memoryAt = (address: unknown): Uint8Array | undefined => {
    const { HEAPU8 } = original.libsodium;
    return isUnsigned(address) && address > 0 && address <= HEAPU8.length - STATE_BYTES
      ? HEAPU8.subarray(address, address + STATE_BYTES)
      : undefined;
  };

  return {
    [`${PREFIX}_push`]: (theirs) => (address, message, ad, tag, format) => {
      const bytes = bytesOf(message);
      const length = bytes ? sizeOf(bytes) : -1;
      if (!bytes || length < SHORTEST) return theirs(address, message, ad, tag, format);
      const memory = memoryAt(address);
      const adBytes = optional(ad);
      if (!memory || !adBytes || !isUnsigned(tag) || !isFormat(format))
        return theirs(address, message, ad, tag, format);
      const out = new Uint8Array(length + EXTRA_BYTES);
      // The format has one byte for the tag.
      return loan.run(memory, (state) => {
        state.seal(tag & 255, adBytes, sizeOf(adBytes), bytes, length, out);
        return formatted(out, format);
      });
    },
    [`${PREFIX}_pull`]: (theirs) => (address, ciphertext, ad, format) => {
      const bytes = bytesOf(ciphertext);
      const length = bytes ? sizeOf(bytes) - EXTRA_BYTES : -1;
      if (!bytes || length < SHORTEST) return theirs(address, ciphertext, ad, format);
      const memory = memoryAt(address);
      const adBytes = optional(ad);
      if (!memory || !adBytes || !isFormat(format)) return theirs(address, ciphertext, ad, format);
      const message = new Uint8Array(length);
      return loan.run(memory, (state) => {
        const tag = state.open(adBytes, sizeOf(adBytes), bytes, length, message);
        return tag !== undefined && { message: formatted(message, format), tag };
      });
    },
  };
}
