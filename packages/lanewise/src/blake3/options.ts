/** The options of a caller, and the mode that they make: §2.3 of the paper. */
import { hash } from './hash.ts';
import { initialValue, KEY_BYTES, type Mode } from './mode.ts';
import { bytesOrText, lengthOf, sizeOf } from '../calls/checks.ts';
import { optionOf, optionsOf, type Options } from '../calls/options.ts';
import { DERIVE_KEY_CONTEXT, DERIVE_KEY_MATERIAL, KEYED_HASH } from './rounds.ts';

/** The options of BLAKE3. */
export interface Blake3Options {
  /** 32 bytes: the keyed hash, a MAC. */
  readonly key?: Uint8Array;
  /**
   * Derives a key: a hard-coded, globally unique string that names the application and the purpose of the key. The
   * message is the key material. Hosts without TextEncoder, such as React Native before 0.74, need the bytes of the string.
   */
  readonly context?: string | Uint8Array;
  /** How many bytes a digest has, 32 unless given; 0 is allowed, and gives none. */
  readonly dkLen?: number;
}

const DIGEST_BYTES = 32;

const OPTIONS = { __proto__: null, key: 1, context: 1, dkLen: 1, offset: 'give it to subtree()' } as const;

const plain: Mode = { key: initialValue, flags: 0, length: DIGEST_BYTES };

/** Checks the options, and makes a mode of them. */
export function modeOf(options: Blake3Options | undefined): Mode {
  return options === undefined ? plain : modeFrom(optionsOf(options, OPTIONS));
}

/**
 * The mode of options whose names are checked. A key that is not derived is the caller's own array: a call reads it
 * once, or copies it.
 */
export function modeFrom(options: Options<typeof OPTIONS>): Mode {
  const key = optionOf(options, 'key');
  const context = optionOf(options, 'context');
  const dkLen = optionOf(options, 'dkLen');
  if (key !== undefined && context !== undefined) throw new Error('cannot use both "key" and "context"');
  const length = dkLen === undefined ? DIGEST_BYTES : sizeOf(dkLen, 'dkLen');
  if (key !== undefined) {
    lengthOf(key, 'key', KEY_BYTES);
    return { key: key as Uint8Array, flags: KEYED_HASH, length };
  }
  if (context !== undefined) return { key: contextKey(context), flags: DERIVE_KEY_MATERIAL, length };
  return { key: initialValue, flags: 0, length };
}

/** The key of a derivation is the hash of its context, in a mode of its own. */
function contextKey(context: unknown): Uint8Array {
  const bytes = bytesOrText(context, 'context');
  return hash(bytes, lengthOf(bytes, 'context'), { key: initialValue, flags: DERIVE_KEY_CONTEXT, length: KEY_BYTES });
}
