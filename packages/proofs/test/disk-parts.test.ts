/**
 * Where a claim takes AES or NH for granted, the claims about these are of every call that is made, and about all that it
 * does: faults that hide there are planted in the kernels of disk encryption, and the claim that is named refutes each.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { set, when } from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import { unsigned, type Expression, type Local, type Statement } from '../../lanewise/src/wasm/types.ts';
import { MIDDLE, NH, NH_KEY, ROUND, SLICED, SLICES, SUBKEYS, TWEAKED } from '../../lanewise/src/disk/map.ts';
import { diskClaims } from '../src/claims/disk.ts';
import { kernelOf, type Kernel } from '../src/kernels.ts';
import { patched } from '../src/mutations/patch.ts';
import { forgetTerms } from '../src/terms/term.ts';
import { decode } from '../src/wasm/decode.ts';
import { exported, type DecodedModule, type Instruction } from '../src/wasm/types.ts';

afterEach(forgetTerms);

/** Parameter number `i` of a function. */
const parameter = (i: number): Local<'i32'> => ('\x20' + unsigned(i)) as Local<'i32'>;

/** The word, or 0 if the key at an address has a word of one certain value: no test ever has that. */
const unlessKeyed = (word: Expression<'i32'>, address: number): Expression<'i32'> =>
  i32.and(word, i32.sub(i32.eq(i32.load(0, address), 0x5eed1e55), 1));

/** What is done to the code of one function, in a module of which all is known. */
type Edit = (code: readonly Instruction[], module: DecodedModule) => { at: number; removed: number; code: string };
const atStart =
  (code: Statement): Edit =>
  ([first]) => ({ at: first.at, removed: 0, code });
const atEnd =
  (code: Statement): Edit =>
  (all) => ({ at: all.at(-1)!.at, removed: 0, code });
/** The place of a call of another function: its number in the code. */
const callOf = (code: readonly Instruction[], { functions }: DecodedModule, name: string): number =>
  code.findIndex((step) => step.op === 'call' && functions[step.callee].name === name);
const withoutCall =
  (name: string): Edit =>
  (code, module) => {
    const call = callOf(code, module, name);
    return { at: code[call].at, removed: code[call + 1].at - code[call].at, code: '' };
  };
/** The last parameter is a constant, and becomes another. */
const withParameter =
  (name: string, value: number): Edit =>
  (code, module) => {
    const call = callOf(code, module, name);
    return { at: code[call - 1].at, removed: code[call].at - code[call - 1].at, code: i32.value(value) };
  };

function planted(kernel: Kernel, name: string, edit: Edit): Kernel {
  const module = decode(kernel.bytes);
  const { at, removed, code } = edit(exported(module, name).code, module);
  return { ...kernel, bytes: patched(kernel.bytes, at, removed, code) };
}

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
  readonly name: string;
  readonly edit: Edit;
  readonly claim: string;
  readonly message: RegExp;
}

const [address, units, to] = [0, 1, 2].map(parameter);
const NH_CLAIM = 'every number of units';

const nhFaults: readonly Fault[] = [
  {
    what: 'a unit of 31 is left out: that is a sector of 512 bytes',
    edit: atStart(when(i32.eq(units, 31), set(units, i32.value(30)))),
    message: /NH of 496 bytes: .* differ/,
  },
  {
    what: 'a unit of 31 is another, under one key in 2^32',
    edit: atStart(when(i32.eq(units, 31), i32.store(address, 0, unlessKeyed(i32.load(address), NH_KEY)))),
    message: /stray-write/,
  },
  {
    what: 'all but the first hash of a page lack a word',
    edit: atEnd(when(i32.ne(to, NH), i32.store(to, 0, 0))),
    message: /a branch that is not constant/,
  },
  {
    what: 'the same without a branch',
    edit: atEnd(i32.store(to, 0, i32.and(i32.load(to), i32.sub(i32.ne(to, NH), 1)))),
    message: /differ/,
  },
  {
    what: 'all but the first hash of a page are zero under one key in 2^32',
    edit: atEnd(when(i32.ne(to, NH), i32.store(to, 0, unlessKeyed(i32.load(to), NH_KEY)))),
    message: /a branch that is not constant/,
  },
  {
    what: 'the first hash is written too, wherever the hash goes',
    edit: atEnd(i32.store(0, NH + 64, 0)),
    message: /stray-write/,
  },
].map((fault) => ({ ...fault, name: 'nh', claim: NH_CLAIM }));

const [pageLength, headLength] = [parameter(5), parameter(3)];

