// The memory that the kernels of SHA-2 touch, at many more sizes than the claims about results have.
import {
  DIGEST,
  INITIAL,
  INNER,
  LANES_INITIAL,
  LANE_BYTES,
  LANES,
  LANES_STATE,
  OUTER,
  STAGE,
  STAGE_BYTES,
  STATE,
  SUM,
} from '../../../../lanewise/src/sha2/map.ts';
import type { Claim } from '../../claims/claim.ts';
import type { FlowKernel } from '../../claims/flow.ts';
import { called, type Called } from '../../claims/runnable.ts';
import { counted, type Way } from '../../claims/ways.ts';
import { bytesIn, endsOf, rangesOf, sizeOf } from './setting.ts';
import { BLOCK, DIGEST_BYTES, lanesRanges, stageOf, STATE_BYTES } from './lanes-claims.ts';
import type { Size } from './specification.ts';

const sizeOfKernel = ({ name }: FlowKernel): Size => sizeOf(name.split(' ')[0]);
const upTo = (most: number): number[] => Array.from({ length: most }, (_, i) => i + 1);

function compress(kernel: FlowKernel, blocks: number): Called {
  const size = sizeOfKernel(kernel);
  const { value, block } = bytesIn(size);
  const run = kernel.start(rangesOf(size).compress(STAGE, blocks));
  run.write(STATE, value, true);
  run.write(STAGE, block * blocks, true);
  return called(run, 'compress', STAGE, blocks);
}

function key(kernel: FlowKernel): Called {
  const size = sizeOfKernel(kernel);
  const { value, block } = bytesIn(size);
  const run = kernel.start(rangesOf(size).key());
  run.write(INITIAL, value, true);
  run.write(DIGEST, block, true);
  return called(run, 'key');
}

/** `outer` once, or `iterate`. */
function hmac(kernel: FlowKernel, name: 'outer' | 'iterate', end: number, ...count: readonly number[]): Called {
  const size = sizeOfKernel(kernel);
  const { value, block } = bytesIn(size);
  const run = kernel.start(rangesOf(size)[name](end));
  for (const at of name === 'outer' ? [STATE, OUTER] : [INNER, OUTER]) run.write(at, value, true);
  run.write(DIGEST, block, true);
  if (name === 'iterate') run.write(SUM, end, true);
  return called(run, name, ...count, end);
}

function copied(kernel: FlowKernel, name: 'begin' | 'digest', ...parameters: readonly [number, ...number[]]): Called {
  const size = sizeOfKernel(kernel);
  const [at, end] = parameters;
  const run = kernel.start(name === 'begin' ? rangesOf(size).begin(at) : rangesOf(size).digest(at, end));
  run.write(name === 'begin' ? at : STATE, bytesIn(size).value, true);
  return called(run, name, ...parameters);
}

export const sha2Bounds = (kernel: FlowKernel): Claim[] => [
  {
    kernel: kernel.name,
    claim: 'bounds: compress, up to 8 blocks, and a whole stage; the other functions, at every length of a digest',
    prove() {
      const size = sizeOfKernel(kernel);
      for (const blocks of [...upTo(8), STAGE_BYTES / bytesIn(size).block]) compress(kernel, blocks);
      for (const from of [INITIAL, INNER, OUTER]) copied(kernel, 'begin', from);
      key(kernel);
      for (const end of endsOf(size)) {
        copied(kernel, 'digest', DIGEST, end);
        hmac(kernel, 'outer', end);
        for (const count of upTo(4)) hmac(kernel, 'iterate', end, count);
      }
    },
  },
];

/** The digest of `number` lengths that there are. */
const endAt = (kernel: FlowKernel, number: number): number => endsOf(sizeOfKernel(kernel))[number - 1];

export const sha2Ways = (kernel: FlowKernel): Way[] => {
  const ends = endsOf(sizeOfKernel(kernel));
  return [
    counted('begin', 'places', 3, (place) => copied(kernel, 'begin', [INITIAL, INNER, OUTER][place - 1])),
    counted('compress', 'blocks', 8, (blocks) => compress(kernel, blocks)),
    counted('digest', 'lengths', ends.length, (number) => copied(kernel, 'digest', DIGEST, endAt(kernel, number))),
    counted('key', 'keys', 1, () => key(kernel)),
    counted('outer', 'lengths', ends.length, (number) => hmac(kernel, 'outer', endAt(kernel, number))),
    counted('iterate', 'iterations', 4, (count) => hmac(kernel, 'iterate', ends[1], count)),
  ];
};

function side(kernel: FlowKernel, name: 'begin' | 'compress' | 'digests', ...parameters: readonly number[]): Called {
  const run = kernel.start(lanesRanges[name](parameters[0]));
  run.write(LANES_STATE, STATE_BYTES, true);
  if (name === 'begin') run.write(LANES_INITIAL, DIGEST_BYTES, true);
  if (name === 'compress')
    for (let lane = 0; lane < LANES; lane++) run.write(stageOf(lane), BLOCK * parameters[0], true);
  return called(run, name, ...parameters);
}

export const lanesBounds = (kernel: FlowKernel): Claim[] => [
  {
    kernel: kernel.name,
    claim: 'bounds: begin, of each lane; compress, up to 8 blocks, and a whole stage; digests',
    prove() {
      for (let lane = 0; lane < LANES; lane++) side(kernel, 'begin', lane);
      for (const blocks of [...upTo(8), LANE_BYTES / BLOCK]) side(kernel, 'compress', blocks);
      side(kernel, 'digests');
    },
  },
];

export const lanesWays = (kernel: FlowKernel): Way[] => [
  counted('begin', 'lanes', LANES, (number) => side(kernel, 'begin', number - 1)),
  counted('compress', 'blocks', 8, (blocks) => side(kernel, 'compress', blocks)),
  counted('digests', 'calls', 1, () => side(kernel, 'digests')),
];
