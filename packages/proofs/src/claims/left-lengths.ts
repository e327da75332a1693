// Claims about the secrets that calls of a kernel leave in memory, and about the memory that they touch, at every
// length: for messages up to 2048 bytes, which covers two iterations of the largest loops and the code before and after
// them, and for additional data up to the maximum of 1024. For the text of the `js` engine, which an interpreter runs,
// a random sample of lengths is used.
import { flowOfText } from '../javascript/flow.ts';
import type { KernelText } from '../javascript/texts.ts';
import { kernels, type Family, type Kernel } from '../kernels.ts';
import { proofsOf } from '../rooms.ts';
import { Failure, type Claim } from './claim.ts';
import { drawn, seedText } from './drawn.ts';
import { flowOf } from './flow.ts';
import { formOf, TEXT_FORM } from './form.ts';
import type { Left } from './left.ts';
import type { Called } from './runnable.ts';
import type { Way } from './ways.ts';

/** The secrets that a call may leave, if the kernel has such a function. */
export function leftBy(family: Family, name: string, parameters: readonly number[]): Left {
  const left = proofsOf(family).left[name];
  if (!left) throw new Error(`nothing is known of what ${name} of ${family} leaves`);
  return left(...parameters);
}

/** Whether a form of a kernel takes so long that its messages are kept short. */
export const isSlow = ({ family, form }: Kernel): boolean => proofsOf(family).slowForms?.includes(form) ?? false;

const MOST = 2048;
/**
 * The limit for kernels with vectors but without relaxed instructions, if relaxed forms exist too: they are the same
 * functions with other rotations. The limit also applies to forms that take long: two groups of sixteen blocks and a
 * block.
 */
const LESS = 16 * 33;
const mostOf = (kernel: Kernel): number => {
  const { family, form } = kernel;
  const hasRelaxed = kernels.some((other) => other.family === family && other.form === 'relaxed');
  return isSlow(kernel) || (hasRelaxed && form === 'swizzle') ? LESS : MOST;
};

/** Throws Failure if a call left secrets in memory that the caller does not wipe. */
export function requireLeft(family: Family, { run, name, parameters }: Called): void {
  const { given, wiped } = leftBy(family, name, parameters);
  const places = [...given, ...wiped];
  const stray = run.secretBytes({ taken: false }).find((at) => !places.some(({ from, to }) => at >= from && at < to));
  if (stray === undefined) return;
  throw new Failure(`${name} of ${parameters.join(', ')} leaves what depends on a secret at ${stray} (${seedText})`);
}

/** The lengths between two bounds that a claim covers, and their description in the claim's name. */
interface Lengths {
  from(least: number, most: number): number[];
  said(least: number, most: number, unit: string): string;
}

const EVERY: Lengths = {
  from: (least, most) => Array.from({ length: most - least + 1 }, (_, i) => least + i),
  said: (least, most, unit) => `every number of ${unit} from ${least} to ${most}`,
};

const DRAWN = 48;
const SOME: Lengths = {
  from: (least, most) => [least, ...drawn(DRAWN, least, most), most],
  said: (least, most, unit) => `${DRAWN + 2} numbers of ${unit} from ${least} to ${most}, drawn`,
};

const claimsOf = (kernel: string, family: Family, ways: readonly Way[], lengths: Lengths): Claim[] =>
  ways.map(({ name, unit, least, most, call }) => ({
    kernel,
    claim: `left in memory: ${name}, ${lengths.said(least, most, unit)}`,
    prove() {
      for (const number of lengths.from(least, most)) requireLeft(family, call(number));
    },
  }));

export const leftClaims = (kernel: Kernel): Claim[] => {
  const ways = proofsOf(kernel.family).ways(flowOf(kernel), formOf(kernel), mostOf(kernel));
  return claimsOf(kernel.name, kernel.family, ways, EVERY);
};

/** The same claims about the `js` engine's text, which computes the same as the scalar module. */
export const leftTextClaims = (text: KernelText): Claim[] =>
  claimsOf(text.name, text.family, proofsOf(text.family).ways(flowOfText(text), TEXT_FORM, MOST), SOME);
