/**
 * Where a claim takes AES, NH, a stream or Poly1305 for granted, the claims about these are of every call that is made, and about
 * all that it does: faults that hide there, and in the code that calls them, are planted in the kernels of disk encryption, and the
 * claim that is named refutes each.
 */
import { afterEach, describe, expect, it } from 'vitest';
import {
  KEY,
  MIDDLE,
  NH,
  NH_KEY,
  POLY,
  ROUND,
  SLICED,
  SLICES,
  STATE,
  SUBKEYS,
  TWEAKED,
} from '../../lanewise/src/disk/map.ts';
import { set, when } from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import type { Local, Statement } from '../../lanewise/src/wasm/types.ts';
import { diskClaims } from '../src/rooms/disk/claims.ts';
import { computingIn, leavesOf } from '../src/rooms/disk/functions.ts';
import { diskEveryLength } from '../src/rooms/disk/every-length.ts';
import { kernelOf, type Kernel } from '../src/kernels.ts';
import {
  end,
  flipIfMagic,
  functionOf,
  ifMagic,
  inserted,
  parameter,
  start,
  strayWrite,
  unlessMagic,
  withoutCall,
  withParameter,
  type FunctionOf,
  type Place,
  type Plant,
} from '../src/mutations/plant.ts';
import { calleesOf } from '../src/rooms/keystream/every-length.ts';
import { forgetTerms } from '../src/terms/term.ts';

async function objectionOf(kernel: Kernel, claim: string): Promise<string> {
  const found = [...diskClaims(kernel), ...diskEveryLength(kernel)].filter((one) => one.claim.startsWith(claim));
  expect(found).toHaveLength(1);
  try {
    await found[0].prove();
    return 'nothing';
  } catch (error) {
    return String(error);
  }
}

interface Fault {
  readonly what: string;
  readonly plant: Plant;
  readonly claim: string;
  readonly message: RegExp;
}

/** Flips a bit of a word at an address if a word of memory has one value. */
const backdoorAt = (at: Local<'i32'>, word: number): Statement =>
  i32.store(at, 0, i32.xor(i32.load(at), i32.and(ifMagic(word), 1)));
const atStart = (name: string, code: Statement): Plant => inserted(functionOf(name), start, code);
const atEnd = (name: string, code: Statement): Plant => inserted(functionOf(name), end, code);

const [address, units, to] = [0, 1, 2].map(parameter);
const NH_CLAIM = 'every number of units';

const nhFaults: readonly Fault[] = [
  {
    what: 'a unit of 31 is left out: that is a sector of 512 bytes',
    plant: atStart('nh', when(i32.eq(units, 31), set(units, i32.value(30)))),
    message: /NH of 496 bytes: .* differ/,
  },
  {
    what: 'a unit of 31 is another, under one key in 2^32',
    plant: atStart('nh', when(i32.eq(units, 31), i32.store(address, 0, unlessMagic(i32.load(address), NH_KEY)))),
    message: /stray-write/,
  },
  {
    what: 'all but the first hash of a page lack a word',
    plant: atEnd('nh', when(i32.ne(to, NH), i32.store(to, 0, 0))),
    message: /a branch that is not constant/,
  },
  {
    what: 'the same without a branch',
    plant: atEnd('nh', i32.store(to, 0, i32.and(i32.load(to), i32.sub(i32.ne(to, NH), 1)))),
    message: /differ/,
  },
  {
    what: 'all but the first hash of a page are zero under one key in 2^32',
    plant: atEnd('nh', when(i32.ne(to, NH), i32.store(to, 0, unlessMagic(i32.load(to), NH_KEY)))),
    message: /a branch that is not constant/,
  },
  {
    what: 'the first hash is written too, wherever the hash goes',
    plant: atEnd('nh', i32.store(0, NH + 64, 0)),
    message: /stray-write/,
  },
].map((fault) => ({ ...fault, claim: NH_CLAIM }));

/** The functions that compute: the last of those that XOR blocks, which takes any number of them, and others. */
const ofStream: FunctionOf = (module) => module.functions[leavesOf(module).at(-1)!.index];
const computing =
  (name: 'subkeys' | 'absorb' | 'finish'): FunctionOf =>
  (module) =>
    module.functions[computingIn(module)[name]];
/** Those that hash a tweak, begin a message, or absorb one, which pages call. */
const caller =
  (exports: 'begin' | 'absorb', i: number): FunctionOf =>
  (module) =>
    module.functions[calleesOf(functionOf(exports)(module))[i]];
