/** Checks of answers. A wrong answer disqualifies, so everything is checked before anything is timed. */
import { equals } from './bytes.ts';
import type { Aead } from './contestants/contestant.ts';

/** The first fault of an AEAD as a sentence for people, or undefined. */
export function faultOfAead(
  aead: Aead,
  plaintext: Uint8Array,
  sealed: Uint8Array,
  out: { readonly sealed: Uint8Array; readonly opened: Uint8Array },
): string | undefined {
  try {
    out.sealed.fill(0);
    if (!equals(aead.seal(plaintext, out.sealed), sealed)) return 'seals to wrong bytes';
    out.opened.fill(0);
    if (!equals(aead.open(sealed, out.opened), plaintext)) return 'opens to wrong bytes';
  } catch (error) {
    return `throws: ${messageOf(error)}`;
  }
  // A byte of the ciphertext, if there is any, and a byte of the tag.
  for (const at of new Set([Math.floor((sealed.length - 1) / 2), sealed.length - 1])) {
    sealed[at] ^= 1;
    try {
      aead.open(sealed, out.opened);
      return `opens a message of which byte ${at} was changed`;
    } catch {
      // The message was refused, as it must be.
    } finally {
      sealed[at] ^= 1;
    }
  }
  return undefined;
}

/** A contestant and its fault, for reports. */
export interface Fault {
  readonly contestant: string;
  readonly fault: string;
}

/** The message of anything that was thrown: libsodium.js throws objects with a message that aren't Errors. */
export function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : String(error);
}
