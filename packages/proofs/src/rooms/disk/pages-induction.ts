/**
 * Any number of pages in a call, by induction over their groups: a group at any addresses of its pages and heads, with any number of pages
 * after it, or the last one, of each size. Names stand for the results of the functions that `pages` calls, as in page-claims.ts.
 */
import * as layout from '../../../../lanewise/src/disk/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, secrets } from '../../claims/compare.ts';
import type { Runnable } from '../../claims/runnable.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import type { Cut } from '../../execute/machine.ts';
import type { Kernel } from '../../kernels.ts';
import { bytesOf } from '../../specifications/algebra.ts';
import { symbols as w } from '../../specifications/terms.ts';
import { add, less, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { exported } from '../../wasm/types.ts';
import { localWith, NOTHING, outerLoop, unknown, word } from '../keystream/induction.ts';
import { diskModuleOf } from './functions.ts';
import { namedSetting } from './named-setting.ts';
import { pageOf, rangesOf, requirePages, upTo16, type Shape } from './page-claims.ts';

const { HEADS, KEY, MARGIN, MIDDLE, NH, NH_BYTES, NH_KEY, POLY_KEY, SLICED, STAGE } = layout;
const COUNT = 7;

/** How many are left: more than a group, or a number up to it, with which the loop ends. */
type Left = 'more' | number;

/** Throws Failure unless a group of pages is right, wherever it is, and leaves what the next one needs. */
export async function proveGroup(kernel: Kernel, shape: Omit<Shape, 'count'>, left: Left): Promise<void> {
  const own = diskModuleOf(kernel);
  const { aesBlocks } = own;
  const { cipher, back, rounds, length } = shape;
  const count = left === 'more' ? aesBlocks : left;
  const what = `${cipher}, ${back ? 'decrypt' : 'encrypt'}, ${left === 'more' ? 'a group' : `the last ${left}`} of pages of ${length}`;
  const pages = Array.from({ length: count }, (_, i) => pageOf({ ...shape, count }, i));
  const headLength = pages[0].head.length;
  const [stride, slot] = [(length + 255) & -256, upTo16(headLength)];
  const [page, head]: Base[] = [
    { name: 'pages', home: STAGE, length: stride * count + MARGIN },
    { name: 'heads', home: HEADS, length: slot * count },
  ];
  const [at, headAt, start] = [baseTerm(page), baseTerm(head), unknown('count')];
  const [least, rest] = left === 'more' ? [add(unknown('more'), word(count)), unknown('more')] : [word(left), word(0)];
  let running: Runnable;
  let [first, headLocal] = [-1, -1];
  const cut: Cut<Term> = {
    at: outerLoop(decode(kernel.bytes), exported(decode(kernel.bytes), 'pages').index),
    enter(locals, changed) {
      require(locals[COUNT] === start, () => `${what}: the loop starts with another number`);
      first = localWith(locals, changed, (value) => value === word(STAGE), 'the first page');
      headLocal = localWith(locals, changed, (value) => value === word(HEADS), 'the first head');
      for (const local of changed) locals[local] = NOTHING;
      [locals[first], locals[headLocal], locals[COUNT]] = [at, headAt, least];
      // An earlier group left anything where pages are computed.
      running.write(MIDDLE, secrets('left by the group before', KEY - MIDDLE));
      running.write(NH, secrets('hashes of the group before', NH_BYTES));
    },
    again(condition, locals) {
      const next =
        locals[first] === add(at, word(stride * count)) &&
        locals[headLocal] === add(headAt, word(slot * count)) &&
        locals[COUNT] === rest;
      require(condition === rest && next, () => `${what}: the next group is another one`);
      return false;
    },
  };
  const setting = namedSetting(own, {
    bases: [page, head],
    cut,
    // The number of pages does not wrap around: they are in memory.
    assume: new Map(left === 'more' ? [[less(least, word(aesBlocks)), 0]] : []),
  });
  const run = (running = setting.start(rangesOf(STAGE + stride * count)));
  const { key, r, nhKey } = setting.writeKeys(run);
  pages.forEach(({ head: bytes, bytes: text }, i) => {
    run.write(HEADS + slot * i, bytes);
    run.write(STAGE + stride * i, text);
  });
  run.call('pages', back ? 1 : 0, cipher === 'adiantum' ? 1 : 0, rounds / 2, headLength, slot, length, stride, start);
  require(first >= 0, () => `${what}: the loop is not reached`);
  counted('iterations', 1);
  expectNoEvents(run, what);
  expectBytes(run, KEY, key, `${what}: the key stays`);
  expectBytes(run, POLY_KEY, bytesOf(w, r.flat()), `${what}: the keys of Poly1305 stay`);
  expectBytes(run, NH_KEY, nhKey, `${what}: the key of NH stays`);
  expectBytes(run, SLICED, setting.sliced, `${what}: the keys of AES stay`);
  const results = pages.map((_, i) => run.read(STAGE + stride * i, length));
  await requirePages(what, aesBlocks, { ...shape, count }, setting, { key, r }, pages, results);
}

/** Lengths around a block of the stream, and sectors. */
const LENGTHS = [16, 48, 80, 81, 512];

/** Each size of a last group, and a group with others after it. */
export async function provePagesOfAnyNumber(kernel: Kernel, cipher: Shape['cipher']): Promise<void> {
  const { aesBlocks } = diskModuleOf(kernel);
  const sizes = Array.from({ length: aesBlocks }, (_, i) => i + 1);
  for (const length of LENGTHS)
    for (const back of [false, true])
      for (const left of ['more', ...(length === LENGTHS[1] ? sizes : [1, aesBlocks])] as const)
        await proveGroup(kernel, { cipher, back, rounds: 12, tweakLength: 32, length }, left);
}
