// Claims about the AEAD's functions at every length that a call may have: RFC 8439 §2.8 put together of keystream and MAC.
import * as map from '../../../../lanewise/src/keystream/map.ts';
import { require, type Claim } from '../../claims/claim.ts';
import type { Case, Num } from '../../every-length/cases.ts';
import type { Content } from '../../every-length/content.ts';
import { Parameter } from '../../every-length/outline.ts';
import type { Kernel } from '../../kernels.ts';
import { symbols } from '../../specifications/terms.ts';
import type { BlockCipher } from '../keystream/induction.ts';
import { inductionClaims } from '../keystream/mac-induction.ts';
import { blockOf } from './specification.ts';
import {
  atEveryLength,
  decoded,
  functionIn,
  merged,
  proveXor,
  textAt,
  type Setting,
} from '../keystream/at-every-length.ts';
import { blocksOf, calleesOf, hasLoop, type Absorbed, type Sealing } from '../keystream/every-length.ts';

const { AAD, AAD_BYTES, SETS, STAGE, STATE, TAG } = map;
const TAG_BYTES = 16;
const BEHIND = 256;

function settingOf(kernel: Kernel): Setting {
  const module = decoded(kernel);
  const of = (name: string): number[] => calleesOf(functionIn(module, name));
  const [start, xor] = of('xor');
  const [absorb, finishMac] = of('finish');
  const [padded] = of('absorb');
  const startMac = of('begin')[2];
  const woven = of('encrypt').find(
    (index) => ![xor, startMac, padded].includes(index) && hasLoop(module.functions[index]),
  );
  const verify = functionIn(module, 'verify').index;
  return {
    kernel,
    module,
    leaves: { start, blocks: blocksOf(module, xor), startMac, absorb, finishMac, verify, woven },
    spans: { aadLength: { from: AAD, to: AAD + AAD_BYTES } },
    padded,
  };
}

/** The parts of `length` bytes that the MAC takes with their padding. */
function paddedParts(c: Case, content: Content, length: Num): Absorbed[] {
  const end = c.and(c.add(length, 15), -16 >>> 0);
  return [
    { from: 0, to: length, content, top: 1 },
    { from: length, to: end, content: { kind: 'byte', delta: 0, value: 0 }, top: 1 },
  ];
}

/** The block of both lengths after `at` bytes. */
function lengthsPart(c: Case, at: Num, words: readonly unknown[]): Absorbed[] {
  return words.flatMap((value, i): Absorbed[] => {
    const from = c.add(at, 4 * i);
    const content: Content =
      value === 0 ? { kind: 'byte', delta: 0, value: 0 } : { kind: 'word', delta: c.sub(0, from), value };
    return [{ from, to: c.add(from, 4), content, top: 1 }];
  });
}

/** Everything that the tag is of. */
function macParts(sealing: Sealing, c: Case, aad: Num | Parameter, text: Content, length: Num): Absorbed[] {
  const data = paddedParts(c, text, length);
  const before: Absorbed[] =
    aad instanceof Parameter ? [{ from: 0, to: 0, content: { kind: 'padded aadLength', delta: 0 }, top: 1 }] : [];
  return [...before, ...merged(sealing, c, [...data, ...lengthsPart(c, data[1].to, [aad, 0, length, 0])])];
}

const KIND = new Parameter('kind');
const sameAad = (aad: Num | Parameter): boolean => aad instanceof Parameter;

function proveSeal(setting: Setting, most: number, aad: Num | Parameter): void {
  const wipedFrom = setting.kernel.short ? STATE : SETS;
  atEveryLength(setting, most, (sealing, length, c) => {
    const { memory } = sealing;
    sealing.outline.call('seal', KIND, aad, length);
    const end = c.add(STAGE, length);
    memory.expect(STAGE, end, { kind: 'before', delta: 0, stream: c.sub(64, STAGE) }, 'ciphertext');
    memory.expect(end, c.add(end, TAG_BYTES), { kind: 'tag', delta: c.sub(0, end) }, 'tag');
    sealing.expectAbsorbed(macParts(sealing, c, aad, textAt(STAGE, 64), length), sealing.tagged, 'seal');
    if (sameAad(aad)) memory.expect(AAD, AAD + AAD_BYTES, { kind: 'filled aadLength', delta: 0, value: 0 }, 'aad');
    const behind = c.add(end, TAG_BYTES);
    sealing.expectRest(
      [{ from: STAGE, to: behind }],
      [
        { from: wipedFrom, to: STAGE },
        { from: behind, to: c.add(behind, BEHIND) },
      ],
    );
  });
}

