/** The saved form of a state: version, flags, depth, 0, pending bytes (4), chunks (8), digest (8); key, stack, pending. */
import { lengthOf } from './checks.ts';
import { Bytes, copyBytes, part } from './engine/intrinsics.ts';
import { DERIVE_KEY_MATERIAL, KEYED_HASH } from './rounds/blake3.ts';

/** What there is to save. Lengths of `stack` and `pending` are exact. */
export interface State {
  readonly mode: { readonly key: Uint8Array; readonly flags: number; readonly length: number };
  readonly chunks: number;
  readonly stack: Uint8Array;
  readonly pending: Uint8Array;
}

const VERSION = 1;
const HEADER = 24;
const KEY = 32;
const CV = 32;
const MODES = [0, KEYED_HASH, DERIVE_KEY_MATERIAL];

export function encode({ mode, chunks, stack, pending }: State): Uint8Array<ArrayBuffer> {
  const saved = new Bytes(HEADER + KEY + stack.length + pending.length);
  const view = new DataView(saved.buffer);
  saved[0] = VERSION;
  saved[1] = mode.flags;
  saved[2] = stack.length / CV;
  view.setUint32(4, pending.length, true);
  view.setBigUint64(8, BigInt(chunks), true);
  view.setBigUint64(16, BigInt(mode.length), true);
  copyBytes(saved, mode.key, HEADER);
  copyBytes(saved, stack, HEADER + KEY);
  copyBytes(saved, pending, HEADER + KEY + stack.length);
  return saved;
}

/** `gathered` chunks at a time leave what is pending. */
export function decode(given: Uint8Array, gathered: number, mostPending: number): State {
  const saved = new Bytes(lengthOf(given, 'state'));
  copyBytes(saved, given);
  const wrong = (): RangeError => new RangeError('"state" expected what save() of this version gave');
  if (saved.length < HEADER + KEY || saved[0] !== VERSION || saved[3] !== 0) throw wrong();
  const view = new DataView(saved.buffer);
  const [flags, depth, pendingLength] = [saved[1], saved[2], view.getUint32(4, true)];
  const [chunks, length] = [Number(view.getBigUint64(8, true)), Number(view.getBigUint64(16, true))];
  const pendingAt = HEADER + KEY + depth * CV;
  const right =
    MODES.includes(flags) &&
    Number.isSafeInteger(chunks) &&
    chunks % gathered === 0 &&
    // Subtrees are powers of two, one for each bit of their sum.
    depth === bitsOf(chunks) &&
    pendingLength <= mostPending &&
    (pendingLength > 0 || chunks === 0) &&
    Number.isSafeInteger(length) &&
    length > 0 &&
    saved.length === pendingAt + pendingLength;
  if (!right) throw wrong();
  return {
    mode: { key: part(saved, HEADER, KEY), flags, length },
    chunks,
    stack: part(saved, HEADER + KEY, depth * CV),
    pending: part(saved, pendingAt, pendingLength),
  };
}

function bitsOf(n: number): number {
  let bits = 0;
  for (let rest = n; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2;
  return bits;
}
