/** The loop of SHA-256 in lanes, by induction: a block of each lane, as far in its stage as may be, with any number of blocks after it. */
import { CONSTANTS, LANE_BYTES, LANES, LANES_STAGE, LANES_STATE, SCHEDULE } from '../../../../lanewise/src/sha2/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, publicBytes, range, secrets } from '../../claims/compare.ts';
import type { Kernel } from '../../kernels.ts';
import { runIteration } from '../keystream/block-loop.ts';
import { inductionClaim, word } from '../keystream/induction.ts';
import { BLOCK, expectState, LANE_NUMBERS, stageOf, STATE_BYTES, valueOf, writeState } from './lanes-claims.ts';
import { machineBytes, machineWords } from './setting.ts';
import { compress, constantsOf, SHA256 } from './specification.ts';
import { shortWords } from './words.ts';

function proveBlocks(kernel: Kernel): void {
  const what = 'a block of each lane';
  const constants = [...constantsOf(SHA256).entries()];
  const messages = LANE_NUMBERS.map((lane) => secrets(`message ${lane}`, BLOCK));
  const run = runIteration(
    {
      kernel,
      name: 'compress',
      what,
      touched: LANE_BYTES * (LANES - 1) + BLOCK,
      step: BLOCK,
      writes: false,
      // The first local after the parameters.
      address: 1,
      left: 0,
      first: word(LANES_STAGE),
      home: LANES_STAGE,
      data: LANE_NUMBERS.map((lane) => range(stageOf(lane), BLOCK)),
      work: [range(LANES_STATE, STATE_BYTES), range(SCHEDULE, 4 * LANES * SHA256.rounds)],
    },
    (machine) => {
      for (const [i, constant] of constants) machine.write(CONSTANTS + 4 * i, publicBytes(constant, 4));
      for (const lane of LANE_NUMBERS) {
        writeState(machine, lane, valueOf(lane));
        machine.write(stageOf(lane), messages[lane]);
      }
    },
  );
  for (const lane of LANE_NUMBERS) {
    const hash = compress(shortWords, SHA256, machineWords(shortWords, SHA256, valueOf(lane)), messages[lane]);
    expectState(run, lane, machineBytes(shortWords, hash), what);
    expectBytes(run, stageOf(lane), messages[lane], `${what}: message ${lane}`);
  }
  for (const [i, constant] of constants)
    expectBytes(run, CONSTANTS + 4 * i, publicBytes(constant, 4), `${what}: a constant`);
}

export const lanesInduction = (kernel: Kernel): Claim[] => [
  inductionClaim(kernel, 'compress, any number of blocks of each lane, every chaining value and message', () => {
    proveBlocks(kernel);
  }),
];
