/** The options of a caller, and the mode that they make: §2.3 of the paper. */
import { hash } from './hash.ts';
import { initialValue, outputLength, type Mode } from './mode.ts';
import { isBytes, kindOf, lengthOf } from '../calls/checks.ts';
import { copyOf, hasOwn } from '../engine/intrinsics.ts';
import { DERIVE_KEY_CONTEXT, DERIVE_KEY_MATERIAL, KEYED_HASH } from './rounds.ts';

/** What a BLAKE3 takes beside the message. */
export interface Blake3Options {
  /** 32 bytes: the keyed hash, a MAC. */
  readonly key?: Uint8Array;
  /** Where and what for a key is derived, hard-coded and unique; the message then is the key material. */
  readonly context?: string | Uint8Array;
  /** How many bytes a digest has, 32 unless given. */
  readonly dkLen?: number;
}

const KEY_BYTES = 32;
const DIGEST_BYTES = 32;

const plain: Mode = { key: initialValue, flags: 0, length: DIGEST_BYTES };

/** Checks the options, and makes a mode of them. */
export function modeOf(options: Blake3Options | undefined): Mode {
  if (options === undefined) return plain;
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`"options" expected object, got ${kindOf(options)}`);
  const key = own(options, 'key');
  const context = own(options, 'context');
  const dkLen = own(options, 'dkLen');
  if (key !== undefined && context !== undefined) throw new Error('cannot use both "key" and "context"');
  const length = dkLen === undefined ? DIGEST_BYTES : outputLength(dkLen, 'dkLen');
  if (key !== undefined) return { key: keyOf(key), flags: KEYED_HASH, length };
  if (context !== undefined) return { key: contextKey(context), flags: DERIVE_KEY_MATERIAL, length };
  return { key: initialValue, flags: 0, length };
}

/** What somebody put into Object.prototype is no option. */
export const own = <Name extends string>(options: { readonly [K in Name]?: unknown }, name: Name): unknown =>
  hasOwn(options, name) ? options[name] : undefined;

function keyOf(key: unknown): Uint8Array {
  return copyOf(key as Uint8Array, lengthOf(key, 'key', KEY_BYTES));
}

/** The key of a derivation is the hash of its context, in a mode of its own. */
function contextKey(context: unknown): Uint8Array {
  const bytes = typeof context === 'string' ? new TextEncoder().encode(context) : context;
  if (!isBytes(bytes)) throw new TypeError(`"context" expected string or Uint8Array, got ${kindOf(context)}`);
  return hash(bytes, lengthOf(bytes, 'context'), { key: initialValue, flags: DERIVE_KEY_CONTEXT, length: KEY_BYTES });
}
