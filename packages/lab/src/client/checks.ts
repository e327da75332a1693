/** A wrong answer disqualifies: everything is checked before anything is timed. */
import { equals, type Output } from './bytes.ts';
import type { Aead } from './contestants/contestant.ts';

/** Names the first difference in a sentence for people; undefined if all is right. */
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
  // One byte of the ciphertext (if there is any), and one of the tag.
  for (const at of new Set([Math.floor((sealed.length - 1) / 2), sealed.length - 1])) {
    sealed[at] ^= 1;
    try {
      aead.open(sealed, out.opened);
      return `opens a message of which byte ${at} was changed`;
    } catch {
      // Refused, as it must be.
    } finally {
      sealed[at] ^= 1;
    }
  }
  return undefined;
}

export function faultOf(run: () => Output, expected: Uint8Array): string | undefined {
  try {
    return equals(run(), expected) ? undefined : 'gives wrong bytes';
  } catch (error) {
    return `throws: ${messageOf(error)}`;
  }
}

/** The faults of contestants, by name, for reports. */
export interface Fault {
  readonly contestant: string;
  readonly fault: string;
}

/** Not everybody throws Errors: libsodium.js throws objects that have nothing but a message. */
export function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : String(error);
}
