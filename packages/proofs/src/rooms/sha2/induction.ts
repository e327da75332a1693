/** The loop of SHA-2's compressions, by induction: a block at any address, onto any chaining value, with any number of blocks after it. */
import { CONSTANTS, STATE } from '../../../../lanewise/src/sha2/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, publicBytes, range, secrets } from '../../claims/compare.ts';
import { moduleOf, type KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import { HOME, runIteration } from '../keystream/block-loop.ts';
import { inductionClaim } from '../keystream/induction.ts';
import { iterateInduction } from './pbkdf2-induction.ts';
import { bytesIn, machineBytes, machineWords, scheduleRange, sizeOf } from './setting.ts';
import type { Term } from '../../terms/term.ts';
import { compress, constantsOf, SHA512, type Sha2Words } from './specification.ts';
import { halfWords, longWords, shortWords } from './words.ts';

function proveBlock<L>(kernel: Kernel, w: Sha2Words<Term, L>): void {
  const what = 'a block';
  const size = sizeOf(kernel.family);
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

const inductionIn = <L>(kernel: Kernel, w: Sha2Words<Term, L>): Claim[] => [
  inductionClaim(kernel, 'compress, any number of blocks, every chaining value and message', () => {
    proveBlock(kernel, w);
  }),
  iterateInduction(kernel, { size: sizeOf(kernel.family), w }),
];

export const sha2Induction = (kernel: Kernel): Claim[] =>
  sizeOf(kernel.family) === SHA512 ? inductionIn(kernel, longWords) : inductionIn(kernel, shortWords);
/** On the module of the text. */
export const sha512TextInduction = (text: KernelText): Claim[] => inductionIn(moduleOf(text), halfWords);
