/**
 * Faults planted in real kernels, for claims to find: wrong rotations, rounds and constants, a backdoor that no test vector
 * meets, scratch that is not wiped, and writes where nothing may be written. The static checks see none of them.
 */
import { fill, sequence } from '../../../lanewise/src/wasm/control.ts';
import * as blake3 from '../../../lanewise/src/blake3/map.ts';
import * as chacha from '../../../lanewise/src/keystream/map.ts';
import { BOX, TAG_BYTES } from '../../../lanewise/src/salsa/map.ts';
import { KEY, S, STATE as POLY_STATE, TAG } from '../../../lanewise/src/poly1305/map.ts';
import { IV } from '../../../lanewise/src/blake3/rounds.ts';
import { SIGMA } from '../../../lanewise/src/keystream/core.ts';
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import * as i64 from '../../../lanewise/src/wasm/i64.ts';
import * as serpent from '../../../lanewise/src/serpent/map.ts';
import { PHI } from '../../../lanewise/src/serpent/rounds.ts';
import * as disk from '../../../lanewise/src/disk/map.ts';
import { CONSTANT } from '../../../lanewise/src/aes/rounds.ts';
import type { Family, Kernel } from '../kernels.ts';
import { decode } from '../wasm/decode.ts';
import { exported, type DecodedFunction, type Instruction } from '../wasm/types.ts';
import { patched } from './patch.ts';

export type FaultKind = 'rotation' | 'rounds' | 'constant' | 'backdoor' | 'unwiped' | 'stray write';

export interface PlantedFault {
  readonly kind: FaultKind;
  /** What was done, and so what claims have to look at. */
  readonly what: string;
  /** An exported function that has the fault. */
  readonly name: string;
  readonly kernel: Kernel;
}

/** The instructions of all functions, each with the one before it. */
const steps = (functions: readonly DecodedFunction[]): { before: Instruction | undefined; step: Instruction }[] =>
  functions.flatMap(({ code }) => code.map((step, i) => ({ before: code[i - 1], step })));

const isConstant = (step: Instruction | undefined, value: number): step is Instruction & { readonly value: number } =>
  step?.op === 'i32.const' && step.value === (value | 0);

/** The kernel with each of some constants replaced. */
function withConstants(kernel: Kernel, of: readonly Instruction[], value: number): Kernel {
  if (of.length === 0) throw new Error(`${kernel.name} has no such constant`);
  let { bytes } = kernel;
  // From the last to the first, so that offsets stay true.
  for (const { at } of of.toReversed()) {
    const next = steps(decode(bytes).functions).find(({ before }) => before?.at === at)!;
    bytes = patched(bytes, at, next.step.at - at, i32.value(value));
  }
  return { ...kernel, bytes };
}

const withCode = (kernel: Kernel, at: number, code: string): Kernel => ({
  ...kernel,
  bytes: patched(kernel.bytes, at, 0, code),
});

const startOf = ({ bytes }: Kernel, name: string): number => exported(decode(bytes), name).code[0].at;
/** Before the `end` of the function. */
const endOf = ({ bytes }: Kernel, name: string): number => exported(decode(bytes), name).code.at(-1)!.at;

/** One rotation by 7 turned into one by 6. In vectors by two shifts, of which the left one is changed. */
function rotation(kernel: Kernel): Kernel {
  const turn = kernel.form === 'scalar' ? 'i32.rotl' : 'i32x4.shl';
  // ChaCha rotates to the left by 7, BLAKE3 to the right, which is 25 to the left.
  const count = kernel.family === 'blake3' ? 25 : 7;
  const found = steps(decode(kernel.bytes).functions).find(
    ({ step, before }) => step.op === turn && isConstant(before, count),
  );
  return withConstants(kernel, found ? [found.before!] : [], count - 1);
}

/** What is added to a word of the input if that word has one certain value, a chance of 2^-32: its lowest bit. */
const backdoor = (address: number) =>
  i32.store(0, address, i32.xor(i32.load(0, address), i32.eq(i32.load(0, address), 0x5eed1e55)));

