/** A page in parts, at every length of a part: each function from any state that those before it may leave. */
import * as layout from '../../../../lanewise/src/disk/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { Case, forEveryLength, type Num } from '../../every-length/cases.ts';
import { BEFORE } from '../../every-length/content.ts';
import type { Kernel } from '../../kernels.ts';
import { decode } from '../../wasm/decode.ts';
import { diskModuleOf } from './functions.ts';
import { CIPHERS, expectKept, POLY_BYTES, S, span, upTo16 } from './hash-lengths.ts';
import { BLOCK } from './hbsh-specification.ts';
import { HEAD_LENGTH, IN_PARTS, PageRun, ROUNDS, type RunOptions, type Setting } from './page-run.ts';
import { requireCarry, sumOf } from './sums.ts';

const { HEADS, HEADS_BYTES, MIDDLE, POLY, STAGE, STAGE_BYTES, STATE, SUBKEYS, SUBKEY_BYTES } = layout;
const { STREAM_BLOCK, TWEAKED, TWEAKED_BYTES } = layout;
const SET = 256;

const started = (setting: Setting, c: Case, options?: RunOptions): PageRun =>
  new PageRun(setting, c, IN_PARTS, options);

/** What the parts of a message leave: its accumulator, and s, which is zero. */
function nameHashed(run: PageRun): void {
  run.nameTweak();
  run.name('hashed', POLY, S - POLY);
  run.memory.put(S, S + BLOCK, { kind: 'byte', delta: 0, value: 0 });
}

function proveBegin(setting: Setting, c: Case): void {
  const run = started(setting, c);
  run.outline.call('begin', setting.nh, HEAD_LENGTH);
  run.expectBegun();
  run.expectTweak();
  run.expectHead();
  const head = span(c, HEADS, HEADS_BYTES);
  expectKept(run.memory, [span(c, TWEAKED, TWEAKED_BYTES), span(c, POLY, POLY_BYTES), head], 'begin');
}

function proveAbsorb(setting: Setting, length: Num, c: Case): void {
  const run = started(setting, c, { length, goesOn: true });
  run.name('hash', POLY, POLY_BYTES);
  run.outline.call('absorb', setting.nh, length);
  run.expectHashed();
  const padding = { from: c.add(STAGE, length), to: c.add(STAGE, upTo16(c, length)) };
  run.expectRest([], false, [padding], 'absorb');
  run.memory.expect(STAGE, padding.from, BEFORE, 'the text');
}

function proveTurn(setting: Setting, c: Case, back: number): void {
  const run = started(setting, c);
  nameHashed(run);
  run.outline.call('turn', back, setting.nh, ROUNDS);
  const [sliced] = run.calls.splice(0, 1);
  require(sliced.name === 'sliceKeys', () => 'the keys are not sliced');
  const given = sumOf(run.wordsBefore(MIDDLE), run.hash());
  run.expectMiddle(back, given);
  run.expectStream();
  run.expectBegun();
  const { aesBlocks } = setting;
  const blocks = span(c, MIDDLE, BLOCK * aesBlocks);
  const places = [blocks, span(c, TWEAKED, TWEAKED_BYTES), span(c, SUBKEYS, SUBKEY_BYTES * aesBlocks)];
  run.expectTweak();
  run.expectRest(places, true, [], 'turn');
}

function proveStream(setting: Setting, length: Num, c: Case): void {
  const run = started(setting, c, { length, isXored: true, goesOn: true });
  run.name('hash', POLY, POLY_BYTES);
  run.name('stream', STATE, STREAM_BLOCK);
  run.outline.call('stream', setting.nh, ROUNDS, length);
  run.expectHashed();
  run.expectStreamed(length);
  // A last set is written whole.
  run.expectRest([], true, [span(c, STAGE, c.and(c.add(length, SET - 1), -SET >>> 0))], 'stream');
}

function proveEnd(setting: Setting, c: Case): void {
  const run = started(setting, c);
  nameHashed(run);
  run.outline.call('end', setting.nh);
  run.expectWordsAt(MIDDLE, sumOf(run.wordsBefore(MIDDLE), run.hash(), true), 'the end of a page is another one');
  const places = [span(c, MIDDLE, BLOCK), span(c, TWEAKED, TWEAKED_BYTES)];
  run.expectRest(places, false, [], 'end');
}

export const partLengths = (kernel: Kernel): Claim => ({
  kernel: kernel.name,
  topic: 'every length',
  claim: `every length: a page in parts: begin, absorb, turn, stream and end, with parts of up to ${STAGE_BYTES} bytes`,
  async prove() {
    await requireCarry();
    const module = decode(kernel.bytes);
    for (const nh of CIPHERS.keys()) {
      const setting: Setting = { kernel, module, nh, aesBlocks: diskModuleOf(kernel).aesBlocks };
      const c = new Case(0, 0, 0, 0);
      proveBegin(setting, c);
      for (const back of [0, 1]) proveTurn(setting, c, back);
      proveEnd(setting, c);
      counted('lengths', 2 * STAGE_BYTES + 1);
      const absorbed = forEveryLength(0, STAGE_BYTES, (length, one) => proveAbsorb(setting, length, one));
      // The library makes no call for a part without bytes.
      const streamed = forEveryLength(1, STAGE_BYTES, (length, one) => proveStream(setting, length, one));
      counted('cases', absorbed + streamed);
    }
  },
});
