/** What distinguishes the three modes of BLAKE3 once they are set up, §2.3 of the paper. */
import { kindOf } from '../calls/checks.ts';
import { fillBytes, floor } from '../engine/intrinsics.ts';
import { IV } from './rounds.ts';

/** What chunks and parents start from, the flag of the mode, and the length of a digest. */
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

/** Checks how many bytes of output are wanted. */
export function outputLength(length: unknown, name: string): number {
  if (typeof length !== 'number') throw new TypeError(`"${name}" expected integer, got ${kindOf(length)}`);
  if (!(length >= 1 && length < 2 ** 53 && floor(length) === length))
    throw new RangeError(`"${name}" expected integer from 1 up, got ${length}`);
  return length;
}

/** Wipes a key that a call has made for itself. */
export function wipeMode({ key }: Mode): void {
  if (key !== initialValue) fillBytes(key, 0);
}