/** Between MASKS and what follows it, where no map has anything. */
const GAP = 40;
const strayWrite = (at: number) => i32.store(0, at, 0);

function streamFaults(kernel: Kernel): PlantedFault[] {
  const { functions } = decode(kernel.bytes);
  const constants = steps(functions).map(({ step }) => step);
  const tens = constants.filter((step) => isConstant(step, 10));
  const [first] = SIGMA;
  const seal = exported(decode(kernel.bytes), 'seal').code;
  const wipe = seal.find((step) => isConstant(step, kernel.short ? chacha.STATE : chacha.SETS))!;
  const wiped = seal[seal.indexOf(wipe) + 2];
  const boxed = kernel.family === 'secretbox';
  const wipedTo = boxed ? BOX - TAG_BYTES : chacha.DATA;
  return [
    { kind: 'rotation', name: 'xor', what: 'one rotation by 6 instead of 7', kernel: rotation(kernel) },
    {
      kind: 'rounds',
      name: boxed ? 'seal' : 'begin',
      what: 'the cipher of messages with 18 rounds',
      kernel: withConstants(kernel, tens, 9),
    },
    {
      kind: 'constant',
      name: 'xor',
      what: 'one bit of "expa"',
      kernel: withConstants(
        kernel,
        constants.filter((step) => isConstant(step, first)),
        first ^ 1,
      ),
    },
    {
      kind: 'backdoor',
      name: 'xor',
      what: 'a bit flips when the fifth word of the key has one value',
      kernel: withCode(kernel, startOf(kernel, 'xor'), backdoor(chacha.STATE + 32)),
    },
    {
      kind: 'unwiped',
      name: 'seal',
      what: 'seal leaves the last 64 bytes of what it wipes',
      kernel: withConstants(kernel, [wiped], wipedTo - (kernel.short ? chacha.STATE : chacha.SETS) - 64),
    },
    {
      kind: 'stray write',
      name: 'xor',
      what: `xor writes to ${GAP}`,
      kernel: withCode(kernel, startOf(kernel, 'xor'), strayWrite(GAP)),
    },
  ];
}

function poly1305Faults(kernel: Kernel): PlantedFault[] {
  const fives = steps(decode(kernel.bytes).functions).find(
    ({ step, before }) => before?.op === 'i64.const' && before.value === 5n && step.op === 'i64.mul',
  )!;
  return [
    {
      kind: 'constant',
      name: 'absorb',
      what: '4 instead of 5 in the reduction',
      kernel: {
        ...kernel,
        bytes: patched(kernel.bytes, fives.before!.at, fives.step.at - fives.before!.at, i64.value(4n)),
      },
    },
    {
      kind: 'backdoor',
      name: 'finish',
      what: 'a bit flips when a word of s has one value',
      kernel: withCode(kernel, startOf(kernel, 'finish'), backdoor(POLY_STATE + S)),
    },
    { kind: 'unwiped', name: 'mac', what: 'mac leaves r behind the tag', kernel: keepsKey(kernel) },
    {
      kind: 'stray write',
      name: 'mac',
      what: 'mac writes to 0',
      kernel: withCode(kernel, startOf(kernel, 'mac'), strayWrite(0)),
    },
  ];
}

/** What the map has no place for, behind the tag of 16 bytes. */
const keepsKey = (kernel: Kernel): Kernel =>
  withCode(kernel, endOf(kernel, 'mac'), i32.store(0, TAG + 16, i32.load(0, POLY_STATE + KEY)));