const atNextBlock: Place = (code) => code[code.findIndex(({ op }) => op === 'loop') + 1];
/** An address that no memory map uses. */
const UNUSED = 800;
const KEY_IN_STATE = STATE + 16;
const STREAM_CLAIM = 'stream of pages';
const PAGE_CLAIM = 'hpolyc: encrypt, 12 rounds, tweak of 32, 1 of 2048 bytes';

const computingFaults: readonly Fault[] = [
  {
    what: 'a stream flips a bit of a page under one key in 2^32',
    plant: inserted(ofStream, start, backdoorAt(parameter(1), KEY_IN_STATE)),
    claim: STREAM_CLAIM,
    message: /^Failure: stream, 12 rounds, \d+ blocks: 1 of \d+ bytes differ/,
  },
  {
    what: 'a stream writes to a place of nothing',
    plant: inserted(ofStream, end, strayWrite(UNUSED)),
    claim: STREAM_CLAIM,
    message: new RegExp(`stray-write \\(address ${UNUSED}\\)`),
  },
  {
    what: 'a stream leaves another counter',
    plant: inserted(ofStream, end, i32.store(0, STATE + 52, 0)),
    claim: STREAM_CLAIM,
    message: /state: \d+ of 64 bytes differ/,
  },
  {
    what: 'the next block, or group of blocks, is another one while bit 8 of the number that is left is set',
    plant: inserted(ofStream, atNextBlock, set(address, i32.add(address, i32.and(i32.shr_u(units, 4), 16)))),
    claim: 'induction: stream of pages',
    message: /^(?!nothing)/,
  },
  {
    what: 'the last page has the subkey of the first one',
    plant: inserted(computing('subkeys'), end, i32.store(0, SUBKEYS + 32, i32.load(0, SUBKEYS))),
    claim: 'subkeys of 1 to',
    message: /subkeys of 2 pages, 8 rounds: 4 of 32 bytes differ/,
  },
  {
    what: 'Poly1305 flips a bit of one accumulator in 2^32',
    plant: inserted(computing('absorb'), end, flipIfMagic(POLY, POLY)),
    claim: 'Poly1305 of ',
    message: /not congruent|has no meaning|not shown/,
  },
  {
    what: 'Poly1305 changes s',
    plant: inserted(computing('absorb'), end, strayWrite(POLY + 48)),
    claim: 'Poly1305 of ',
    message: new RegExp(`stray-write \\(address ${POLY + 48}\\)`),
  },
  {
    what: 'a block of Poly1305 is left out while bit 8 of the number that is left is set',
    plant: inserted(computing('absorb'), atNextBlock, set(address, i32.add(address, i32.and(i32.shr_u(units, 4), 16)))),
    claim: 'induction: Poly1305',
    message: /^(?!nothing)/,
  },
  {
    what: 'a tag is zero for one accumulator in 2^32',
    plant: inserted(computing('finish'), end, i32.store(address, 0, unlessMagic(i32.load(address), POLY))),
    claim: 'the last step of Poly1305',
    message: /the tag is not/,
  },
  {
    what: 'a tag is also left elsewhere',
    plant: inserted(computing('finish'), end, i32.store(0, UNUSED, i32.load(address))),
    claim: 'the last step of Poly1305',
    message: new RegExp(`stray-write \\(address ${UNUSED}\\)`),
  },
  {
    what: 'a message is hashed without its last block',
    plant: inserted(caller('absorb', 0), start, set(to, i32.sub(to, 16))),
    claim: PAGE_CLAIM,
    message: /a hash is another one/,
  },
  {
    what: 'a message begins with a word of another accumulator',
    plant: inserted(caller('begin', 1), end, i32.store(0, POLY + 16, 0)),
    claim: PAGE_CLAIM,
    message: /an accumulator that no call has left/,
  },
  {
    what: 'a message is hashed under an r that is not clamped',
    plant: inserted(caller('begin', 1), end, i32.store(0, POLY + 32, i32.load(0, KEY))),
    claim: PAGE_CLAIM,
    message: /r is not clamped/,
  },
  {
    what: 'a message is hashed with an s',
    plant: inserted(caller('begin', 1), end, i32.store(0, POLY + 48, i32.load(0, KEY))),
    claim: PAGE_CLAIM,
    message: /s is not zero/,
  },
  {
    what: 'a stream in parts begins at its second block',
    plant: atStart('stream', i32.store(0, STATE + 48, 1)),
    claim: 'adiantum: encrypt, 12 rounds, tweak of 32, 1124 bytes in parts',
    message: /differs at byte 0/,
  },
];

const [pageLength, headLength] = [parameter(5), parameter(3)];

