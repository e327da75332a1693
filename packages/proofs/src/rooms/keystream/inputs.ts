// The inputs of claims about ChaCha: the ciphers of the family, their input block in the library's layout, and counters.
import { ASIDE, STAGE, EXTENDED, HEAD, PLAIN, SETS, SHORT_KEY, STATE } from '../../../../lanewise/src/keystream/map.ts';
import type { Range } from '../../execute/machine.ts';
import { carry } from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import { wordsOf, wordsOf64 } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import type { Rounds } from '../chacha/specification.ts';
import type { CallForm } from '../../claims/form.ts';
import { publicBytes, range, secrets } from '../../claims/compare.ts';

export interface ChaChaForm extends CallForm {
  /** Where HChaCha makes its block; HEAD unless given. */
  readonly scratch?: number;
}

export interface Cipher {
  readonly name: (rounds: Rounds) => string;
  readonly kind: number;
  readonly keyLength: 16 | 32;
  readonly nonceLength: 8 | 12 | 24;
}

export const IETF: Cipher = { name: (rounds) => `ChaCha${rounds}`, kind: PLAIN, keyLength: 32, nonceLength: 12 };
export const ORIGINAL: Cipher = {
  name: (rounds) => `original ChaCha${rounds}`,
  kind: PLAIN,
  keyLength: 32,
  nonceLength: 8,
};
export const SHORT_ORIGINAL: Cipher = {
  name: (rounds) => `original ChaCha${rounds}, 128-bit key`,
  kind: SHORT_KEY,
  keyLength: 16,
  nonceLength: 8,
};
export const EXTENDED_NONCE: Cipher = {
  name: (rounds) => `XChaCha${rounds}`,
  kind: EXTENDED,
  keyLength: 32,
  nonceLength: 24,
};

/** A block counter: its bytes as they are in memory, and its words for block number j. */
export interface Counter {
  readonly name: string;
  readonly bytes: readonly Term[];
  readonly at: (j: number) => Term[];
  /** Whether so many blocks are all that there are. */
  readonly ends?: (blocks: number) => boolean;
}

/** Any counter of 64 bits. */
export function anyCounter(): Counter {
  const bytes = secrets('counter', 8);
  const [low, high] = wordsOf(symbols, bytes);
  const at = (j: number): Term[] => {
    const number = symbols.word(j);
    return [symbols.add(low, number), symbols.add(high, carry(low, number))];
  };
  return { name: 'every counter', bytes, at };
}

export const counterOf = (value: bigint, length: 4 | 8): Counter => ({
  name: `counter ${value}`,
  bytes: publicBytes(value, length),
  at: (j) => wordsOf64(symbols, value + BigInt(j)).slice(0, length / 4),
  ends: (blocks) => length === 4 && value + BigInt(blocks) === 2n ** 32n,
});

/** Key and nonce, unknown. */
export interface Input {
  readonly key: Term[];
  readonly nonce: Term[];
}
export const inputOf = ({ keyLength, nonceLength }: Cipher): Input => ({
  key: secrets('key', keyLength),
  nonce: secrets('nonce', nonceLength),
});

/**
 * The input after the constants: the key (a short one twice), then counter and nonce; a long nonce comes before its
 * counter.
 */
export const inputBlock = ({ key, nonce }: Input, counter: readonly Term[]): Term[] => [
  ...key,
  ...(key.length === 16 ? key : []),
  ...(nonce.length === 24 ? [...nonce, ...counter] : [...counter, ...nonce]),
];
export const INPUT = STATE + 16;

/** Up to so many blocks are XORed one by one, or within themselves; more in sets. */
const FEW = 3;

/** How many blocks are read and written when so many are XORed. */
export const touchedBlocks = ({ lanes, short }: ChaChaForm, blocks: number): number =>
  lanes && !short && blocks > FEW ? (blocks + 3) & -4 : blocks;

/** The memory that XORing so many blocks at an address may touch: the input block, the work areas, the data. */
export function rangesOfXor(form: ChaChaForm, address: number, blocks: number): { reads: Range[]; writes: Range[] } {
  const data = range(address, 64 * touchedBlocks(form, blocks));
  const state = range(STATE, 80);
  const work = form.lanes && !form.short ? [range(SETS, 1024)] : [];
  return { reads: [state, data], writes: [state, range(form.scratch ?? HEAD, 64), data, ...work] };
}

/** The memory that a whole message with its additional data may touch; a tag may follow it, and all else is wiped. */
export function rangesOfMessage(form: ChaChaForm, aad: Range, length: number): { reads: Range[]; writes: Range[] } {
  const padded = (bytes: number): number => (bytes + 15) & -16;
  const blocks = touchedBlocks(form, Math.ceil(length / 64) + 1);
  const behind = 16 + OVERRUN;
  return {
    reads: [range(STATE, 96), aad, { from: HEAD, to: STAGE + 64 * blocks }],
    writes: [
      { from: aad.from, to: aad.from + padded(aad.to - aad.from) },
      ...(form.lanes ? [range(ASIDE, 512)] : []),
      { from: form.short ? STATE : SETS, to: STAGE + Math.max(64 * blocks, length + behind) },
    ],
  };
}
/** The number of bytes that are wiped after the tag: a set minus one block, and a block. */
const OVERRUN = 256;

export const ALL_ROUNDS: readonly Rounds[] = [8, 12, 20];