function blake3Faults(kernel: Kernel): PlantedFault[] {
  const constants = steps(decode(kernel.bytes).functions).map(({ step }) => step);
  return [
    { kind: 'rotation', name: 'many', what: 'one rotation by 8 instead of 7', kernel: rotation(kernel) },
    {
      kind: 'constant',
      name: 'chunk',
      what: 'one bit of the initial value',
      kernel: withConstants(
        kernel,
        constants.filter((step) => isConstant(step, IV[1])),
        IV[1] ^ 1,
      ),
    },
    {
      kind: 'backdoor',
      name: 'hash',
      what: 'a bit flips when the first word of the message has one value',
      kernel: withCode(kernel, startOf(kernel, 'hash'), backdoor(blake3.STAGE)),
    },
    {
      kind: 'unwiped',
      name: 'hash',
      what: 'hash leaves a word of the message where nothing is wiped',
      kernel: withCode(kernel, startOf(kernel, 'hash'), i32.store(0, GAP, i32.load(0, blake3.STAGE))),
    },
    {
      kind: 'stray write',
      name: 'hash',
      what: 'hash clears the masks',
      kernel: withCode(kernel, startOf(kernel, 'hash'), sequence(fill(blake3.MASKS, 0, 16))),
    },
  ];
}

/** Of both kernels, in the function that is named. */
function serpentFaults(kernel: Kernel): PlantedFault[] {
  const name = kernel.family === 'serpent' ? 'ecbEncrypt' : 'ctr';
  const constants = steps(decode(kernel.bytes).functions).map(({ step }) => step);
  // How far the round keys go: 33 of them, of four words.
  const words = constants.filter((step) => isConstant(step, 132));
  return [
    { kind: 'rotation', name, what: 'a rotation by 7 is one by 6', kernel: rotation(kernel) },
    {
      kind: 'rounds',
      name,
      what: 'the last words of the key schedule are missing',
      kernel: withConstants(kernel, words, 131),
    },
    {
      kind: 'constant',
      name,
      what: 'the golden ratio has another lowest bit',
      kernel: withConstants(
        kernel,
        constants.filter((step) => isConstant(step, PHI)),
        PHI ^ 1,
      ),
    },
    {
      kind: 'backdoor',
      name,
      what: 'a bit flips when the first word of the message has one value',
      kernel: withCode(kernel, startOf(kernel, name), backdoor(serpent.DATA)),
    },
    {
      kind: 'unwiped',
      name,
      what: 'a word of the message is left where nothing is wiped',
      kernel: withCode(kernel, startOf(kernel, name), i32.store(0, GAP, i32.load(0, serpent.DATA))),
    },
    {
      kind: 'stray write',
      name,
      what: 'what is in front of the key is cleared',
      kernel: withCode(kernel, startOf(kernel, name), sequence(fill(0, 0, 16))),
    },
  ];
}

/** Where the map of disk encryption has nothing, behind the subkeys. */
const DISK_GAP = 800;

function diskFaults(kernel: Kernel): PlantedFault[] {
  const name = 'pages';
  const at = startOf(kernel, name);
  const constants = steps(decode(kernel.bytes).functions).map(({ step }) => step);
  return [
    { kind: 'rotation', name, what: 'one rotation by 6 instead of 7', kernel: rotation(kernel) },
    {
      kind: 'constant',
      name: 'expandKey',
      what: "one bit of the S-box's constant",
      kernel: withConstants(
        kernel,
        constants.filter((step) => isConstant(step, CONSTANT)),
        CONSTANT ^ 1,
      ),
    },
    {
      kind: 'backdoor',
      name,
      what: 'a bit flips when the first word of the page has one value',
      kernel: withCode(kernel, at, backdoor(disk.DATA)),
    },
    {
      kind: 'unwiped',
      name,
      what: 'a word of the page is left where nothing is wiped',
      kernel: withCode(kernel, at, i32.store(0, DISK_GAP, i32.load(0, disk.DATA))),
    },
    {
      kind: 'stray write',
      name,
      what: `pages writes to ${DISK_GAP}`,
      kernel: withCode(kernel, at, strayWrite(DISK_GAP)),
    },
  ];
}

const FAULTS: Readonly<Record<Family, (kernel: Kernel) => PlantedFault[]>> = {
  chacha: streamFaults,
  secretbox: streamFaults,
  poly1305: poly1305Faults,
  blake3: blake3Faults,
  serpent: serpentFaults,
  'serpent-ctr': serpentFaults,
  disk: diskFaults,
};

export const plantedFaults = (kernel: Kernel): PlantedFault[] => FAULTS[kernel.family](kernel);