const faultsOf = (blocks: number): readonly Fault[] => [
  ...nhFaults,
  {
    what: 'AES spoils a round key',
    name: 'encryptBlocks',
    edit: atEnd(i32.store(0, SLICED + 16, i32.xor(i32.load(0, SLICED + 16), i32.load(0, SLICED)))),
    claim: `${blocks} blocks, encrypted`,
    message: new RegExp(`stray-write: address ${SLICED + 16}$`),
  },
  {
    what: "AES writes a round key over what the tweak's hash left",
    name: 'encryptBlocks',
    edit: atEnd(i32.store(0, TWEAKED, i32.load(0, SLICED))),
    claim: `${blocks} blocks, encrypted`,
    message: new RegExp(`stray-write: address ${TWEAKED}$`),
  },
  {
    what: 'AES back writes behind its blocks',
    name: 'decryptBlocks',
    edit: atEnd(i32.store(0, SUBKEYS, i32.load(0, SLICED))),
    claim: `${blocks} blocks, decrypted`,
    message: new RegExp(`stray-write: address ${SUBKEYS}$`),
  },
  {
    what: 'AES takes a key that was not sliced',
    name: 'encryptBlocks',
    edit: atStart(i32.store(parameter(0), 0, i32.xor(i32.load(parameter(0)), i32.load(0, ROUND)))),
    claim: `${blocks} blocks, encrypted`,
    message: new RegExp(`to which nothing was written, at ${ROUND}$`),
  },
  {
    what: 'keys are sliced over a word of their own',
    name: 'sliceKeys',
    edit: atEnd(i32.store(0, ROUND, 0)),
    claim: `${blocks} blocks, encrypted`,
    message: new RegExp(`stray-write: address ${ROUND}$`),
  },
  {
    what: 'AES counts on what was where it computes',
    name: 'encryptBlocks',
    edit: atStart(i32.store(MIDDLE, 0, i32.xor(i32.load(0, MIDDLE), i32.load(0, SLICES + 28)))),
    claim: `${blocks} blocks, encrypted`,
    message: /the blocks differ/,
  },
  {
    what: 'the key of AES is not expanded',
    name: 'derive',
    edit: withoutCall('expandKey'),
    claim: 'keys from the stream, 12 rounds',
    message: /AES: 240 of 240 bytes differ/,
  },
  {
    what: 'the same in a whole page',
    name: 'derive',
    edit: withoutCall('expandKey'),
    claim: "adiantum: encrypt, a page of 2048 bytes from the cipher's key on",
    message: /a block is not what AES-256 makes of it/,
  },
  {
    what: 'a hash is zero under one key in 2^32, in a whole page',
    name: 'nh',
    edit: atEnd(i32.store(to, 0, unlessKeyed(i32.load(to), NH_KEY))),
    claim: "adiantum: decrypt, a page of 2048 bytes from the cipher's key on",
    message: /not congruent/,
  },
  {
    what: "AES takes blocks that are not a page's",
    name: 'pages',
    edit: withParameter('encryptBlocks', MIDDLE + 16),
    claim: 'adiantum: encrypt, 12 rounds, tweak of 32, 1 of 16 bytes',
    message: /encryptBlocks of blocks at 112, of which nothing is claimed/,
  },
  {
    what: 'pages of 8192 bytes have two rounds less',
    name: 'pages',
    edit: atStart(when(i32.eq(pageLength, 8192), set(parameter(2), i32.sub(parameter(2), 1)))),
    claim: 'adiantum: encrypt, 12 rounds, tweak of 32, 1 of 8192 bytes',
    message: /differs at byte/,
  },
  {
    what: 'a tweak of 40 bytes is hashed without its last 8',
    name: 'pages',
    edit: atStart(set(headLength, i32.sub(headLength, i32.shl(i32.eq(headLength, 56), 3)))),
    claim: 'adiantum: every tweak',
    message: /not congruent/,
  },
  {
    what: 'from six pages on heads do not count',
    name: 'heads',
    edit: atStart(when(i32.ge_u(parameter(3), 6), set(parameter(2), i32.value(0)))),
    claim: 'heads of 48 bytes',
    message: /^Failure: 6 heads of 48 bytes.* differ/,
  },
  {
    what: 'three pages have no tweaks',
    name: 'pages',
    edit: atStart(when(i32.eq(parameter(7), 3), set(headLength, i32.value(16)))),
    claim: 'adiantum: every number of pages',
    message: /not congruent/,
  },
];

describe.each([
  ['disk relaxed', 8],
  ['disk scalar', 2],
] as const)('%s', (name, blocks) => {
  const kernel = kernelOf(name);
  it.each(faultsOf(blocks))('$what', async (fault) => {
    const faulty = planted(kernel, fault.name, fault.edit);
    expect(WebAssembly.validate(faulty.bytes)).toBe(true);
    expect(await objectionOf(faulty, fault.claim)).toMatch(fault.message);
  });
});
