// Claims about secretbox's functions at every length that a call may have: "Cryptography in NaCl" §9 put together of
// keystream and MAC.
import * as map from '../../../../lanewise/src/keystream/map.ts';
import { BOX, FIRST_BYTES, TAG_BYTES } from '../../../../lanewise/src/salsa/map.ts';
import { require, type Claim } from '../../claims/claim.ts';
import type { Case, Num } from '../../every-length/cases.ts';
import type { Content } from '../../every-length/content.ts';
import { Parameter } from '../../every-length/outline.ts';
import type { Kernel } from '../../kernels.ts';
import { chachaBlocks } from '../chacha/every-length.ts';
import type { BlockCipher } from '../keystream/induction.ts';
import { inductionClaims } from '../keystream/mac-induction.ts';
import { blockOfInput } from './keystream-claims.ts';
import {
  atEveryLength,
  decoded,
  functionIn,
  lastParts,
  merged,
  proveXor,
  textAt,
  type Setting,
} from '../keystream/at-every-length.ts';
import { blocksOf, calleesOf, hasLoop, type Sealing } from '../keystream/every-length.ts';

const { HEAD, SETS, STAGE, STATE, TAG } = map;
const TAG_PLACE = BOX - TAG_BYTES;
const BEHIND = 256;
const KIND = new Parameter('kind');

function settingOf(kernel: Kernel): Setting {
  const module = decoded(kernel);
  const of = (name: string): number[] => calleesOf(functionIn(module, name));
  const [start, xor] = of('xor');
  const [finishMac] = of('finish');
  const [absorb] = of('absorb');
  const beginMac = module.functions[of('begin')[1]];
  const [, startMac] = calleesOf(beginMac);
  const woven = of('encrypt').find(
    (index) => ![xor, startMac, absorb].includes(index) && hasLoop(module.functions[index]),
  );
  const verify = functionIn(module, 'verify').index;
  return {
    kernel,
    module,
    leaves: { start, blocks: blocksOf(module, xor), startMac, absorb, finishMac, verify, woven },
  };
}

function expectMac(sealing: Sealing, c: Case, content: Content, length: Num, what: string): void {
  const found = sealing.tagged ?? sealing.absorbed;
  sealing.expectAbsorbed(merged(sealing, c, lastParts(c, content, length)), found, what);
}

function proveSeal(setting: Setting, most: number): void {
  atEveryLength(setting, most, (sealing, length, c) => {
    const { memory } = sealing;
    sealing.outline.call('seal', KIND, length);
    const end = c.add(BOX, length);
    memory.expect(BOX, end, { kind: 'before', delta: 0, stream: c.sub(0, HEAD) }, 'ciphertext');
    memory.expect(TAG_PLACE, BOX, { kind: 'tag', delta: c.sub(0, TAG_PLACE) }, 'tag');
    expectMac(sealing, c, textAt(BOX, FIRST_BYTES), length, 'seal');
    sealing.expectRest(
      [{ from: TAG_PLACE, to: end }],
      [
        { from: setting.kernel.short ? STATE : SETS, to: TAG_PLACE },
        { from: end, to: c.add(end, BEHIND) },
      ],
    );
  });
}

function proveOpen(setting: Setting, most: number, secretsFrom: typeof map.secretsFrom): void {
  atEveryLength(setting, most, (sealing, length, c) => {
    const { memory } = sealing;
    const result = sealing.outline.call('open', KIND, length);
    const end = c.add(BOX, length);
    memory.expect(BOX, end, { kind: 'before', delta: 0, stream: c.sub(0, HEAD) }, 'plaintext');
    expectMac(sealing, c, textAt(BOX), length, 'open');
    const { verdict } = sealing;
    require(verdict !== undefined && result === verdict.value, () => 'the result is not the verdict');
    const isTag = memory.same(verdict.of, { kind: 'tag', delta: 0 });
    const isGiven = memory.same(verdict.and, { kind: 'before', delta: TAG_PLACE });
    require(isTag && isGiven, () => `the verdict is not about the tags (length ${c.example})`);
    memory.expect(TAG, TAG + TAG_BYTES, { kind: 'before', delta: c.sub(TAG_PLACE, TAG) }, 'the given tag');
    // The place where the caller begins to wipe.
    if (!setting.kernel.short) sealing.expectWipedFrom(c.greatestOf(secretsFrom));
    sealing.expectRest([{ from: SETS, to: c.add(end, BEHIND) }], []);
  });
}

