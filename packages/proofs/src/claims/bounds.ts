// What the kernels touch of memory, at many more lengths than the claims about results have: every one around blocks and
// sets, and the last ones for which memory has room. A call that reads what nobody gave it, or writes where it may not,
// fails.
import { FIRST_BYTES } from '../../../lanewise/src/salsa/map.ts';
import { AAD, AAD_BYTES, DATA, DATA_BYTES, EXTENDED, PLAIN, POLY, STATE } from '../../../lanewise/src/keystream/map.ts';
import { BLOCK, CV, KEY, STAGE, STAGE_BYTES } from '../../../lanewise/src/blake3/map.ts';
import * as poly1305 from '../../../lanewise/src/poly1305/map.ts';
import { STATE_BYTES } from '../../../lanewise/src/poly1305/map.ts';
import { flowOfText } from '../javascript/flow.ts';
import type { KernelText } from '../javascript/texts.ts';
import type { Family, Kernel } from '../kernels.ts';
import { rangesOfBlake3, rangesOfMany, rangesOfOutput, type Blake3Form } from './blake3.ts';
import { formOf, rangesOfMessage, rangesOfXor, type ChaChaForm } from './chacha-inputs.ts';
import type { Claim } from './claim.ts';
import { range } from './compare.ts';
import { diskBounds } from './disk-bounds.ts';
import { flowOf, type FlowKernel } from './flow.ts';
import { called, type Called } from './runnable.ts';
import { rangesOfBox, TAG_PLACE } from './secretbox.ts';
import { serpentBounds, serpentCtrBounds } from './serpent-bounds.ts';

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
/** Three groups of eight blocks, and the two that a group waits for. */
const aroundBlocks = upTo(6, 26).flatMap((blocks) => upTo(64 * blocks - 1, 64 * blocks + 1));
const TAG_BYTES = 16;
export const SEALING = ['seal', 'open'] as const;
const ACCUMULATOR_BYTES = 20;

export function sealChacha(
  kernel: FlowKernel,
  form: ChaChaForm,
  name: 'seal' | 'open',
  aadLength: number,
  length: number,
): Called {
  const aad = range(AAD, aadLength);
  const run = kernel.start(rangesOfMessage(form, aad, length));
  run.write(STATE, 80, true);
  run.write(AAD, aadLength, true);
  // Ciphertext and tag are anybody's.
  run.write(DATA, length + (name === 'open' ? TAG_BYTES : 0), name === 'seal');
  return called(run, name, PLAIN, aadLength, length);
}

export function xorChacha(kernel: FlowKernel, form: ChaChaForm, blocks: number): Called {
  const run = kernel.start(rangesOfXor(form, DATA, blocks));
  run.write(STATE, 64, true);
  run.write(DATA, 64 * blocks, true);
  return called(run, 'xor', PLAIN, 10, DATA, blocks);
}

export function sealBox(kernel: FlowKernel, name: 'seal' | 'open', length: number): Called {
  const run = kernel.start(rangesOfBox(length));
  run.write(STATE, 80, true);
  run.write(TAG_PLACE, TAG_BYTES + length, name === 'seal');
  return called(run, name, EXTENDED, length);
}

export function hashBlake3(kernel: FlowKernel, form: Blake3Form, length: number): Called {
  const run = kernel.start(rangesOfBlake3(form, length));
  run.write(KEY, 32, true);
  run.write(STAGE, length, true);
  return called(run, 'hash', length, 16);
}

export function macPoly1305(kernel: FlowKernel, length: number): Called {
  const { STATE: state, STAGE: stage, TAG: tag } = poly1305;
  const padded = range(stage, (length + 15) & -16);
  const writes = [range(state, 64), range(tag, 16), padded];
  const run = kernel.start({ reads: [range(state + 32, 32), padded], writes });
  run.write(state + 32, 32, true);
  run.write(stage, length, true);
  return called(run, 'mac', length);
}

/** Of a message in parts: the padding of the last block is all that is written beside the accumulator. */
const absorbBounds = (kernel: FlowKernel): Claim => ({
  kernel: kernel.name,
  claim: 'bounds: absorb, every length up to 66, and the most',
  prove() {
    for (const length of [...upTo(0, 66), DATA_BYTES - 1, DATA_BYTES]) {
      const padding = range(DATA + length, -length & 15);
      const poly = range(POLY, ACCUMULATOR_BYTES);
      const run = kernel.start({ reads: [padding], writes: [poly, padding] });
      run.write(POLY, STATE_BYTES, true);
      run.write(DATA, length, true);
      run.call('absorb', DATA, length);
    }
  },
});

