/** The loop of SHA-2's compressions, by induction: a block at any address, onto any chaining value, with any number of blocks after it. */
import { CONSTANTS, STATE } from '../../../../lanewise/src/sha2/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, publicBytes, range, secrets } from '../../claims/compare.ts';
import type { Kernel } from '../../kernels.ts';
import { HOME, runIteration } from '../keystream/block-loop.ts';
import { inductionClaim } from '../keystream/induction.ts';
import { iterateInduction } from './pbkdf2-induction.ts';
import { bytesIn, machineBytes, machineWords, scheduleRange, sizeOf } from './setting.ts';
import { compress, constantsOf, SHA256, SHA512 } from './specification.ts';
import { longWords, shortWords } from './words.ts';

function proveBlock(kernel: Kernel): void {
  const what = 'a block';
  const size = sizeOf(kernel.family);
  const w = size === SHA512 ? longWords : shortWords;
  const { word, value, block } = bytesIn(size);
  const [before, message] = [secrets('chaining value', value), secrets('message', block)];
  const constants = [...constantsOf(size).entries()];
  const run = runIteration(
    {
      kernel,
      name: 'compress',
      what,
      touched: block,
      step: block,
      writes: false,
      address: 0,
      left: 1,
      work: [range(STATE, value), scheduleRange(size)],
    },
    (machine) => {
      for (const [i, constant] of constants) machine.write(CONSTANTS + word * i, publicBytes(constant, word));
      machine.write(STATE, before);
      machine.write(HOME, message);
    },
  );
  expectBytes(run, STATE, machineBytes(w, compress(w, size, machineWords(w, size, before), message)), what);
  expectBytes(run, HOME, message, `${what}: the message`);
  for (const [i, constant] of constants)
    expectBytes(run, CONSTANTS + word * i, publicBytes(constant, word), `${what}: a constant`);
}

export const sha2Induction = (kernel: Kernel): Claim[] => [
  inductionClaim(kernel, 'compress, any number of blocks, every chaining value and message', () => {
    proveBlock(kernel);
  }),
  sizeOf(kernel.family) === SHA512
    ? iterateInduction(kernel, { size: SHA512, w: longWords })
    : iterateInduction(kernel, { size: SHA256, w: shortWords }),
];
