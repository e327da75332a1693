/** The contests of the page, and the names of their cases. */
import { bytesText } from '../numbers.ts';
import { SCALAR, SIMD, titleOf as usualTitle } from '../lanes.ts';
import type { Said } from '../prose.ts';
import { asm, ours, published, round } from '../../kernels/blake3-ladder/steps.ts';

const KIB = 1024;
export const LENGTHS: readonly number[] = [96, 512, KIB, 32 * KIB, 64 * KIB, 256 * KIB, KIB * KIB];
/** Lengths at which steps are told apart: a call costs little beside the hashing. */
export const LONG_LENGTHS: readonly number[] = LENGTHS.filter((length) => length >= 32 * KIB);
/** Shorter messages have too few chunks for lanes, so that steps 9 to 13 are step 8. */
const LANES_FROM = 4 * KIB;
const hasLanes = (length: number): boolean => length >= LANES_FROM;

export const at = (length: number): string => `studies/blake3-ladder/hash/${length}`;
export const OUTPUT = 'platforms/blake3/output/16384';
export const CONTESTS: readonly string[] = [...LENGTHS.map(at), OUTPUT];

export const lengthText = (length: number): Said => bytesText(length)!;

const names = (steps: readonly { readonly name: string }[]): readonly string[] => steps.map(({ name }) => name);
export const PUBLISHED: readonly string[] = names(published);
export const OURS: readonly string[] = names(ours);
/** All steps, in their order. */
export const STEPS: readonly string[] = [...PUBLISHED, ...OURS];
export const before = (step: string): string => STEPS[STEPS.indexOf(step) - 1];

export const NAIVE = STEPS[0];
export const BUFFERS = '7 buffers';
export const VIEWS = '8 views';
export const LANES = '9 lanes';
export const LAST = STEPS[STEPS.length - 1];
export const ASM = asm.name;
/** The third step as the case study takes it, which follows the second. */
export const ROUND = round.name;
export const PERMUTATIONS = STEPS[2];
export const VARIABLES = STEPS[4];
export const LIBRARY = SIMD;
/** The official crate as WebAssembly: with vectors, and without. */
export const RUST = ['fuzdev', 'blake3-wasm'] as const;
/** SHA-256 of the platform. */
export const PLATFORM = ['WebCrypto, SHA-256', 'node:crypto, SHA-256'] as const;

/** Cases as pictures and tables name them; steps have their own names. */
const TITLES: Readonly<Record<string, string>> = {
  fuzdev: 'Rust with vectors (fuzdev)',
  'blake3-wasm': 'Rust without vectors (blake3-wasm)',
  'noble, SHA-256': 'SHA-256, noble',
  'WebCrypto, SHA-256': 'SHA-256, WebCrypto',
  'node:crypto, SHA-256': 'SHA-256, node:crypto',
};
export const titleOf = (id: string): string => TITLES[id] ?? usualTitle(id);

/** The cases of a length, in the order of pictures and tables. */
export const casesAt = (length: number): readonly string[] => [
  ...STEPS.filter((step) => hasLanes(length) || !isLanes(step)).flatMap((step) =>
    step === VIEWS ? [step, ASM] : step === PERMUTATIONS ? [step, ROUND] : [step],
  ),
  LIBRARY,
  SCALAR,
  'lanewise js',
  ...Object.keys(TITLES),
];
export const isLanes = (step: string): boolean => step === LANES || (OURS.includes(step) && step !== LAST);