function proveBegin(setting: Setting): void {
  atEveryLength(setting, 0, (sealing, _, c) => {
    sealing.outline.call('begin', KIND);
    sealing.memory.expect(BOX, STAGE, { kind: 'before', delta: 0, stream: c.sub(0, HEAD) }, 'the first bytes');
    require(c.equal(sealing.counter, 1), () => 'begin leaves another counter');
  });
}

function proveParts(setting: Setting, most: number): void {
  const whole = (name: string, stream: number | undefined, call: (sealing: Sealing, length: Num) => void): void => {
    atEveryLength(setting, most, (sealing, length, c) => {
      call(sealing.begun(), length);
      const end = c.add(STAGE, length);
      sealing.memory.expect(STAGE, end, { kind: 'before', delta: 0, stream: c.sub(0, STAGE) }, name);
      expectMac(sealing, c, textAt(STAGE, stream), length, name);
      require(c.equal(sealing.counter, c.shiftedDown(c.add(length, 63), 6)), () => `${name}: another counter`);
    });
  };
  whole('encrypt', 0, (sealing, length) => void sealing.outline.call('encrypt', 0, 0, length));
  whole('decrypt', undefined, (sealing, length) => void sealing.outline.call('decrypt', length));
}

function proveAbsorb(setting: Setting, from: number, most: number): void {
  atEveryLength(setting, most, (sealing, length, c) => {
    sealing.begun().outline.call('absorb', from, length);
    expectMac(sealing, c, textAt(from), length, 'absorb');
    sealing.expectKept(c.add(from, length), c.add(from, c.and(c.add(length, 15), -16 >>> 0)));
  });
}

function proveFinish(setting: Setting): void {
  atEveryLength(setting, 0, (sealing, _, c) => {
    sealing.begun().outline.call('finish', STAGE);
    sealing.memory.expect(STAGE, STAGE + TAG_BYTES, { kind: 'tag', delta: c.sub(0, STAGE) }, 'tag');
    require(sealing.tagged?.length === 0, () => 'finish absorbs');
  });
}

const salsaBlocks: BlockCipher = { block: blockOfInput, counter: 14, rounds: [8, 12, 20] };

/** `secretsFrom` is the library's own function, which says where it begins to wipe after `open`. */
export function secretboxEveryLength(kernel: Kernel, core: 'salsa' | 'chacha', secretsFrom = map.secretsFrom): Claim[] {
  const cipher = core === 'salsa' ? salsaBlocks : chachaBlocks;
  const most = kernel.short ? map.SHORT_BYTES : map.STAGE_BYTES;
  const mostBox = kernel.short ? most : most + FIRST_BYTES;
  const blocks = kernel.short ? 2 : most / map.BLOCK_BYTES + 1;
  const claim = (text: string, prove: (setting: Setting) => void): Claim => ({
    kernel: kernel.name,
    claim: `every length: ${text}`,
    prove: () => {
      prove(settingOf(kernel));
    },
  });
  return [
    ...inductionClaims(kernel, () => ({ ...settingOf(kernel), cipher })),
    claim(`xor, 0 to ${blocks} blocks`, (setting) => {
      proveXor(setting, blocks);
    }),
    claim(`seal, 0 to ${mostBox} bytes`, (setting) => {
      proveSeal(setting, mostBox);
    }),
    claim(`open, 0 to ${mostBox} bytes`, (setting) => {
      proveOpen(setting, mostBox, secretsFrom);
    }),
    claim(`begin and finish; encrypt and decrypt, 0 to ${most} bytes`, (setting) => {
      proveBegin(setting);
      proveFinish(setting);
      proveParts(setting, most);
    }),
    claim(`absorb, 0 to ${most} bytes`, (setting) => {
      proveAbsorb(setting, STAGE, most);
      proveAbsorb(setting, BOX, FIRST_BYTES);
    }),
  ];
}