function chachaBounds(kernel: FlowKernel, form: ChaChaForm): Claim[] {
  const lengths = form.short ? upTo(0, 64) : [...upTo(0, 320), ...aroundBlocks, DATA_BYTES - 1, DATA_BYTES];
  const every = form.short
    ? 'every length up to 64'
    : 'every length up to 320, around every block up to 1664, the most';
  const claim = (text: string, prove: () => void): Claim => ({ kernel: kernel.name, claim: text, prove });
  return [
    claim(`bounds: xor, every number of blocks up to ${form.short ? '2' : '66, and the most'}`, () => {
      for (const blocks of [...upTo(0, form.short ? 2 : 66), ...(form.short ? [] : [DATA_BYTES / 64])]) {
        xorChacha(kernel, form, blocks);
      }
    }),
    ...SEALING.map((name) =>
      claim(`bounds: ${name}, ${every}`, () => {
        for (const length of lengths) sealChacha(kernel, form, name, 0, length);
      }),
    ),
    claim(`bounds: additional data, every length up to ${form.short ? '64' : '66, and the most'}`, () => {
      for (const aadLength of [...upTo(0, form.short ? 64 : 66), ...(form.short ? [] : [AAD_BYTES - 1, AAD_BYTES])])
        for (const name of SEALING) sealChacha(kernel, form, name, aadLength, form.short ? 64 - aadLength : 100);
    }),
    ...(form.short ? [] : [absorbBounds(kernel)]),
  ];
}

/** Where MAC blocks and the cipher's end, sets, and groups of the woven loop; with every length of a message in one set. */
const boxLengths = [
  ...upTo(0, 130),
  ...[160, 192, 224, 256, 480, 512, 544, 992, 1056, 1504].flatMap((n) => upTo(n - 1, n + 1)),
];

function secretboxBounds(kernel: FlowKernel, { short, aligned }: ChaChaForm): Claim[] {
  // The most takes long where an interpreter runs it; the text does what the scalar kernel does.
  const most = aligned ? [] : [FIRST_BYTES + DATA_BYTES];
  const lengths = short ? upTo(0, 64) : [...boxLengths, ...most];
  const every = short
    ? 'every length up to 64'
    : `every length up to 130, around sets and groups${aligned ? '' : ', the most'}`;
  const whole = SEALING.map((name) => ({
    kernel: kernel.name,
    claim: `bounds: ${name}, ${every}`,
    prove() {
      for (const length of lengths) sealBox(kernel, name, length);
    },
  }));
  return [...whole, ...(short ? [] : [absorbBounds(kernel)])];
}

function blake3Bounds(kernel: FlowKernel, form: Blake3Form): Claim[] {
  const around = (chunks: number): number[] => upTo(1024 * chunks - 1, 1024 * chunks + 1);
  const lengths = [...upTo(0, 200), ...upTo(1020, 1100), ...[2, 3, 4, 5, 7, 8, 9, 16, 17, 33].flatMap(around)];
  return [
    {
      kernel: kernel.name,
      claim: 'bounds: hash, every length up to 200, around chunks, and the most',
      prove() {
        for (const length of [...lengths, STAGE_BYTES - 1, STAGE_BYTES]) hashBlake3(kernel, form, length);
      },
    },
  ];
}

/** From any block on. */
export function outputBlake3(kernel: FlowKernel, form: Blake3Form, blocks: number): Called {
  const run = kernel.start(rangesOfOutput(form, blocks));
  run.write(CV, 32, true);
  run.write(BLOCK, 64, true);
  return called(run, 'output', 64, 7, 0, 27, blocks);
}

/** Messages of 65 bytes side by side. */
export function manyBlake3(kernel: FlowKernel, form: Blake3Form, count: number): Called {
  const run = kernel.start(rangesOfMany(form, count, 2));
  run.write(KEY, 32, true);
  run.write(STAGE, 128 * count, true);
  return called(run, 'many', count, 2, 1, 16);
}

function poly1305Bounds(kernel: FlowKernel): Claim[] {
  const most = poly1305.STAGE_BYTES;
  return [
    {
      kernel: kernel.name,
      claim: 'bounds: mac, every length up to 530, and the most',
      prove() {
        for (const length of [...upTo(0, 530), most - 1, most]) macPoly1305(kernel, length);
      },
    },
  ];
}

function boundsOf(kernel: FlowKernel, family: Family, form: ChaChaForm): Claim[] {
  switch (family) {
    case 'chacha':
      return chachaBounds(kernel, form);
    case 'secretbox':
      return secretboxBounds(kernel, form);
    case 'poly1305':
      return poly1305Bounds(kernel);
    case 'blake3':
      return blake3Bounds(kernel, form);
    case 'serpent':
      return serpentBounds(kernel, form);
    case 'serpent-ctr':
      return serpentCtrBounds(kernel, form);
    case 'disk':
      return diskBounds(kernel);
  }
}

export const boundsClaims = (kernel: Kernel): Claim[] => boundsOf(flowOf(kernel), kernel.family, formOf(kernel));

/** Of the `js` engine's text, which reads and writes words at multiples of four. */
export const boundsTextClaims = (text: KernelText): Claim[] =>
  boundsOf(flowOfText(text), text.family, { lanes: false, short: false, aligned: true });
