/** The three modes of BLAKE3, reduced to the parameters in which they differ: §2.3 of the paper. */
import { copyOf, fillBytes } from '../engine/intrinsics.ts';
import { IV, KEYED_HASH } from './rounds.ts';

export const KEY_BYTES = 32;

/** A mode: the value that chunks and parents start from, the mode's flag, and the length of a digest. */
export interface Mode {
  readonly key: Uint8Array;
  readonly flags: number;
  readonly length: number;
}

/** Mode hash starts from SHA-256's initial value. */
export const initialValue: Uint8Array = /* @__PURE__ */ Uint8Array.from(
  { length: 32 },
  (_, i) => IV[i >> 2] >>> (8 * (i & 3)),
);

/** The same mode with a private copy of the key, for code that keeps the key or reads it more than once. */
export const ownMode = (mode: Mode): Mode =>
  mode.flags & KEYED_HASH ? { ...mode, key: copyOf(mode.key, KEY_BYTES) } : mode;

/** Wipes the key of a mode that owns it. */
export function wipeMode({ key }: Mode): void {
  if (key !== initialValue) fillBytes(key, 0);
}

/** Wipes the key of a mode that options gave, unless it is the caller's. */
export function wipeDerived(mode: Mode): void {
  if (!(mode.flags & KEYED_HASH)) wipeMode(mode);
}
