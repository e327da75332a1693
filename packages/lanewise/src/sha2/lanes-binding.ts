/** The kernel of SHA-256 for messages side by side. */
import { unpacked } from '../engine/bytes.ts';
import { instantiated, type Instance, type KernelSource } from '../engine/instance.ts';
import { sha256Lanes as lanesInJavaScript } from '../js/generated/sha256-lanes.ts';
import { writeWords } from './binding.ts';
import { SHA256_CONSTANTS } from './constants.ts';
import { sha256lanesScalar, sha256lanesVectors } from './generated-bytes.ts';
import { CONSTANTS, LANE_BYTES, LANES, LANES_DIGESTS, LANES_PAGES, LANES_STAGE, SCHEDULE } from './map.ts';
import type { Functions } from './lanes-module.ts';

const BLOCK = 64;

/** Writes the constants, and computes a known answer: two blocks of each lane, from an initial value of zeros; lane i begins with the byte i. */
function selfTest(kernel: Instance<Functions>): boolean {
  const { memory, run } = kernel;
  const end = LANES_STAGE + (LANES - 1) * LANE_BYTES + 2 * BLOCK;
  kernel.wipe(SCHEDULE, end);
  writeWords(memory, CONSTANTS, SHA256_CONSTANTS, 4);
  for (let lane = 0; lane < LANES; lane++) {
    run.begin(lane);
    memory[LANES_STAGE + lane * LANE_BYTES] = lane;
  }
  run.compress(2);
  run.digests();
  const right = kernel.holds(0x35fd00a7, LANES_DIGESTS) && kernel.holds(0x9a20a158, LANES_DIGESTS + 96);
  kernel.wipe(SCHEDULE, end);
  return right;
}

export const lanesKernel: KernelSource<Functions> = {
  texts: { decode: unpacked, vectors: sha256lanesVectors, scalar: sha256lanesScalar },
  js: lanesInJavaScript,
  pages: LANES_PAGES,
  secrets: SCHEDULE,
  selfTest,
};
export const lanesInstance: () => Instance<Functions> = /* @__PURE__ */ instantiated(lanesKernel);
