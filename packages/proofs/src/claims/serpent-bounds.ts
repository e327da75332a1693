// What the kernels of Serpent touch of memory, at every length around blocks, sets and groups; in lanes also the most that
// goes into one call. One block at a time that is a loop of some thousand turns which differ in an address only.
import {
  AAD,
  AAD_BYTES,
  COUNTER,
  DATA,
  DATA_BYTES,
  IV,
  KEY,
  STRETCH,
  WORK,
} from '../../../lanewise/src/serpent/map.ts';
import type { Claim } from './claim.ts';
import type { FlowKernel } from './flow.ts';
import { rangesOf, type SerpentForm } from './serpent.ts';

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
/** Padding may make a block more than the stage takes. */
const MOST = DATA_BYTES / 16 + 1;
const blockCounts = (most: boolean): number[] => (most ? [...upTo(1, 35), MOST - 1, MOST] : upTo(1, 18));
const lengthsOf = (most: boolean): number[] =>
  most ? [...upTo(0, 70), ...upTo(250, 275), DATA_BYTES - 1, DATA_BYTES] : [...upTo(0, 34), ...upTo(255, 258)];

const started = (kernel: FlowKernel, length: number) => {
  const run = kernel.start(rangesOf(length));
  run.write(KEY, 32, true);
  return run;
};

interface Mode {
  readonly name: string;
  /** Where the IV or the counter is. */
  readonly place: number;
  /** Whether the longest message is followed too. */
  readonly most: boolean;
  readonly call: (blocks: number) => number[];
}

function modeBounds(kernel: FlowKernel, { name, place, most, call }: Mode): Claim {
  return {
    kernel: kernel.name,
    claim: `bounds: ${name}, every number of blocks up to ${most ? '35, and the most' : '18'}`,
    prove() {
      for (const blocks of blockCounts(most)) {
        const run = started(kernel, 16 * blocks);
        run.write(place, 16, true);
        run.write(DATA, 16 * blocks, true);
        run.call(name, 1, ...call(blocks));
      }
    },
  };
}

export const serpentCtrBounds = (kernel: FlowKernel, { lanes }: SerpentForm): Claim[] => [
  modeBounds(kernel, { name: 'ctr', place: COUNTER, most: lanes, call: (blocks) => [1, blocks] }),
];

export const serpentBounds = (kernel: FlowKernel, { lanes }: SerpentForm): Claim[] => [
  ...['ecbEncrypt', 'ecbDecrypt', 'cbcEncrypt', 'cbcDecrypt'].map((name) =>
    // CBC encryption has no lanes.
    modeBounds(kernel, { name, place: IV, most: lanes && name !== 'cbcEncrypt', call: (blocks) => [blocks] }),
  ),
  {
    kernel: kernel.name,
    claim: 'bounds: cbcMany, every number of streams',
    prove() {
      for (const streams of upTo(1, 16)) {
        const run = started(kernel, DATA_BYTES);
        run.write(WORK, 16 * streams, true);
        run.write(DATA, DATA_BYTES, true);
        run.call('cbcMany', 1, streams, DATA_BYTES / 16, 3);
      }
    },
  },
  ...['seal', 'open'].map((name): Claim => ({
    kernel: kernel.name,
    claim: `bounds: ${name}, every length up to ${lanes ? '70, around a group, and the most' : '34, around a group'}`,
    prove() {
      for (const length of lengthsOf(lanes))
        for (const aadLength of length < 20 || length === 257 ? [0, length, AAD_BYTES] : [0]) {
          const run = started(kernel, length);
          run.write(STRETCH, 16, true);
          run.write(AAD, aadLength, true);
          run.write(DATA, length + (name === 'open' ? 16 : 0), true);
          run.call(name, 9, aadLength, length);
        }
    },
  })),
];
