/**
 * Where a claim takes AES or NH for granted, the claims about these are of every call that is made, and about all that it
 * does: faults that hide there are planted in the kernels of disk encryption, and the claim that is named refutes each.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { MIDDLE, NH, NH_KEY, ROUND, SLICED, SLICES, SUBKEYS, TWEAKED } from '../../lanewise/src/disk/map.ts';
import { set, when } from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import type { Statement } from '../../lanewise/src/wasm/types.ts';
import { diskClaims } from '../src/rooms/disk/claims.ts';
import { kernelOf, type Kernel } from '../src/kernels.ts';
import {
  end,
  functionOf,
  inserted,
  parameter,
  start,
  unlessMagic,
  withoutCall,
  withParameter,
  type Plant,
} from '../src/mutations/plant.ts';
import { forgetTerms } from '../src/terms/term.ts';

async function objectionOf(kernel: Kernel, claim: string): Promise<string> {
  const found = diskClaims(kernel).filter((one) => one.claim.startsWith(claim));
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

const [pageLength, headLength] = [parameter(5), parameter(3)];

const faultsOf = (blocks: number): readonly Fault[] => [
  ...nhFaults,
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
    message: /differs at byte/,
  },
  {
    what: 'a tweak of 40 bytes is hashed without its last 8',
    plant: atStart('pages', set(headLength, i32.sub(headLength, i32.shl(i32.eq(headLength, 56), 3)))),
    claim: 'adiantum: every tweak',
    message: /not congruent/,
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
    message: /not congruent/,
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
