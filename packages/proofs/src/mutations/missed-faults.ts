/**
 * Faults that all claims once missed, each planted in a real kernel: keyed backdoors, a forgery, keys that stay in memory,
 * results that are wrong at one length. Each is data: where code is put into the module, and the topics of the claims that
 * refute it, every one of them by itself.
 *
 * A keyed fault does nothing unless a word of the key has one value, so no test meets it; it selects with a mask, because a
 * branch would be a leak. What it depends on besides, a length or a number of blocks, is public.
 */
import * as blake3 from '../../../lanewise/src/blake3/map.ts';
import * as disk from '../../../lanewise/src/disk/map.ts';
import * as stream from '../../../lanewise/src/keystream/map.ts';
import { STATE as POLY_STATE } from '../../../lanewise/src/poly1305/map.ts';
import * as serpent from '../../../lanewise/src/serpent/map.ts';
import { copy, fill, sequence, set, when } from '../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import type { Expression, Local, Statement } from '../../../lanewise/src/wasm/types.ts';
import { decode } from '../wasm/decode.ts';
import { exported, type Instruction } from '../wasm/types.ts';
import { patched } from './patch.ts';
import {
  beforeCallOf,
  behind,
  conditionOn,
  end,
  functionOf,
  ifMagic,
  inserted,
  parameter,
  start,
  unlessMagic,
  type FunctionOf,
  type Place,
  type Plant,
} from './plant.ts';

export interface MissedFault {
  /** Two things of the same number are the same fault in two functions. */
  readonly id: string;
  readonly what: string;
  readonly kernel: string;
  /** The function that has it, as a coverage claim names it. */
  readonly name: string;
  readonly plant: Plant;
  /** Topics of claims. */
  readonly refutedBy: readonly string[];
}

const [first, second, third] = [0, 1, 2].map(parameter);

/** Their first operands are on the stack already. */
const [I32_NE, I32_ADD] = ['\x47', '\x6a'];

/** Clears a word if a word of the key has one value. */
const clearIfMagic = (word: number, key: number): Statement => i32.store(0, word, unlessMagic(i32.load(0, word), key));
const flipIfMagic = (word: number, key: number): Statement =>
  i32.store(0, word, i32.xor(i32.load(0, word), i32.and(ifMagic(key), 1)));

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
const { DATA } = stream;
const COUNTER = stream.word(12);
/** Where `open` has the tag that it has computed. */
const COMPUTED = stream.HEAD + 16;

/** What any of them depends on besides a secret, a length or a number of blocks, is in no list of those. */
const NUMBERS = 'public numbers';

const chacha = (id: string, what: string, name: string, plant: Plant, ...others: readonly string[]): MissedFault => ({
  id,
  what,
  kernel: 'chacha long scalar',
  name,
  plant,
  refutedBy: ['coverage', NUMBERS, ...others],
});
/** At one of the lengths that all are followed of. */
const LEFT = 'left in memory';

const CHACHA: readonly MissedFault[] = [
  chacha(
    'C02',
    'seal clears the first word of the ciphertext of 70,001 bytes',
    'seal',
    inserted(functionOf('seal'), end, when(i32.eq(third, 70_001), i32.store(0, DATA, 0))),
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
        i32.store(0, DATA, i32.xor(i32.load(0, DATA), i32.and(i32.load(0, KEY), ifMagic(KEY)))),
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
        // From the last word on, because the first one decides.
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
    inserted(functionOf('seal'), start, when(i32.eq(third, 3000), copy(DATA + 9000, KEY, 32))),
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
      // Behind the verdict, and without a branch: a word of the key, or zero.
      i32.and(i32.load(0, KEY), i32.sub(0, i32.eqz(i32.xor(third, 16_384)))) + I32_ADD,
    ),
    refutedBy: ['constant time', NUMBERS],
  },
];

const other = (
  kernel: string,
  id: string,
  what: string,
  name: string,
  of: FunctionOf,
  place: Place,
  code: Statement,
  refutedBy = 'coverage',
): MissedFault => ({ id, what, kernel, name, plant: inserted(of, place, code), refutedBy: [refutedBy, NUMBERS] });

/** 1 if a number has one value, else 0, without a comparison. */
const ifEqual = (n: Local<'i32'>, value: number): Expression<'i32'> => i32.shr_u(i32.sub(i32.xor(n, value), 1), 31);

