/** Faults in the kernels of ChaCha that all claims once missed. */
import * as stream from '../../../../lanewise/src/keystream/map.ts';
import { copy, fill, sequence, set, when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import type { Statement } from '../../../../lanewise/src/wasm/types.ts';
import { enumerated, ifEqual, NUMBERS, type MissedFault } from '../../mutations/missed-fault.ts';
import { patched } from '../../mutations/patch.ts';
import {
  beforeCallOf,
  conditionOn,
  end,
  functionOf,
  ifMagic,
  inserted,
  parameter,
  start,
  type Plant,
} from '../../mutations/plant.ts';
import { decode } from '../../wasm/decode.ts';
import { exported, type Instruction } from '../../wasm/types.ts';
import { missedOfShortKeys } from '../keystream/missed-faults.ts';

const [first, second, third] = [0, 1, 2].map(parameter);

/** Their first operands are on the stack already. */
const [I32_NE, I32_ADD] = ['\x47', '\x6a'];

/** The first `memory.fill` of a function and its three operands, which are constants, give way to other code. */
const inPlaceOfFill =
  (name: string, code: (fillAll: Statement) => string): Plant =>
  (kernel) => {
    const { code: steps } = exported(decode(kernel.bytes), name);
    const at = steps.findIndex(({ op }) => op === 'memory.fill');
    const operands = steps.slice(at - 3, at).map((step) => (step as Instruction & { readonly value: number }).value);
    const [to, value, count] = operands;
    const removed = steps[at + 1].at - steps[at - 3].at;
    return {
      ...kernel,
      bytes: patched(kernel.bytes, steps[at - 3].at, removed, code(fill(to, value, count))),
    };
  };

const KEY = stream.STATE + 16;
const { STAGE } = stream;
const COUNTER = stream.word(12);
/** Where `open` has the tag that it has computed. */
const COMPUTED = stream.HEAD + 16;

const chacha = (id: string, what: string, name: string, plant: Plant, ...others: readonly string[]): MissedFault => ({
  id,
  what,
  kernel: 'chacha long scalar',
  name,
  plant,
  refutedBy: ['coverage', NUMBERS, ...others],
});
/** A fault at one of the lengths at which all functions are followed. */
const LEFT = 'left in memory';

const clearCounter = sequence(i32.store(0, COUNTER, 0), i32.store(0, COUNTER + 4, 0));
/** `xor` of ChaCha12 whose kind says that the call before left the whole state. */
const continued = (code: Statement): Statement => when(i32.eqz(first), when(i32.eq(second, 6), code));

export const chachaMissed: readonly MissedFault[] = [
  chacha(
    'C02',
    'seal clears the first word of the ciphertext of 70,001 bytes',
    'seal',
    inserted(functionOf('seal'), end, when(i32.eq(third, 70_001), i32.store(0, STAGE, 0))),
  ),
  chacha(
    'C03',
    'seal adds a word of the key to the ciphertext of 16,384 bytes, if that word has one value',
    'seal',
    inserted(
      functionOf('seal'),
      start,
      when(
        i32.eq(third, 16_384),
        i32.store(0, STAGE, i32.xor(i32.load(0, STAGE), i32.and(i32.load(0, KEY), ifMagic(KEY)))),
      ),
    ),
  ),
  chacha(
    'C04',
    'open takes every tag that begins with four certain bytes for right, at 16,384 bytes',
    'open',
    inserted(
      functionOf('open'),
      beforeCallOf('verify'),
      when(
        i32.eq(third, 16_384),
        // The words are written from the last to the first, because the first one decides.
        sequence(
          ...[12, 8, 4, 0].map((at) => {
            const [found, given] = [i32.load(0, COMPUTED + at), i32.load(0, stream.TAG + at)];
            return i32.store(0, COMPUTED + at, i32.xor(found, i32.and(i32.xor(found, given), ifMagic(stream.TAG))));
          }),
        ),
      ),
    ),
  ),
  chacha(
    'C05',
    'seal leaves keys where they are if the length is 5 modulo 64',
    'seal',
    inPlaceOfFill('seal', (fillAll) => when(i32.eq(i32.and(third, 63), 5), sequence(), fillAll)),
    LEFT,
  ),
  chacha(
    'C06',
    'seal leaves 100 bytes of additional data',
    'seal',
    inserted(functionOf('seal'), conditionOn(1), i32.value(100) + I32_NE),
    LEFT,
  ),
  chacha(
    'C07',
    'seal copies the key to where nobody wipes, at 3000 bytes',
    'seal',
    inserted(functionOf('seal'), start, when(i32.eq(third, 3000), copy(STAGE + 9000, KEY, 32))),
  ),
  chacha(
    'C09',
    'xor of 1000 blocks takes the counter back if a word of the key has one value',
    'xor',
    inserted(
      functionOf('xor'),
      end,
      when(
        i32.eq(parameter(3), 1000),
        i32.store(0, COUNTER, i32.sub(i32.load(0, COUNTER), i32.and(ifMagic(KEY), 1000))),
      ),
    ),
  ),
  {
    id: 'T03',
    what: 'open gives back a word of the key with the verdict, at 16,384 bytes',
    kernel: 'chacha long scalar',
    name: 'open',
    plant: inserted(
      functionOf('open'),
      end,
      // After the verdict, and without a branch: a word of the key, or zero.
      i32.and(i32.load(0, KEY), i32.sub(0, i32.eqz(i32.xor(third, 16_384)))) + I32_ADD,
    ),
    refutedBy: ['constant time', NUMBERS],
  },
  {
    id: 'C10',
    what: 'seal authenticates 699 of 700 bytes of additional data',
    kernel: 'chacha long scalar',
    name: 'seal',
    plant: inserted(functionOf('seal'), start, set(second, i32.sub(second, ifEqual(second, 700)))),
    refutedBy: [NUMBERS],
  },
  enumerated(
    'chacha long scalar',
    'C12',
    'xor of 12 rounds that continues begins with block 0 again',
    'xor',
    inserted(functionOf('xor'), start, continued(clearCounter)),
    'keystream',
  ),
  enumerated(
    'chacha short scalar',
    'C16',
    'xor of 12 rounds that continues leaves the counter at 0, so that the next call repeats the keystream',
    'xor',
    inserted(functionOf('xor'), end, continued(clearCounter)),
    'keystream',
  ),
  ...['chacha short scalar', 'chacha long scalar'].map(missedOfShortKeys),
];
