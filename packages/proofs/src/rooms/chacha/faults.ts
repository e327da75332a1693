/** Faults for the kernels of ChaCha. */
import * as stream from '../../../../lanewise/src/keystream/map.ts';
import { copy, fill, sequence, set, when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { unsigned, type Expression, type Statement } from '../../../../lanewise/src/wasm/types.ts';
import { byTopics, EVERY_LENGTH, INDUCTION, onlyBy, UNCOVERED, type Fault } from '../../mutations/fault.ts';
import { patched } from '../../mutations/patch.ts';
import {
  atEnd,
  atStart,
  beforeCallOf,
  choice,
  chosen,
  conditionOn,
  flip,
  functionOf,
  ifEqual,
  ifMagic,
  ifWord,
  inserted,
  parameter,
  start,
  type Plant,
} from '../../mutations/plant.ts';
import { decode } from '../../wasm/decode.ts';
import { exported, type Instruction } from '../../wasm/types.ts';
import { afterBlocks, counterBack, sealingFaults, shortKeyFault } from '../keystream/faults.ts';

const [first, second, third] = [0, 1, 2].map(parameter);

/** Their first operands are on the stack already. */
const [I32_NE, I32_ADD, I32_AND] = ['\x47', '\x6a', '\x71'];

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

const clearCounter = sequence(i32.store(0, COUNTER, 0), i32.store(0, COUNTER + 4, 0));
/** `xor` of ChaCha12 whose kind says that the call before left the whole state. */
const continued = (code: Statement): Statement => when(i32.eqz(first), when(i32.eq(second, 6), code));

/** A different alignment hint, which has the same meaning. */
const hint: Plant = (kernel) => {
  const load = decode(kernel.bytes).functions[0].code.find((step) => step.op === 'i32.load')!;
  const bytes = Uint8Array.from(kernel.bytes);
  bytes[load.at + 1] = 0;
  return { ...kernel, bytes };
};

/** A byte that is in memory from the start, where additional data will be. */
const dataOverInput: Plant = (kernel) => {
  const segment = '\x01\x00' + i32.value(stream.AAD) + '\x0b\x01\x2a';
  const section = '\x0b' + unsigned(segment.length) + segment;
  return {
    ...kernel,
    bytes: Uint8Array.from([...kernel.bytes, ...Array.from(section, (character) => character.charCodeAt(0))]),
  };
};

const swapped = (x: number, y: number): Statement => {
  const [first, second] = [x, y].map(parameter);
  const SET = '\x21';
  return (first + second + SET + unsigned(x) + SET + unsigned(y)) as Statement;
};

/** Both lengths as `finish` has them in memory. */
const [AAD_LENGTH, LENGTH] = [stream.HEAD, stream.HEAD + 8];
/** The words of a mask that `chosen` reads, where kernels without vectors have nothing. */
const CHOICE = stream.SETS;

/** `open` takes the tag that it was given for the one that it has computed, word by word, where a mask is all ones. */
const takesGiven = (mask: Expression<'i32'>): Statement =>
  // The words are written from the last to the first, because the first one decides.
  sequence(
    ...[12, 8, 4, 0].map((at) => {
      const [found, given] = [i32.load(0, COMPUTED + at), i32.load(0, stream.TAG + at)];
      return i32.store(0, COMPUTED + at, i32.xor(found, i32.and(i32.xor(found, given), mask)));
    }),
  );
const beforeVerdict = (code: Statement): Plant => inserted(functionOf('open'), beforeCallOf('verify'), code);
const behindMac = (code: Statement): Plant => inPlaceOfFill('seal', (fillAll) => sequence(code, fillAll));
/** A word of the key is XORed onto the text, if it has one value. */
const addKey = (mask: Expression<'i32'>): Statement =>
  i32.store(0, STAGE, i32.xor(i32.load(0, STAGE), i32.and(i32.load(0, KEY), i32.and(mask, ifMagic(KEY)))));

/** Lengths that are chosen without a comparison, in kernels whose faults at a length all other claims miss. */
const atLengths: readonly Fault[] = [
  {
    name: 'seal',
    planted: 'seal clears the first word of the ciphertext of 70,001 bytes, by the length in the last block of the MAC',
    plant: behindMac(i32.store(0, STAGE, i32.and(i32.load(0, STAGE), i32.xor(ifWord(LENGTH, 70_001), -1)))),
  },
  {
    name: 'seal',
    planted:
      'seal adds a word of the key to the ciphertext of 16,384 bytes, by the length in the last block of the MAC',
    plant: behindMac(addKey(ifWord(LENGTH, 16_384))),
  },
  {
    name: 'seal',
    planted: 'seal adds a word of the key to the ciphertext if bit 9 of the length is set, by an address',
    plant: inserted(
      functionOf('seal'),
      beforeCallOf('finish'),
      sequence(choice(CHOICE), addKey(chosen(CHOICE, third, 9))),
    ),
  },
  {
    name: 'open',
    planted:
      'open takes every tag that begins with four certain bytes for right, at 16,384 bytes, by the length in memory',
    plant: beforeVerdict(takesGiven(i32.and(ifWord(LENGTH, 16_384), ifMagic(stream.TAG)))),
  },
  {
    name: 'open',
    planted:
      'open takes every tag that begins with four certain bytes for right if bit 9 of the length is set, by an address',
    plant: beforeVerdict(sequence(choice(CHOICE), takesGiven(i32.and(chosen(CHOICE, third, 9), ifMagic(stream.TAG))))),
  },
  {
    name: 'open',
    planted:
      'open of 16,384 bytes says that a tag is wrong unless a word of it is one of the key, by the length in memory',
    plant: beforeVerdict(
      i32.store(
        0,
        COMPUTED,
        i32.xor(
          i32.load(0, COMPUTED),
          i32.and(ifWord(LENGTH, 16_384), i32.xor(i32.load(0, KEY), i32.load(0, stream.TAG))),
        ),
      ),
    ),
  },
  {
    name: 'seal',
    planted: 'seal clears the last of 700 bytes of additional data before it is authenticated, by the length in memory',
    plant: atStart(
      'seal',
      sequence(
        i32.store(0, AAD_LENGTH, second),
        i32.store8(
          0,
          stream.AAD + 699,
          i32.and(i32.load8_u(0, stream.AAD + 699), i32.xor(ifWord(AAD_LENGTH, 700), -1)),
        ),
      ),
    ),
  },
  {
    name: 'encrypt',
    planted:
      'encrypt in parts whose length has bit 9 flips a bit of a part that begins with a magic word, by an address',
    plant: atEnd(
      'encrypt',
      sequence(
        choice(CHOICE),
        i32.store(0, STAGE, i32.xor(i32.load(0, STAGE), i32.and(i32.and(chosen(CHOICE, third, 9), ifMagic(STAGE)), 1))),
      ),
    ),
  },
  {
    name: 'decrypt',
    planted: 'decrypt of a part whose length has bit 9 gives a word of the key, by an address',
    plant: atEnd('decrypt', sequence(choice(CHOICE), addKey(chosen(CHOICE, first, 9)))),
  },
].map((fault) => ({ module: 'chacha long scalar', ...fault, found: EVERY_LENGTH }));

/** Of the kernels with vectors: the function of sets, and the interleaved loop, which is in front of `encrypt`. */
const SETS_FUNCTION = 3;
const WOVEN_FUNCTION = 15;

/** Numbers of iterations that no claim about results has. */
const atIterations: readonly Fault[] = [
  {
    name: 'function 3',
    planted: 'the ciphertext has a word of the key after 320 blocks of a call, if that word has one value',
    plant: afterBlocks(SETS_FUNCTION, 1, 320 + 3),
  },
  {
    name: 'function 3',
    planted: 'the counter goes back after 992 blocks of a call, if a word of the key has one value',
    plant: counterBack(SETS_FUNCTION, 992),
  },
  {
    name: 'function 15',
    planted: 'the ciphertext has a word of the key after 40 groups with their MAC, if that word has one value',
    plant: afterBlocks(WOVEN_FUNCTION, 0, 320 + 3),
  },
  {
    name: 'function 15',
    planted: 'the high word of the counter is one more in a part after 128 GiB of a message',
    plant: inserted(
      ({ functions }) => functions[WOVEN_FUNCTION],
      start,
      i32.store(0, COUNTER + 4, i32.add(i32.load(0, COUNTER + 4), i32.shr_u(i32.load(0, COUNTER), 31))),
    ),
  },
].map((fault) => ({ module: 'chacha long relaxed', ...fault, found: INDUCTION }));

export const chachaFaults: readonly Fault[] = [
  ...atIterations,
  ...sealingFaults('chacha', 'begin', stream.STAGE),
  ...atLengths,

  ...[
    {
      name: 'seal',
      planted: 'seal clears the first word of the ciphertext of 70,001 bytes',
      plant: atEnd('seal', when(i32.eq(third, 70_001), i32.store(0, STAGE, 0))),
      found: UNCOVERED,
    },
    {
      name: 'seal',
      planted: 'seal adds a word of the key to the ciphertext of 16,384 bytes, if that word has one value',
      plant: atStart(
        'seal',
        when(
          i32.eq(third, 16_384),
          i32.store(0, STAGE, i32.xor(i32.load(0, STAGE), i32.and(i32.load(0, KEY), ifMagic(KEY)))),
        ),
      ),
      found: UNCOVERED,
    },
    {
      name: 'open',
      planted: 'open takes every tag that begins with four certain bytes for right, at 16,384 bytes',
      plant: inserted(
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
      found: UNCOVERED,
    },
    // A fault at one of the lengths at which all functions are followed.
    {
      name: 'seal',
      planted: 'seal leaves keys where they are if the length is 5 modulo 64',
      plant: inPlaceOfFill('seal', (fillAll) => when(i32.eq(i32.and(third, 63), 5), sequence(), fillAll)),
      found: byTopics('coverage', 'left in memory'),
    },
    {
      name: 'seal',
      planted: 'seal leaves 100 bytes of additional data',
      plant: inserted(functionOf('seal'), conditionOn(1), i32.value(100) + I32_NE),
      found: byTopics('coverage', 'left in memory'),
    },
    {
      name: 'seal',
      planted: 'seal copies the key to where nothing is wiped, at 3000 bytes',
      plant: atStart('seal', when(i32.eq(third, 3000), copy(STAGE + 9000, KEY, 32))),
      found: UNCOVERED,
    },
    {
      name: 'xor',
      planted: 'xor of 1000 blocks takes the counter back if a word of the key has one value',
      plant: atEnd(
        'xor',
        when(
          i32.eq(parameter(3), 1000),
          i32.store(0, COUNTER, i32.sub(i32.load(0, COUNTER), i32.and(ifMagic(KEY), 1000))),
        ),
      ),
      found: UNCOVERED,
    },
    {
      name: 'open',
      planted: 'open gives back a word of the key with the verdict, at 16,384 bytes',
      // After the verdict, and without a branch: a word of the key, or zero.
      plant: atEnd('open', i32.and(i32.load(0, KEY), i32.sub(0, i32.eqz(i32.xor(third, 16_384)))) + I32_ADD),
      found: byTopics('constant time'),
    },
    {
      name: 'seal',
      planted: 'seal authenticates 699 of 700 bytes of additional data',
      plant: atStart('seal', set(second, i32.sub(second, ifEqual(second, 700)))),
      found: byTopics(),
    },
    {
      name: 'xor',
      planted: 'xor of 12 rounds that continues begins with block 0 again',
      plant: atStart('xor', continued(clearCounter)),
      found: byTopics('keystream'),
    },
  ].map((fault) => ({ module: 'chacha long scalar', ...fault })),
  {
    module: 'chacha short scalar',
    name: 'xor',
    planted: 'xor of 12 rounds that continues leaves the counter at 0, so that the next call repeats the keystream',
    plant: atEnd('xor', continued(clearCounter)),
    found: byTopics('keystream'),
  },
  ...['chacha short scalar', 'chacha long scalar'].map(shortKeyFault),

  {
    module: 'chacha long relaxed',
    name: 'function 3',
    planted: 'the ciphertext has a word of the key after 640 blocks of a call, if that word has one value',
    plant: afterBlocks(SETS_FUNCTION, 1, 640 + 3),
    found: onlyBy('induction'),
  },

  ...[
    {
      kind: 'every length',
      name: 'seal',
      planted: 'seal adds a word of the key to the ciphertext of 59 bytes, by the length in the last block of the MAC',
      plant: behindMac(addKey(ifWord(LENGTH, 59))),
    },
    { kind: 'golden', name: 'function 0', planted: 'another alignment hint, which has the same meaning', plant: hint },
    {
      kind: 'lints',
      name: 'the data',
      planted: 'a byte is in memory from the start, where additional data will be',
      plant: dataOverInput,
    },
    {
      kind: 'constant time',
      name: 'verify',
      planted: 'verify returns the verdict after an operation that keeps it; another operation could change it',
      plant: atEnd('verify', i32.value(1) + I32_AND),
    },
    {
      kind: 'public numbers',
      name: 'finish',
      planted: 'finish of a length that no claim about results has, without a branch',
      plant: atStart('finish', set(third, i32.add(third, ifEqual(third, 61)))),
    },
    {
      kind: 'coverage',
      name: 'seal',
      planted: 'seal of a length that no claim about results has clears a word',
      plant: atEnd('seal', when(i32.eq(third, 62), i32.store(0, STAGE, 0))),
    },
    {
      kind: 'keystream',
      name: 'xor',
      planted: 'xor with a key of 16 bytes flips a bit of the key',
      plant: atStart('xor', when(i32.eq(first, stream.SHORT_KEY), flip(KEY))),
    },
    {
      kind: "the AEAD's cipher",
      name: 'verify',
      planted: 'verify reads the tag from the address before it that is a multiple of four',
      plant: atStart('verify', set(first, i32.and(first, -4))),
    },
    {
      kind: 'chacha20-poly1305',
      name: 'finish',
      planted: 'finish takes the words of one length for those of the other',
      plant: atStart('finish', swapped(1, 3)),
    },
    {
      kind: 'xchacha20-poly1305',
      name: 'seal',
      // In the tag, which the claims about the cipher do not cover.
      planted: 'seal with a nonce of 24 bytes flips a bit of the MAC',
      plant: inserted(
        functionOf('seal'),
        beforeCallOf('finish'),
        i32.store(0, stream.POLY, i32.xor(i32.load(0, stream.POLY), i32.and(first, 2))),
      ),
    },
    {
      kind: 'left in memory',
      name: 'seal',
      planted: 'seal wipes additional data at all lengths but 62',
      plant: inserted(functionOf('seal'), conditionOn(1), i32.value(62) + I32_NE),
    },
  ].map(({ kind, ...fault }) => ({ module: 'chacha short scalar', ...fault, found: onlyBy(kind) })),
];