const faultsOf = (blocks: number): readonly Fault[] => [
  ...nhFaults,
  ...computingFaults,
  {
    what: 'AES spoils a round key',
    plant: atEnd('encryptBlocks', i32.store(0, SLICED + 16, i32.xor(i32.load(0, SLICED + 16), i32.load(0, SLICED)))),
    claim: `${blocks} blocks, encrypted`,
    message: new RegExp(`stray-write: address ${SLICED + 16}$`),
  },
  {
    what: "AES writes a round key over what the tweak's hash left",
    plant: atEnd('encryptBlocks', i32.store(0, TWEAKED, i32.load(0, SLICED))),
    claim: `${blocks} blocks, encrypted`,
    message: new RegExp(`stray-write: address ${TWEAKED}$`),
  },
  {
    what: 'AES back writes behind its blocks',
    plant: atEnd('decryptBlocks', i32.store(0, SUBKEYS, i32.load(0, SLICED))),
    claim: `${blocks} blocks, decrypted`,
    message: new RegExp(`stray-write: address ${SUBKEYS}$`),
  },
  {
    what: 'AES takes a key that was not sliced',
    plant: atStart('encryptBlocks', i32.store(parameter(0), 0, i32.xor(i32.load(parameter(0)), i32.load(0, ROUND)))),
    claim: `${blocks} blocks, encrypted`,
    message: new RegExp(`to which nothing was written, at ${ROUND}$`),
  },
  {
    what: 'keys are sliced over a word of their own',
    plant: atEnd('sliceKeys', i32.store(0, ROUND, 0)),
    claim: `${blocks} blocks, encrypted`,
    message: new RegExp(`stray-write: address ${ROUND}$`),
  },
  {
    what: 'AES counts on what was where it computes',
    plant: atStart('encryptBlocks', i32.store(MIDDLE, 0, i32.xor(i32.load(0, MIDDLE), i32.load(0, SLICES + 28)))),
    claim: `${blocks} blocks, encrypted`,
    message: /the blocks differ/,
  },
  {
    what: 'the key of AES is not expanded',
    plant: withoutCall('derive', 'expandKey'),
    claim: 'keys from the stream, 12 rounds',
    message: /AES: 240 of 240 bytes differ/,
  },
  {
    what: 'the same in a whole page',
    plant: withoutCall('derive', 'expandKey'),
    claim: "adiantum: encrypt, a page of 2048 bytes from the cipher's key on",
    message: /a block is not what AES-256 makes of it/,
  },
  {
    what: 'a hash is zero under one key in 2^32, in a whole page',
    plant: atEnd('nh', i32.store(to, 0, unlessMagic(i32.load(to), NH_KEY))),
    claim: "adiantum: decrypt, a page of 2048 bytes from the cipher's key on",
    message: /not congruent/,
  },
  {
    what: "AES takes blocks that are not a page's",
    plant: withParameter('pages', 'encryptBlocks', MIDDLE + 16),
    claim: 'adiantum: encrypt, 12 rounds, tweak of 32, 1 of 16 bytes',
    message: /encryptBlocks of blocks at 128, of which nothing is claimed/,
  },
  {
    what: 'pages of 8192 bytes have two rounds less',
    plant: atStart('pages', when(i32.eq(pageLength, 8192), set(parameter(2), i32.sub(parameter(2), 1)))),
    claim: 'adiantum: encrypt, 12 rounds, tweak of 32, 1 of 8192 bytes',
    message: /subkeys of 1 pages, 10 rounds$/,
  },
  {
    what: 'a tweak of 40 bytes is hashed without its last 8',
    plant: atStart('pages', set(headLength, i32.sub(headLength, i32.shl(i32.eq(headLength, 56), 3)))),
    claim: 'adiantum: every tweak',
    message: /a hash is another one/,
  },
  {
    what: 'from six pages on heads do not count',
    plant: atStart('heads', when(i32.ge_u(parameter(3), 6), set(parameter(2), i32.value(0)))),
    claim: 'heads of 48 bytes',
    message: /^Failure: 6 heads of 48 bytes.* differ/,
  },
  {
    what: 'three pages have no tweaks',
    plant: atStart('pages', when(i32.eq(parameter(7), 3), set(headLength, i32.value(16)))),
    claim: 'adiantum: every number of pages',
    message: /a hash is another one/,
  },
];

/** `blocks` is how many blocks of AES the kernel takes at once. */
export function testParts(name: string, blocks: number): void {
  describe(name, () => {
    afterEach(forgetTerms);
    const kernel = kernelOf(name);
    it.each(faultsOf(blocks))('$what', async (fault) => {
      const faulty = fault.plant(kernel);
      expect(WebAssembly.validate(faulty.bytes)).toBe(true);
      expect(await objectionOf(faulty, fault.claim)).toMatch(fault.message);
    });
  });
}
