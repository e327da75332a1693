/** Faults for kernels with a keystream. */
import { SIGMA } from '../../../../lanewise/src/keystream/core.ts';
import * as stream from '../../../../lanewise/src/keystream/map.ts';
import { sequence, set, when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { unsigned, type Expression, type Local } from '../../../../lanewise/src/wasm/types.ts';
import * as v128 from '../../../../lanewise/src/wasm/v128.ts';
import type { Kernel } from '../../kernels.ts';
import { BACKDOOR, byTopics, RESULT, STRAY, UNWIPED, type Fault } from '../../mutations/fault.ts';
import { patched } from '../../mutations/patch.ts';
import {
  atStart,
  backdoor,
  constant,
  GAP,
  ifMagic,
  ifWord,
  isConstant,
  parameter,
  rotation,
  steps,
  strayWrite,
  withConstants,
  type Plant,
} from '../../mutations/plant.ts';
import { decode } from '../../wasm/decode.ts';
import { exported } from '../../wasm/types.ts';

/** The instruction `v128.const`: its opcode of two bytes, and the vector. */
const VECTOR_BYTES = 18;

/** One bit of "expand 32-byte k" flips, which the vector forms store as one vector, and the scalar form as four words. */
function otherSigma(kernel: Kernel): Kernel {
  const [first, ...others] = SIGMA as [number, number, number, number];
  if (kernel.form === 'scalar') return constant(first, first ^ 1)(kernel);
  const { step: vector } = steps(kernel).find(
    ({ step }) => step.op === 'v128.const' && new DataView(step.bytes.slice().buffer).getInt32(0, true) === first,
  )!;
  return { ...kernel, bytes: patched(kernel.bytes, vector.at, VECTOR_BYTES, v128.i32x4(first ^ 1, ...others)) };
}

/** `seal` leaves the last 64 bytes of the area that it wipes, which ends at an address. */
const lessWiped =
  (wipedTo: number): Plant =>
  (kernel) => {
    const from = kernel.short ? stream.STATE : stream.SETS;
    const seal = exported(decode(kernel.bytes), 'seal').code;
    const wipe = seal.findIndex((step) => isConstant(step, from));
    return withConstants(kernel, [seal[wipe + 2]], wipedTo - from - 64);
  };

/** Faults of a module that seals messages; the area that `seal` wipes ends at an address. */
export const sealingFaults = (module: string, roundsIn: 'seal' | 'begin', wipedTo: number): readonly Fault[] =>
  [
    { name: 'xor', planted: 'one rotation by 6 instead of 7', plant: rotation(7), found: RESULT },
    { name: roundsIn, planted: 'the cipher of messages with 18 rounds', plant: constant(10, 9), found: RESULT },
    { name: 'xor', planted: 'one bit of "expa"', plant: otherSigma, found: RESULT },
    {
      name: 'xor',
      planted: 'a bit flips when the fifth word of the key has one value',
      plant: atStart('xor', backdoor(stream.STATE + 32)),
      found: BACKDOOR,
    },
    {
      name: 'seal',
      planted: 'seal leaves the last 64 bytes of the area that it wipes',
      plant: lessWiped(wipedTo),
      found: UNWIPED,
    },
    { name: 'xor', planted: `xor writes to ${GAP}`, plant: atStart('xor', strayWrite(GAP)), found: STRAY },
  ].map((fault) => ({ module, ...fault }));

const COUNTER = stream.word(12);
const [kind, doubleRounds] = [0, 1].map(parameter);

/** A fault of a kernel with keys of 128 bits. */
export const shortKeyFault = (kernel: string): Fault => ({
  module: kernel,
  name: 'xor',
  planted: 'xor with a key of 128 bits and 8 rounds takes the constants of 256 bits',
  plant: atStart(
    'xor',
    when(i32.eq(kind, stream.SHORT_KEY), when(i32.eq(doubleRounds, 4), set(kind, i32.value(stream.PLAIN)))),
  ),
  found: byTopics('keystream'),
});

const MAGIC = 0x5eed1e55;
const KEY = stream.STATE + 16;
const I32X4 = (n: number): Expression<'v128'> => v128.i32x4(n, n, n, n);

/**
 * In each iteration of the function's outer loop, if there were more blocks before it in this call and a word of the key has one
 * value: the first word of the text is another one. The number of blocks is in vectors only.
 */
export const afterBlocks =
  (index: number, textIn: number, blocks: number): Plant =>
  (kernel) => {
    const { code } = decode(kernel.bytes).functions[index];
    // The prologue loads the first counter to all lanes, and then computes the counters of the first set from it.
    const at = code.findIndex((step) => step.op === 'v128.load32_splat' && step.offset === COUNTER);
    const [start, low] = code.slice(at).flatMap((step) => (step.op === 'local.set' ? [step.local] : []));
    const vector = (local: number): Local<'v128'> => (' ' + unsigned(local)) as Local<'v128'>;
    const [text, magic] = [parameter(textIn), v128.xor(v128.load32_splat(0, KEY), I32X4(MAGIC))];
    const mask = v128.and(
      v128.i32x4_lt_u(I32X4(blocks), v128.i32x4_sub(vector(low), vector(start))),
      v128.i32x4_lt_u(magic, I32X4(1)),
    );
    const fault = v128.store(text, 0, v128.xor(v128.load(text, 0), v128.and(v128.load32_splat(0, KEY), mask)));
    const loop = code.findIndex(({ op }) => op === 'loop');
    return { ...kernel, bytes: patched(kernel.bytes, code[loop + 1].at, 0, fault) };
  };

/** After so many blocks the counter goes back; their number is in vectors only. */
export const counterBack =
  (index: number, blocks: number): Plant =>
  (kernel) => {
    const { code } = decode(kernel.bytes).functions[index];
    const at = code.findIndex((step) => step.op === 'v128.load32_splat' && step.offset === COUNTER);
    const [start, low] = code.slice(at).flatMap((step) => (step.op === 'local.set' ? [step.local] : []));
    const vector = (local: number): Local<'v128'> => (' ' + unsigned(local)) as Local<'v128'>;
    const fault = sequence(
      v128.store(0, stream.SETS, v128.i32x4_sub(vector(low), vector(start))),
      i32.store(
        0,
        COUNTER,
        i32.sub(i32.load(0, COUNTER), i32.and(i32.and(ifMagic(KEY), ifWord(stream.SETS, blocks)), blocks)),
      ),
    );
    return { ...kernel, bytes: patched(kernel.bytes, code[code.length - 1].at, 0, fault) };
  };