function proveOpen(setting: Setting, most: number, aad: Num | Parameter, secretsFrom: typeof map.secretsFrom): void {
  atEveryLength(setting, most, (sealing, length, c) => {
    const { memory } = sealing;
    const result = sealing.outline.call('open', KIND, aad, length);
    const end = c.add(STAGE, length);
    memory.expect(STAGE, end, { kind: 'before', delta: 0, stream: c.sub(64, STAGE) }, 'plaintext');
    sealing.expectAbsorbed(macParts(sealing, c, aad, textAt(STAGE), length), sealing.tagged, 'open');
    const { verdict } = sealing;
    require(verdict !== undefined && result === verdict.value, () => 'the result is not the verdict');
    const isTag = memory.same(verdict.of, { kind: 'tag', delta: 0 });
    const isGiven = memory.same(verdict.and, { kind: 'before', delta: end });
    require(isTag && isGiven, () => `the verdict is not about the tags (length ${c.example})`);
    // What is left is the matter of the claims "left in memory"; the message lies between work areas and their end.
    // The caller may wipe additional data, too; without any it begins where secrets do.
    if (!setting.kernel.short) sealing.expectWipedFrom(c.greatestOf(secretsFrom));
    sealing.expectRest([{ from: SETS, to: c.add(c.add(end, TAG_BYTES), BEHIND) }], []);
    memory.expect(TAG, TAG + TAG_BYTES, { kind: 'before', delta: c.sub(end, TAG) }, 'the given tag');
  });
}

function proveParts(setting: Setting, most: number): void {
  const whole = (name: string, encrypts: boolean, call: (sealing: Sealing, length: Num) => void): void =>
    atEveryLength(setting, most, (sealing, length, c) => {
      call(sealing.begun(), length);
      const end = c.add(STAGE, length);
      sealing.memory.expect(STAGE, end, { kind: 'before', delta: 0, stream: c.sub(0, STAGE) }, name);
      const text = textAt(STAGE, encrypts ? 0 : undefined);
      sealing.expectAbsorbed(merged(sealing, c, paddedParts(c, text, length)), sealing.absorbed, name);
      require(c.equal(sealing.counter, c.shiftedDown(c.add(length, 63), 6)), () => `${name}: another counter`);
    });
  whole('encrypt', true, (sealing, length) => void sealing.outline.call('encrypt', 0, 0, length));
  whole('decrypt', false, (sealing, length) => void sealing.outline.call('decrypt', length));
}

function proveAbsorb(setting: Setting, from: number, most: number): void {
  atEveryLength(setting, most, (sealing, length, c) => {
    sealing.begun().outline.call('absorb', from, length);
    const parts = paddedParts(c, textAt(from), length);
    sealing.expectAbsorbed(merged(sealing, c, parts), sealing.absorbed, 'absorb');
    const [end, padded] = [c.add(from, length), c.add(from, c.and(c.add(length, 15), -16 >>> 0))];
    sealing.memory.expect(end, padded, { kind: 'byte', delta: 0, value: 0 }, 'padding');
    sealing.expectKept(end, padded);
  });
}

function proveFinish(setting: Setting, most: number): void {
  const lengths = ['aadLow', 'aadHigh', 'low', 'high'].map((name) => new Parameter(name));
  atEveryLength(setting, most, (sealing, length, c) => {
    const to = c.add(STAGE, length);
    sealing.begun().outline.call('finish', ...lengths, to);
    sealing.expectAbsorbed(lengthsPart(c, 0, lengths), sealing.tagged, 'finish');
    sealing.memory.expect(to, c.add(to, TAG_BYTES), { kind: 'tag', delta: c.sub(0, to) }, 'tag');
  });
}

export const chachaBlocks: BlockCipher = {
  block: (state, rounds) => blockOf(symbols, state, rounds),
  counter: 12,
  rounds: [8, 12, 20],
};

/** `secretsFrom` is the library's own function, which says where it begins to wipe after `open`. */
export function chachaEveryLength(kernel: Kernel, secretsFrom = map.secretsFrom): Claim[] {
  const most = kernel.short ? map.SHORT_BYTES : map.STAGE_BYTES;
  // The kernel for short messages computes the one-time key's block together with that of the message.
  const blocks = kernel.short ? 2 : most / map.BLOCK_BYTES + 1;
  const aad = new Parameter('aadLength');
  const claim = (text: string, prove: (setting: Setting) => void): Claim => ({
    kernel: kernel.name,
    claim: `every length: ${text}`,
    prove: () => {
      prove(settingOf(kernel));
    },
  });
  const lengths = `0 to ${most} bytes`;
  return [
    ...inductionClaims(kernel, () => ({ ...settingOf(kernel), cipher: chachaBlocks })),
    claim(`xor, 0 to ${blocks} blocks`, (setting) => {
      proveXor(setting, blocks);
    }),
    claim(`seal, ${lengths}, with any number of bytes of additional data, and without`, (setting) => {
      for (const length of [0, aad]) proveSeal(setting, most, length);
    }),
    claim(`open, ${lengths}, with any number of bytes of additional data, and without`, (setting) => {
      for (const length of [0, aad]) proveOpen(setting, most, length, secretsFrom);
    }),
    claim(`encrypt and decrypt, ${lengths}`, (setting) => {
      proveParts(setting, most);
    }),
    claim(`absorb, ${lengths} of a message, and all additional data`, (setting) => {
      proveAbsorb(setting, STAGE, most);
      proveAbsorb(setting, AAD, kernel.short ? map.SHORT_BYTES : AAD_BYTES);
    }),
    claim(`finish, with a tag behind ${lengths}`, (setting) => {
      proveFinish(setting, most);
    }),
  ];
}
