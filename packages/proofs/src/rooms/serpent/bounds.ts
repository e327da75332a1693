// The memory that the kernels of Serpent touch, at every length around blocks, sets and groups; in lanes also the most that
// goes into one call. One block at a time that is a loop of some thousand turns which differ in an address only.
import {
  AAD,
  AAD_BYTES,
  COUNTER,
  STAGE,
  STAGE_BYTES,
  IV,
  KEY,
  STRETCH,
  WORK,
} from '../../../../lanewise/src/serpent/map.ts';
import type { Claim } from '../../claims/claim.ts';
import type { FlowKernel } from '../../claims/flow.ts';
import type { CallForm } from '../../claims/form.ts';
import { called, type Called } from '../../claims/runnable.ts';
import { rangesOf } from './setting.ts';
import { counted, sealing, type Way } from '../../claims/ways.ts';

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
/** Padding may make a block more than the stage takes. */
const MOST = STAGE_BYTES / 16 + 1;
const blockCounts = (most: boolean): number[] => (most ? [...upTo(1, 35), MOST - 1, MOST] : upTo(1, 18));
const lengthsOf = (most: boolean): number[] =>
  most ? [...upTo(0, 70), ...upTo(250, 275), STAGE_BYTES - 1, STAGE_BYTES] : [...upTo(0, 34), ...upTo(255, 258)];

const started = (kernel: FlowKernel, length: number) => {
  const run = kernel.start(rangesOf(length));
  run.write(KEY, 32, true);
  return run;
};

/** A mode without authentication: its function, and where its IV or counter is. */
interface Mode {
  readonly name: string;
  readonly place: number;
  /** The parameters before the number of blocks: whether round keys are to be made, and for CTR the byte order. */
  readonly parameters: readonly number[];
}
const CTR: Mode = { name: 'ctr', place: COUNTER, parameters: [1, 1] };
const BLOCK_MODES: readonly Mode[] = ['ecbEncrypt', 'ecbDecrypt', 'cbcEncrypt', 'cbcDecrypt'].map((name) => ({
  name,
  place: IV,
  parameters: [1],
}));

function inMode(kernel: FlowKernel, { name, place, parameters }: Mode, blocks: number): Called {
  const run = started(kernel, 16 * blocks);
  run.write(place, 16, true);
  run.write(STAGE, 16 * blocks, true);
  return called(run, name, ...parameters, blocks);
}

function sealOcb(kernel: FlowKernel, name: 'seal' | 'open', aadLength: number, length: number): Called {
  const run = started(kernel, length);
  run.write(STRETCH, 16, true);
  run.write(AAD, aadLength, true);
  run.write(STAGE, length + (name === 'open' ? 16 : 0), true);
  return called(run, name, 9, aadLength, length);
}

/** With `most` the longest message is followed too. */
function modeBounds(kernel: FlowKernel, mode: Mode, most: boolean): Claim {
  return {
    kernel: kernel.name,
    claim: `bounds: ${mode.name}, every number of blocks up to ${most ? '35, and the most' : '18'}`,
    prove() {
      for (const blocks of blockCounts(most)) inMode(kernel, mode, blocks);
    },
  };
}

export const serpentCtrBounds = (kernel: FlowKernel, { lanes }: CallForm): Claim[] => [modeBounds(kernel, CTR, lanes)];

export const serpentBounds = (kernel: FlowKernel, { lanes }: CallForm): Claim[] => [
  // CBC encryption has no lanes.
  ...BLOCK_MODES.map((mode) => modeBounds(kernel, mode, lanes && mode.name !== 'cbcEncrypt')),
  {
    kernel: kernel.name,
    claim: 'bounds: cbcMany, every number of streams',
    prove() {
      for (const streams of upTo(1, 16)) {
        const run = started(kernel, STAGE_BYTES);
        run.write(WORK, 16 * streams, true);
        run.write(STAGE, STAGE_BYTES, true);
        run.call('cbcMany', 1, streams, STAGE_BYTES / 16, 3);
      }
    },
  },
  ...(['seal', 'open'] as const).map((name): Claim => ({
    kernel: kernel.name,
    claim: `bounds: ${name}, every length up to ${lanes ? '70, around a group, and the most' : '34, around a group'}`,
    prove() {
      for (const length of lengthsOf(lanes))
        for (const aadLength of length < 20 || length === 257 ? [0, length, AAD_BYTES] : [0])
          sealOcb(kernel, name, aadLength, length);
    },
  })),
];

export const serpentCtrWays = (kernel: FlowKernel, _form: CallForm, most: number): Way[] => [
  counted('ctr', 'blocks', most / 16, (blocks) => inMode(kernel, CTR, blocks)),
];

export const serpentWays = (kernel: FlowKernel, _form: CallForm, most: number): Way[] => [
  ...sealing(most, (name, aadLength, length) => sealOcb(kernel, name, aadLength, length)),
  ...BLOCK_MODES.map((mode) => counted(mode.name, 'blocks', most / 16, (blocks) => inMode(kernel, mode, blocks))),
];
