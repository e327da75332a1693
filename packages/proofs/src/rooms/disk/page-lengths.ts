/**
 * Pages of every length, any number of them in a call, with heads of any length, at any distance, by induction over the three loops of
 * `pages`: groups, and in a group its pages before AES and after it.
 *
 * The invariant of the outer loop: so many pages are left, the next one is at `first`, and its head at `head`; the others and their heads
 * follow at their distances, as they were; the keys are sliced. Of the loop before AES: page i of the group has been hashed, its block is
 * at MIDDLE + 16·i, and its tweak's hash at TWEAKED + 32·i; of its text only bytes after the message have changed. Of the loop
 * after AES: page i is done. Each part of the code between these points runs once in each case: from any state that the invariant allows
 * to the next one. What is about one page lies in regions of its own, at any addresses, and the run changes nothing but these and the work
 * areas; so pages do not touch one another, if they are whole sets apart, or there is one.
 */
import * as layout from '../../../../lanewise/src/disk/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { Case, forEveryLength, type Num } from '../../every-length/cases.ts';
import { BEFORE } from '../../every-length/content.ts';
import { Parameter, type Value } from '../../every-length/values.ts';
import type { Kernel } from '../../kernels.ts';
import { decode } from '../../wasm/decode.ts';
import { exported, type DecodedFunction } from '../../wasm/types.ts';
import {
  any,
  counterOf,
  expectEnded,
  localOf,
  loopsOf,
  runPart,
  type Ended,
  type Locals,
  type Loop,
} from './code-parts.ts';
import { diskModuleOf } from './functions.ts';
import { CIPHERS, expectKept, span, upTo16 } from './hash-lengths.ts';
import { BLOCK } from './hbsh-specification.ts';
import { ANYWHERE, HEAD_LENGTH, PAGES, PageRun, ROUNDS, type RunOptions, type Setting } from './page-run.ts';
import { requireCarry, sumOf } from './sums.ts';

const { HEADS, HEADS_BYTES, MIDDLE, STAGE, STAGE_BYTES, SUBKEYS, SUBKEY_BYTES, TWEAKED, TWEAKED_BYTES } = layout;
const SET = 256;
/** More pages than memory has room for. */
const MOST_COUNT = 65_536;
const PARAMETERS = 8;
const COUNT = 7;

const [BACK, LENGTH, COUNTS, FIRST, NEXT, HEAD] = ['back', 'length', 'count', 'first', 'next', 'next head'].map(any);
const [SLOT, STRIDE] = [new Parameter('slot'), new Parameter('stride')];
/** The pages of a group that are left: any number of them, and one less. */
const [LATER, LESS] = [new Parameter('left'), new Parameter('left', -1)];
/** Where the next page and the next head are. */
const [NEXT_PAGE, NEXT_HEAD] = [any('text + stride + 0'), any('head + slot + 0')];

interface Given {
  readonly back?: Value;
  readonly length?: Value;
  readonly count?: Value;
}

/** The locals of a page, in one of the two loops of a group. */
interface OfPage {
  readonly page: number;
  readonly block: number;
  readonly saved: number;
  readonly left: number;
}

class Pages {
  readonly #setting: Setting;
  readonly #f: DecodedFunction;
  readonly #outer: Loop;
  readonly #before: Loop;
  readonly #after: Loop;
  readonly #first: number;
  readonly #head: number;
  readonly #group: number;
  readonly #inFirst: OfPage;
  readonly #inSecond: OfPage & { readonly subkey: number };