const OTHERS: readonly MissedFault[] = [
  {
    id: 'C10',
    what: 'seal authenticates 699 of 700 bytes of additional data',
    kernel: 'chacha long scalar',
    name: 'seal',
    plant: inserted(functionOf('seal'), start, set(second, i32.sub(second, ifEqual(second, 700)))),
    refutedBy: [NUMBERS],
  },
  {
    id: 'D07',
    what: 'pages hashes a tweak of 40 bytes without its last 8',
    kernel: 'disk scalar',
    name: 'pages',
    plant: inserted(
      functionOf('pages'),
      start,
      // In front of a tweak Adiantum hashes 16 bytes.
      set(parameter(3), i32.sub(parameter(3), i32.shl(ifEqual(parameter(3), 16 + 40), 3))),
    ),
    refutedBy: [NUMBERS],
  },
  other(
    'poly1305 scalar',
    'P02',
    'absorb of 200 blocks changes the accumulator if a word of r has one value',
    'absorb',
    functionOf('absorb'),
    start,
    when(i32.eq(first, 200), flipIfMagic(POLY_STATE, POLY_STATE + 32)),
  ),
  other(
    'blake3 scalar',
    'B01',
    'hash of 41,111 bytes is another one',
    'hash',
    functionOf('hash'),
    end,
    when(i32.eq(first, 41_111), i32.store(0, blake3.CV, i32.xor(i32.load(0, blake3.CV), 1))),
  ),
  other(
    'blake3 scalar',
    'B04',
    'output of 40 blocks is another one',
    'output',
    functionOf('output'),
    end,
    when(i32.eq(parameter(4), 40), i32.store(0, blake3.STAGE, i32.xor(i32.load(0, blake3.STAGE), 1))),
  ),
  other(
    'blake3 scalar',
    'B05',
    'the keyed hash of 32,768 bytes drops a word of the key if another one has one value',
    'hash',
    functionOf('hash'),
    start,
    when(i32.eq(first, 32_768), clearIfMagic(blake3.KEY + 4, blake3.KEY)),
  ),
  other(
    'serpent scalar',
    'O03',
    'behind block 48 a word of the offset is cleared if a word of L_* has one value',
    'function 12',
    behind('begin'),
    start,
    when(i32.eq(first, 48), clearIfMagic(serpent.OFFSET, serpent.STAR)),
    'serpent',
  ),
  ...(
    [
      ['S01', 100],
      ['S02', 3000],
    ] as const
  ).map(([id, blocks]) =>
    other(
      'serpent-ctr scalar',
      id,
      `ctr of ${blocks} blocks clears the first word`,
      'ctr',
      functionOf('ctr'),
      end,
      when(i32.eq(third, blocks), i32.store(0, serpent.DATA, 0)),
    ),
  ),
  other(
    'disk scalar',
    'D01',
    'nh of 31 units, a sector of 512 bytes, drops a word of the message if a word of its key has one value',
    'nh',
    functionOf('nh'),
    start,
    when(i32.eq(second, 31), i32.store(first, 0, unlessMagic(i32.load(first), disk.NH_KEY))),
    'NH',
  ),
  other(
    'disk scalar',
    'D03',
    'nh of all pieces of a page but its first is zero if a word of its key has one value',
    'nh',
    functionOf('nh'),
    end,
    when(i32.ne(third, disk.NH), i32.store(third, 0, unlessMagic(i32.load(third), disk.NH_KEY))),
    'NH',
  ),
  other(
    'disk scalar',
    'D06',
    'pages of 8192 bytes clears a word of the key if another one has one value',
    'pages',
    functionOf('pages'),
    start,
    when(i32.eq(parameter(5), 8192), clearIfMagic(disk.KEY, disk.KEY + 4)),
    'adiantum',
  ),
];

/**
 * Faults of parameters that claims about results now enumerate: kinds of a state with every number of rounds, counts, block
 * and chunk numbers. Claims about results execute all of them, both ways, so coverage does not object.
 */
const enumerated = (
  kernel: string,
  id: string,
  what: string,
  name: string,
  plant: Plant,
  topic: string,
): MissedFault => ({ id, what, kernel, name, plant, refutedBy: [topic, NUMBERS] });

const clearCounter = sequence(i32.store(0, COUNTER, 0), i32.store(0, COUNTER + 4, 0));
/** `xor` of ChaCha12 whose kind says that the call before left the whole state. */
const continued = (code: Statement): Statement => when(i32.eqz(first), when(i32.eq(second, 6), code));

/** The high word of chunk numbers, with only those bits that the numbers of the claims once had. */
const maskHigh = (name: string, high: number): Plant =>
  inserted(functionOf(name), start, set(parameter(high), i32.and(parameter(high), 0x200001)));

const ENUMERATED: readonly MissedFault[] = [
  ...(['salsa short scalar', 'salsa long scalar', 'chacha short scalar', 'chacha long scalar'] as const).map((kernel) =>
    enumerated(
      kernel,
      'C11',
      'xor with a key of 128 bits and 8 rounds takes the constants of 256 bits',
      'xor',
      inserted(
        functionOf('xor'),
        start,
        when(i32.eq(first, stream.SHORT_KEY), when(i32.eq(second, 4), set(first, i32.value(stream.PLAIN)))),
      ),
      'keystream',
    ),
  ),
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
  ...(
    [
      ['chunk', 2],
      ['prepare', 2],
      ['tree', 2],
      ['output', 2],
    ] as const
  ).map(([name, high]) =>
    enumerated(
      'blake3 scalar',
      'B02',
      `${name} drops bits of the high word of the number`,
      name,
      maskHigh(name, high),
      name,
    ),
  ),
  enumerated(
    'blake3 scalar',
    'B03',
    'many of 33 messages is another digest',
    'many',
    inserted(
      functionOf('many'),
      end,
      when(i32.eq(first, 33), i32.store(0, blake3.CVS, i32.xor(i32.load(0, blake3.CVS), 1))),
    ),
    'many',
  ),
  enumerated(
    'serpent scalar',
    'O02',
    'behind block 48 a word of the offset is cleared',
    'function 12',
    inserted(behind('begin'), start, when(i32.eq(first, 48), i32.store(0, serpent.OFFSET, 0))),
    'serpent',
  ),
];

export const missedFaults: readonly MissedFault[] = [...CHACHA, ...OTHERS, ...ENUMERATED];
