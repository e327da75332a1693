// Shared by the claims about SHA-2: sizes, the memory of each function, words as the machine has them.
import { CONSTANTS, DIGEST, INITIAL, INNER, OUTER, SCHEDULE, STATE, SUM } from '../../../../lanewise/src/sha2/map.ts';
import { publicBytes, range } from '../../claims/compare.ts';
import type { Runnable, RunnableKernel } from '../../claims/runnable.ts';
import type { Range, Ranges } from '../../execute/run.ts';
import type { Term } from '../../terms/term.ts';
import { constantsOf, SHA256, SHA512, type Sha2Words, type Size } from './specification.ts';

export const sizeOf = (family: string): Size => (family === 'sha512' ? SHA512 : SHA256);
/** The bytes of a word, of a chaining value, of a block. */
export const bytesIn = ({ bits }: Size) => ({ word: bits / 8, value: bits, block: 2 * bits });

/** The lengths of digests: of SHA-224 and SHA-256, or of SHA-512/256, SHA-384 and SHA-512. */
export const endsOf = ({ bits }: Size): readonly number[] => (bits === 32 ? [28, 32] : [32, 48, 64]);

const constantsRange = ({ rounds, bits }: Size): Range => range(CONSTANTS, (rounds * bits) / 8);
/** The schedule; in vectors, that of SHA-256 is followed by the sums of its words and of the constants. */
export const scheduleRange = ({ rounds }: Size): Range => range(SCHEDULE, 8 * rounds);

/** The memory of each function, besides that of the constants. */
export const rangesOf = (size: Size) => {
  const { value, block } = bytesIn(size);
  const values = (...places: readonly number[]): Range[] => places.map((at) => range(at, value));
  const [state, digest] = [range(STATE, value), range(DIGEST, block)];
  const hashing = [state, scheduleRange(size)];
  const ranges = (reads: readonly Range[], writes: readonly Range[]): Ranges => ({
    reads: [constantsRange(size), ...reads],
    writes,
  });
  return {
    begin: (from: number) => ranges(values(from), [state]),
    compress: (address: number, blocks: number) => ranges([state, range(address, block * blocks)], hashing),
    digest: (to: number, end: number) => ranges([state], [range(to, end)]),
    key: () => ranges([digest, ...values(INITIAL)], [digest, ...hashing, ...values(INNER, OUTER)]),
    outer: (end: number) => ranges([state, digest, ...values(OUTER)], [range(DIGEST, end), ...hashing]),
    iterate: (end: number) =>
      ranges([digest, range(SUM, end), ...values(INNER, OUTER)], [range(DIGEST, end), range(SUM, end), ...hashing]),
  };
};

/** The bytes of words as the machine has them: little-endian. */
export const machineBytes = <L>(w: Sha2Words<Term, L>, words: readonly L[]): Term[] =>
  words.flatMap((word) => w.toBytes(word));
export const machineWords = <L>(w: Sha2Words<Term, L>, size: Size, bytes: readonly Term[]): L[] => {
  const { word } = bytesIn(size);
  return Array.from({ length: bytes.length / word }, (_, i) => w.fromBytes(bytes.slice(word * i, word * (i + 1))));
};

/** A run whose memory has the constants, as {@link constantsClaim} has them. */
export function started(kernel: RunnableKernel, size: Size, ranges: Ranges): Runnable {
  const run = kernel.start(ranges);
  for (const [i, constant] of constantsOf(size).entries())
    run.write(CONSTANTS + bytesIn(size).word * i, publicBytes(constant, bytesIn(size).word));
  return run;
}

/** A kernel, its size and the words that it computes with. */
export interface Subject<L> {
  readonly kernel: RunnableKernel;
  readonly size: Size;
  readonly w: Sha2Words<Term, L>;
}