  /** Proves the parts that have neither a length nor a number of pages. */
  constructor(setting: Setting) {
    this.#setting = setting;
    const f = (this.#f = exported(setting.module, 'pages'));
    const { aesBlocks } = setting;
    const [outer, before, after, ...others] = loopsOf(f);
    const nested = before.after <= after.from && after.after <= outer.again;
    require(others.length === 0 && nested, () => 'pages has other loops');
    [this.#outer, this.#before, this.#after] = [outer, before, after];

    const c = new Case(0, aesBlocks, 0, 0);
    const entry = this.#start(c);
    const start = this.#part(entry, 0, outer.from - 1, this.#parameters(), 0);
    require(entry.calls.length === 1 && entry.calls[0].name === 'sliceKeys', () => 'the keys are not sliced');
    entry.expectRest([], true, [], 'the keys are sliced');
    const rest = this.#start(c);
    expectEnded(c, this.#part(rest, outer.after, f.code.length - 1, new Map()), new Map(), [], [], 'after all groups');
    expectKept(rest.memory, [], 'after all groups');
    [this.#first, this.#head] = [STAGE, HEADS].map((value) => localOf(c, start, PARAMETERS, value));
    expectEnded(c, start, this.#parameters(), [], [], 'the first group');

    const group = this.#part(this.#start(c), outer.from, before.from - 1, this.#atGroup({ count: c.length }));
    this.#inFirst = this.#ofPage(c, group, before);
    this.#group = localOf(c, group, PARAMETERS, c.length, [this.#inFirst.left]);
    const [forwards] = [0, 1].map((back) => this.#middle(c, back));
    this.#inSecond = { ...this.#ofPage(c, forwards, after), subkey: localOf(c, forwards, PARAMETERS, SUBKEYS) };
  }

  #start = (c: Case, options?: RunOptions): PageRun => new PageRun(this.#setting, c, ANYWHERE, options);
  #part = (run: PageRun, from: number, to: number, known: Locals, others?: Value): Ended =>
    runPart(run.outline, this.#f, from, to, known, others);

  #parameters({ back = BACK, length = LENGTH, count = COUNTS }: Given = {}): Locals {
    const all = [back, this.#setting.nh, ROUNDS, HEAD_LENGTH, SLOT, length, STRIDE, count];
    return new Map(all.map((value, i) => [i, value]));
  }

  /** Where a group begins, … */
  #atGroup = (given: Given): Locals => new Map([...this.#parameters(given), [this.#first, FIRST], [this.#head, HEAD]]);
  /** … and within one. */
  #inGroup = (given: Given, more: readonly (readonly [number, Value])[] = []): Locals =>
    new Map([...this.#atGroup(given), [this.#group, PAGES], ...more]);

  /** The locals where a loop over the pages of a group begins. */
  #ofPage = (c: Case, at: Ended, loop: Loop): OfPage => ({
    page: localOf(c, at, PARAMETERS, FIRST, [this.#first]),
    block: localOf(c, at, PARAMETERS, MIDDLE),
    saved: localOf(c, at, PARAMETERS, TWEAKED),
    left: counterOf(this.#f, loop),
  });

  /** The locals with which a loop over pages begins. */
  #firstPage = ({ page, block, saved, left }: OfPage, pages: Value) =>
    [
      [page, FIRST],
      [block, MIDDLE],
      [saved, TWEAKED],
      [left, pages],
    ] as const;

  #middle(c: Case, back: number): Ended {
    const run = this.#start(c);
    const known = this.#inGroup({ back });
    const ended = this.#part(run, this.#before.after, this.#after.from - 1, known);
    const { aesBlocks } = this.#setting;
    run.expectMiddle(back, []);
    const places = [span(c, MIDDLE, BLOCK * aesBlocks), span(c, SUBKEYS, SUBKEY_BYTES * aesBlocks)];
    run.expectRest(places, true, [], 'AES and subkeys');
    const starts = this.#firstPage(this.#ofPage(c, ended, this.#after), PAGES);
    expectEnded(c, ended, known, starts, [], 'the loop after AES');
    return ended;
  }

  /** A group is as many pages as AES takes blocks, or those that are left. */
  proveCount(count: Num, c: Case): void {
    const { aesBlocks } = this.#setting;
    const pages = c.less(count, aesBlocks) ? count : aesBlocks;
    const begun = this.#start(c);
    const at = this.#atGroup({ count });
    const group = this.#part(begun, this.#outer.from, this.#before.from - 1, at);
    const starts = [...this.#firstPage(this.#inFirst, pages), [this.#group, pages] as const];
    expectEnded(c, group, at, starts, [], 'the loop before AES');
    expectKept(begun.memory, [], 'the beginning of a group');

    const ended = this.#start(c);
    const done = new Map([...at, [this.#group, pages], [this.#inSecond.page, NEXT]]);
    const end = this.#part(ended, this.#after.after, this.#outer.again, done);
    const left = c.sub(count, pages);
    expectEnded(
      c,
      end,
      done,
      [
        [this.#first, NEXT],
        [COUNT, left],
      ],
      [left],
      'the next group',
    );
    expectKept(ended.memory, [], 'the end of a group');
  }

  /** A page before AES: §2, P_M = P_R + H(T, P_L), or C_M = C_R + H(T, C_L). */
  proveHashed(pageLength: Num, c: Case): void {
    const { head, text, block, saved } = ANYWHERE;
    const length = c.sub(pageLength, BLOCK);
    const run = this.#start(c, { length });
    const of = this.#inFirst;
    const places = [
      [of.page, text],
      [of.block, block],
      [of.saved, saved],
      [of.left, LATER],
      [this.#head, head],
    ] as const;
    const known = this.#inGroup({ length: pageLength }, places);
    const ended = this.#part(run, this.#before.from, this.#before.again, known);
    const next = [
      [of.page, NEXT_PAGE],
      [of.block, run.next(block, BLOCK)],
      [of.saved, run.next(saved, TWEAKED_BYTES)],
    ] as const;
    expectEnded(
      c,
      ended,
      known,
      [...next, [of.left, LESS], [this.#head, NEXT_HEAD]],
      [LESS],
      'the next page before AES',
    );
    run.expectTweak();
    run.expectHead();
    const from = run.at(text);
    const last = c.add(from, length);
    run.memory.expect(from, last, BEFORE, 'the message');
    run.expectWordsAt(
      run.at(block),
      sumOf(run.wordsBefore(last), run.hash()),
      'the block that AES takes is another one',
    );
    const padding = { from: last, to: c.add(from, upTo16(c, length)) };
    const own = [
      span(c, run.at(head), HEADS_BYTES),
      span(c, run.at(saved), TWEAKED_BYTES),
      span(c, run.at(block), BLOCK),
    ];
    run.expectRest([], false, [...own, padding], 'a page before AES');
  }

  /** A page after AES: §2, C_L = P_L ⊕ S(C_M) and C_R = C_M − H(T, C_L), or P_L = C_L ⊕ S(C_M) and P_R = P_M − H(T, P_L). */
  proveStreamed(pageLength: Num, c: Case): void {
    const { text, block, saved, subkey } = ANYWHERE;
    const length = c.sub(pageLength, BLOCK);
    const run = this.#start(c, { length, isXored: true });
    run.nameTweak();
    run.name('subkey', subkey, SUBKEY_BYTES);
    const of = this.#inSecond;
    const places = [
      [of.page, text],
      [of.block, block],
      [of.saved, saved],
      [of.subkey, subkey],
      [of.left, LATER],
    ] as const;
    const known = this.#inGroup({ length: pageLength }, places);
    const ended = this.#part(run, this.#after.from, this.#after.again, known);
    const next = [
      [of.page, NEXT_PAGE],
      [of.block, run.next(block, BLOCK)],
      [of.saved, run.next(saved, TWEAKED_BYTES)],
    ] as const;
    const changed = [...next, [of.subkey, run.next(subkey, SUBKEY_BYTES)], [of.left, LESS]] as const;
    expectEnded(c, ended, known, changed, [LESS], 'the next page after AES');
    const from = run.at(text);
    const last = c.add(from, length);
    run.expectStreamed(length);
    run.expectWordsAt(
      last,
      sumOf(run.wordsBefore(run.at(block)), run.hash(), true),
      'the end of a page is another one',
    );
    // A last set is written whole.
    const set = span(c, from, c.and(c.add(pageLength, SET - 1), -SET >>> 0));
    run.expectRest(
      [],
      true,
      [span(c, run.at(saved), TWEAKED_BYTES), span(c, run.at(subkey), SUBKEY_BYTES), set],
      'a page after AES',
    );
  }
}

export const pageLengths = (kernel: Kernel): Claim[] =>
  CIPHERS.map((cipher, nh) => ({
    kernel: kernel.name,
    topic: 'every length',
    claim: `every length: ${cipher}, any number of pages of ${BLOCK} to ${STAGE_BYTES} bytes, wherever they are, with heads of any length`,
    async prove() {
      await requireCarry();
      const pages = new Pages({ kernel, module: decode(kernel.bytes), nh, aesBlocks: diskModuleOf(kernel).aesBlocks });
      counted('lengths', STAGE_BYTES - BLOCK + 1);
      const cases = [
        forEveryLength(1, MOST_COUNT, (count, c) => pages.proveCount(count, c)),
        forEveryLength(BLOCK, STAGE_BYTES, (length, c) => pages.proveHashed(length, c)),
        forEveryLength(BLOCK, STAGE_BYTES, (length, c) => pages.proveStreamed(length, c)),
      ];
      counted(
        'cases',
        cases.reduce((x, y) => x + y),
      );
    },
  }));
