// What calls of a kernel leave of secrets, and that they touch nothing else of memory, at every length: of messages up to
// 2048 bytes, which is two turns of the largest loops and what comes before and behind them, and of additional data up to
// 1024, which is the most. In the text of the `js` engine, which an interpreter runs, lengths are drawn.
import { AAD_BYTES, SHORT_BYTES } from '../../../lanewise/src/keystream/map.ts';
import { flowOfText } from '../javascript/flow.ts';
import type { KernelText } from '../javascript/texts.ts';
import type { Family, Kernel } from '../kernels.ts';
import {
  hashBlake3,
  macPoly1305,
  manyBlake3,
  outputBlake3,
  SEALING,
  sealBox,
  sealChacha,
  xorChacha,
} from './bounds.ts';
import { formOf, type ChaChaForm } from './chacha-inputs.ts';
import { Failure, type Claim } from './claim.ts';
import { pages } from './disk-bounds.ts';
import { drawn, seedText } from './drawn.ts';
import { flowOf, type FlowKernel } from './flow.ts';
import { leftBy } from './left.ts';
import type { Called } from './runnable.ts';
import { BLOCK_MODES, CTR, inMode, sealOcb } from './serpent-bounds.ts';

const MOST = 2048;
/**
 * Of vectors without the relaxed instructions where there are those, too: the same functions with other rotations. And of
 * Serpent without lanes, which takes long: two groups of sixteen blocks and a block.
 */
const LESS = 16 * 33;
const mostOf = ({ family, cipher, form }: Kernel): number => {
  const hasRelaxed = family === 'chacha' || family === 'blake3' || family === 'disk' || cipher === 'chacha';
  const takesLong = family.startsWith('serpent') && form === 'scalar';
  return takesLong || (hasRelaxed && form === 'swizzle') ? LESS : MOST;
};
/** Of a message with additional data, where the kernel is not for short ones. */
const WITH_AAD = 77;

/** Throws Failure if a call left secrets where nobody looks for them. */
export function requireLeft(family: Family, { run, name, parameters }: Called): void {
  const { given, wiped } = leftBy(family, name, parameters);
  const places = [...given, ...wiped];
  const stray = run.secretBytes({ taken: false }).find((at) => !places.some(({ from, to }) => at >= from && at < to));
  if (stray === undefined) return;
  throw new Failure(`${name} of ${parameters.join(', ')} leaves what depends on a secret at ${stray} (${seedText})`);
}

/** Which of the lengths from one to another a claim has, and what it says of them. */
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

/** A way to call the kernel by one number. */
interface Way {
  readonly name: string;
  readonly unit: string;
  readonly least: number;
  readonly most: number;
  readonly call: (number: number) => Called;
}

const bytes = (name: string, most: number, call: (length: number) => Called, least = 0): Way => ({
  name,
  unit: 'bytes',
  least,
  most,
  call,
});
const counted = (name: string, unit: string, most: number, call: (count: number) => Called): Way => ({
  name,
  unit,
  least: 1,
  most,
  call,
});

/** Messages of up to so many bytes; with additional data in a kernel for short ones both together have as many. */
const sealing = (most: number, seal: (name: 'seal' | 'open', aadLength: number, length: number) => Called): Way[] =>
  SEALING.flatMap((name) => [
    bytes(name, most, (length) => seal(name, 0, length)),
    {
      ...(most === SHORT_BYTES
        ? bytes(name, most, (aadLength) => seal(name, aadLength, most - aadLength))
        : bytes(name, AAD_BYTES, (aadLength) => seal(name, aadLength, WITH_AAD))),
      unit: 'bytes of additional data',
    },
  ]);

function waysOf(kernel: FlowKernel, family: Family, form: ChaChaForm, mostBytes: number): Way[] {
  const most = form.short ? SHORT_BYTES : mostBytes;
  switch (family) {
    case 'chacha':
      return [
        ...sealing(most, (name, aadLength, length) => sealChacha(kernel, form, name, aadLength, length)),
        counted('xor', 'blocks', form.short ? 2 : 33, (blocks) => xorChacha(kernel, form, blocks)),
      ];
    case 'secretbox':
      return SEALING.map((name) => bytes(name, most, (length) => sealBox(kernel, name, length)));
    case 'poly1305':
      return [bytes('mac', most, (length) => macPoly1305(kernel, length))];
    case 'blake3':
      return [
        bytes('hash', most, (length) => hashBlake3(kernel, form, length)),
        counted('output', 'blocks', 33, (blocks) => outputBlake3(kernel, form, blocks)),
        counted('many', 'messages', 64, (count) => manyBlake3(kernel, form, count)),
      ];
    case 'serpent':
      return [
        ...sealing(most, (name, aadLength, length) => sealOcb(kernel, name, aadLength, length)),
        ...BLOCK_MODES.map((mode) => counted(mode.name, 'blocks', most / 16, (blocks) => inMode(kernel, mode, blocks))),
      ];
    case 'serpent-ctr':
      return [counted('ctr', 'blocks', most / 16, (blocks) => inMode(kernel, CTR, blocks))];
    case 'disk':
      return ['hpolyc', 'adiantum'].flatMap((cipher, nh) =>
        ['encrypted', 'decrypted'].map((what, back) =>
          bytes(`pages of ${cipher}, ${what}`, most, (length) => pages(kernel, nh, back, length, 1), 16),
        ),
      );
  }
}

const claimsOf = (kernel: string, family: Family, ways: readonly Way[], lengths: Lengths): Claim[] =>
  ways.map(({ name, unit, least, most, call }) => ({
    kernel,
    claim: `left in memory: ${name}, ${lengths.said(least, most, unit)}`,
    prove() {
      for (const number of lengths.from(least, most)) requireLeft(family, call(number));
    },
  }));

export const leftClaims = (kernel: Kernel): Claim[] =>
  claimsOf(kernel.name, kernel.family, waysOf(flowOf(kernel), kernel.family, formOf(kernel), mostOf(kernel)), EVERY);

/** Of the `js` engine's text, which does what the scalar module does. */
export function leftTextClaims(text: KernelText): Claim[] {
  const form = { lanes: false, short: false, aligned: true };
  return claimsOf(text.name, text.family, waysOf(flowOfText(text), text.family, form, MOST), SOME);
}
