// SHA-256 of messages side by side: every block of each lane onto every chaining value.
import {
  CONSTANTS,
  LANE_BYTES,
  LANES,
  LANES_DIGESTS,
  LANES_INITIAL,
  LANES_STAGE,
  LANES_STATE,
  SCHEDULE,
} from '../../../../lanewise/src/sha2/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { onMachine } from '../../claims/machine.ts';
import type { Runnable, RunnableKernel } from '../../claims/runnable.ts';
import { onText } from '../../javascript/runner.ts';
import type { KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import type { Term } from '../../terms/term.ts';
import { machineBytes, machineWords, started } from './setting.ts';
import { constantsClaim } from './constants-claim.ts';
import { countsOf } from './hmac-claims.ts';
import { bytesOf, compress, SHA256 } from './specification.ts';
import { shortWords } from './words.ts';

export const BLOCK = 64;
export const DIGEST_BYTES = 32;
export const STATE_BYTES = DIGEST_BYTES * LANES;
export const LANE_NUMBERS = Array.from({ length: LANES }, (_, lane) => lane);
const state = range(LANES_STATE, STATE_BYTES);

export const stageOf = (lane: number): number => LANES_STAGE + LANE_BYTES * lane;
export const lanesRanges = {
  begin: () => ({ reads: [range(LANES_INITIAL, DIGEST_BYTES)], writes: [state] }),
  compress: (blocks: number) => ({
    reads: [range(CONSTANTS, 256), state, ...LANE_NUMBERS.map((lane) => range(stageOf(lane), BLOCK * blocks))],
    writes: [state, range(SCHEDULE, 4 * LANES * 64)],
  }),
  digests: () => ({ reads: [state], writes: [range(LANES_DIGESTS, DIGEST_BYTES * LANES)] }),
};

/** Words of a lane are a vector apart. */
const wordsAt = (lane: number): number[] => Array.from({ length: 8 }, (_, i) => LANES_STATE + 4 * LANES * i + 4 * lane);
export const writeState = (run: Runnable, lane: number, bytes: readonly Term[]): void =>
  wordsAt(lane).forEach((at, i) => run.write(at, bytes.slice(4 * i, 4 * i + 4)));
export const expectState = (run: Runnable, lane: number, bytes: readonly Term[], what: string): void =>
  wordsAt(lane).forEach((at, i) => expectBytes(run, at, bytes.slice(4 * i, 4 * i + 4), `${what}: lane ${lane}`));
export const valueOf = (lane: number): Term[] => secrets(`chaining value ${lane}`, DIGEST_BYTES);

function proveBegin(kernel: RunnableKernel, lane: number): void {
  const run = kernel.start(lanesRanges.begin());
  const initial = secrets('initial value', DIGEST_BYTES);
  run.write(LANES_INITIAL, initial);
  for (const other of LANE_NUMBERS) writeState(run, other, valueOf(other));
  run.call('begin', lane);
  expectNoEvents(run, 'begin');
  for (const other of LANE_NUMBERS) expectState(run, other, other === lane ? initial : valueOf(other), 'begin');
}

function proveCompress(kernel: RunnableKernel, blocks: number): void {
  const what = `${blocks} blocks of each lane`;
  const run = started(kernel, SHA256, lanesRanges.compress(blocks));
  const messages = LANE_NUMBERS.map((lane) => secrets(`message ${lane}`, BLOCK * blocks));
  for (const lane of LANE_NUMBERS) {
    writeState(run, lane, valueOf(lane));
    run.write(stageOf(lane), messages[lane]);
  }
  run.call('compress', blocks);
  expectNoEvents(run, what);
  for (const lane of LANE_NUMBERS) {
    let hash = machineWords(shortWords, SHA256, valueOf(lane));
    for (let i = 0; i < blocks; i++)
      hash = compress(shortWords, SHA256, hash, messages[lane].slice(BLOCK * i, BLOCK * (i + 1)));
    expectState(run, lane, machineBytes(shortWords, hash), what);
    expectBytes(run, stageOf(lane), messages[lane], `${what}: message ${lane}`);
  }
}

function proveDigests(kernel: RunnableKernel): void {
  const run = kernel.start(lanesRanges.digests());
  for (const lane of LANE_NUMBERS) writeState(run, lane, valueOf(lane));
  run.call('digests');
  expectNoEvents(run, 'digests');
  for (const lane of LANE_NUMBERS) {
    const digest = bytesOf(shortWords, machineWords(shortWords, SHA256, valueOf(lane)));
    expectBytes(run, LANES_DIGESTS + DIGEST_BYTES * lane, digest, `the digest of lane ${lane}`);
    expectState(run, lane, valueOf(lane), 'the chaining values');
  }
}

const statements = (kernel: RunnableKernel): Claim[] => {
  const claim = (text: string, prove: () => void): Claim => ({
    kernel: kernel.name,
    topic: 'compression',
    claim: text,
    prove,
  });
  return [
    constantsClaim(kernel.name, 'sha256lanes', SHA256),
    ...LANE_NUMBERS.map((lane) => claim(`begin: lane ${lane}, every initial value`, () => proveBegin(kernel, lane))),
    ...countsOf(kernel).map((blocks) =>
      claim(`compression: ${blocks} blocks of each lane, every chaining value and message`, () =>
        proveCompress(kernel, blocks),
      ),
    ),
    claim('digests: of every four chaining values', () => proveDigests(kernel)),
  ];
};

export const lanesClaims = (kernel: Kernel): Claim[] => statements(onMachine(kernel));
export const lanesTextClaims = (text: KernelText): Claim[] => statements(onText(text));
