// The setting of claims about Serpent: the forms of its kernels, the memory that they may touch, and keys.
import * as layout from '../../../../lanewise/src/serpent/map.ts';
import type { Range, Ranges } from '../../execute/machine.ts';
import type { Kernel } from '../../kernels.ts';
import { decipher, decryptBlock, encipher, encryptBlock, roundKeys } from './specification.ts';
import * as terms from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import type { Claim } from '../../claims/claim.ts';
import { publicBytes, secrets } from '../../claims/compare.ts';
import type { Runnable, RunnableKernel } from '../../claims/runnable.ts';
import { serpentSymbols as w } from './symbols.ts';

const { BLOCK, COUNTER, STAGE, IV, KEY, ROUND, SETS } = layout;
const ROUND_BYTES = 33 * BLOCK;

export interface SerpentForm {
  /** In the text of the `js` engine, which takes longest, OCB is claimed at some of the lengths. */
  readonly text?: boolean;
  /** Whether blocks are in sets of four; the last set is read and written whole. */
  readonly lanes: boolean;
}
export const formOf = ({ form }: Kernel): SerpentForm => ({ lanes: form !== 'scalar' });

/** Numbers of blocks around a pair of sets and a group, and two groups and a block; `induction.ts` has all numbers. */
export const BLOCK_COUNTS = [1, 2, 8, 9, 15, 16, 17, 33] as const;
export const GROUP_BYTES = 16 * BLOCK;
export const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
/** The work areas, and the blocks at STAGE with the margin after them. */
export function rangesOf(length: number): Required<Ranges> {
  const data: Range = { from: IV, to: STAGE + ((length + 15) & -16) + layout.MARGIN };
  const keys: Range = { from: KEY, to: ROUND + ROUND_BYTES };
  const work: Range = { from: SETS, to: COUNTER + BLOCK };
  return { reads: [keys, work, data], writes: [keys, work, data] };
}

export const blocksOf = (bytes: readonly Term[]): Term[][] =>
  Array.from({ length: bytes.length / BLOCK }, (_, i) => bytes.slice(BLOCK * i, BLOCK * (i + 1)));

/** An unknown key; a short one with its padding, as the caller writes it. */
export function keyOf(length: 16 | 24 | 32 = 32) {
  const bytes = secrets('key', length);
  const keys = roundKeys(w, bytes);
  const padding = length === 32 ? [] : publicBytes(1n, 32 - length);
  return {
    memory: [...bytes, ...padding],
    encrypt: (block: readonly Term[]) => encryptBlock(w, keys, block),
    decrypt: (block: readonly Term[]) => decryptBlock(w, keys, block),
    encipher: (block: readonly Term[]) => encipher(w, keys, block),
    decipher: (block: readonly Term[]) => decipher(w, keys, block),
  };
}
export type Key = ReturnType<typeof keyOf>;

export function started(kernel: RunnableKernel, key: Key, length: number): Runnable {
  const run = kernel.start(rangesOf(length));
  run.write(KEY, key.memory);
  return run;
}

/** Each claim forgets the terms of others, because cuts of one claim must not be used in another. */
export const claimOf =
  ({ name }: Pick<RunnableKernel, 'name'>) =>
  (text: string, prove: () => void): Claim => ({
    kernel: name,
    topic: 'serpent',
    claim: text,
    prove() {
      terms.forgetTerms();
      try {
        prove();
      } finally {
        terms.forgetTerms();
      }
    },
  });
