/**
 * BlockMix in rows of any r, by induction over the blocks of a row, and `fill` over rows. A block is at any place of its row, of any
 * number of pairs of blocks; X is any words. Where blocks are is exact: block 2h + p of a row that begins at B is at B + 128h + 64p,
 * and goes to Y + 64h, or for p = 1 to Y + 64r + 64h. A row lies before the end of memory, so that sums within it do not wrap around.
 */
import { BLOCK_BYTES } from '../../../../lanewise/src/scrypt/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import { Machine, type Cut } from '../../execute/machine.ts';
import type { Value } from '../../execute/run.ts';
import type { Kernel } from '../../kernels.ts';
import { bytesOf, wordsOf, xorBytes } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import { add, less, notEqual, shl, sub, variable, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { exported } from '../../wasm/types.ts';
import { Ended, ends } from '../keystream/ended.ts';
import { NOTHING, unknown, word } from '../keystream/induction.ts';
import { mixStep } from './specification.ts';

type Name = 'fill' | 'mix';
/** The blocks that a run is about: none, the first or second of a pair that is not the last, or the last block of a row. */
type Part = 'start' | 'first' | 'second' | 'last';

/** The parameters: rows that are read, the one that is written, r, and the rows that are left. */
function termsOf(name: Name) {
  const row = (which: string): Term => baseTerm({ name: which });
  const [r, left] = [unknown('r'), unknown('rows')];
  const from = name === 'mix' ? [row('X'), row('V[j]')] : [row('row')];
  const to = name === 'mix' ? row('Y') : add(from[0], shl(r, 7));
  return { r, left, from, to, parameters: name === 'mix' ? [...from, to, r] : [...from, r, left] };
}

/** Where a run has the bytes of blocks. */
const homeOf = (i: number): number => 4096 * (i + 2);
const OUTPUT = homeOf(4);
const FETCHED = homeOf(5);
const WORDS = BLOCK_BYTES / 4;

/** Runs part of a row. */
function proveBlock(kernel: Kernel, name: Name, part: Part): void {
  const what = `${name}, ${part === 'start' ? 'before the first block' : `the ${part} block`}`;
  const { r, left, from, to, parameters } = termsOf(name);
  const [h, at] = [unknown('pairs'), unknown('at')];
  const bytes = shl(r, 7);
  const end = add(from[0], bytes);
  /** The bytes before this block in its row, and where this one and the next go. */
  const [before, here, other] = {
    start: [word(0), to, add(to, shl(r, 6))],
    first: [shl(h, 7), add(to, shl(h, 6)), add(to, add(shl(r, 6), shl(h, 6)))],
    second: [
      add(shl(h, 7), word(BLOCK_BYTES)),
      add(to, add(shl(r, 6), shl(h, 6))),
      add(to, add(shl(h, 6), word(BLOCK_BYTES))),
    ],
    last: [sub(bytes, word(BLOCK_BYTES)), add(to, sub(bytes, word(BLOCK_BYTES))), add(to, shl(r, 6))],
  }[part];
  const block = (which: string, term: Term, home: number): Base => ({ name: which, term, home, length: BLOCK_BYTES });
  const homes = from.map((_, i) => homeOf(part === 'last' ? i : 2 + i));
  const bases = [
    ...from.map((row, i) => block('the last block', add(row, sub(bytes, word(BLOCK_BYTES))), homeOf(i))),
    ...(part === 'last' ? [] : from.map((row, i) => block('a block', add(row, before), homes[i]))),
    block('the result', here, OUTPUT),
    ...from
      .slice(1)
      .map((row) => ({ ...block('what is fetched', add(row, sub(at, word(BLOCK_BYTES))), FETCHED), length: 4 })),
  ];

  const lastBlocks = from.map((_, i) => secrets(`last block ${i}`, BLOCK_BYTES));
  const blocks = from.map((_, i) => secrets(`block ${i}`, BLOCK_BYTES));
  const sum = (list: readonly Term[][]): Term[] => list.reduce((x, y) => xorBytes(symbols, x, y));
  const begun = wordsOf(symbols, sum(lastBlocks));
  const x = Array.from({ length: WORDS }, (_, i) => variable(32, `X ${i}`, true));
  const result = mixStep(symbols, bytesOf(symbols, x), sum(blocks));
  const made = wordsOf(symbols, result);

  const module = decode(kernel.bytes);
  const { index } = exported(module, name);
  const loops = module.functions[index].code.filter(({ op }) => op === 'loop').map((loop) => loop.at);
  require(loops.length === 3, () => `${name} has ${loops.length} loops`);
  const [outer, inner] = loops;
  const localOf = (
    locals: readonly Value<Term>[],
    value: Term,
    among: readonly number[] = [...locals.keys()],
  ): number => {
    const found = among.filter((i) => locals[i] === value);
    require(found.length === 1, () => `${what}: ${found.length} variables have a value that one has to have`);
    return found[0];
  };
  /** The variables of the state that every block starts with. */
  let state: { readonly from: readonly number[]; readonly here: number; readonly other: number; x: readonly number[] };
  const ofBlocks: Cut<Term> = {
    at: inner,
    enter(locals, changed) {
      state = {
        from: from.map((row) => localOf(locals, row, changed)),
        here: localOf(locals, to, changed),
        other: localOf(locals, add(to, shl(r, 6)), changed),
        x: begun.map((value) => localOf(locals, value, changed)),
      };
      if (part === 'start') throw new Ended();
      for (const local of changed) locals[local] = NOTHING;
      state.from.forEach((local, i) => (locals[local] = add(from[i], before)));
      [locals[state.here], locals[state.other]] = [here, other];
      state.x.forEach((local, i) => (locals[local] = x[i]));
      blocks.forEach((bytesOfBlock, i) => machine.write(homes[i], bytesOfBlock));
    },
    again(condition, locals) {
      const after = add(before, word(BLOCK_BYTES));
      const next =
        state.from.every((local, i) => locals[local] === add(from[i], after)) &&
        locals[state.here] === other &&
        locals[state.other] === add(here, word(BLOCK_BYTES)) &&
        state.x.every((local, i) => locals[local] === made[i]);
      require(next && condition === less(add(from[0], after), end), () => `${what}: the next block is another one`);
      if (part !== 'last') throw new Ended();
      return false;
    },
  };
  /** The words that `mix` reads before it needs them: one of each block, from the last to the first. */
  const fetching: Cut<Term> = {
    at: outer,
    enter(locals, changed) {
      const local = localOf(locals, bytes);
      for (const one of changed) locals[one] = NOTHING;
      locals[local] = at;
    },
    again(condition, locals) {
      const next = sub(at, word(BLOCK_BYTES));
      require(condition === notEqual(next, word(0)), () => `${what}: another number of blocks is fetched`);
      localOf(locals, next);
      return false;
    },
  };
  const ofRows: Cut<Term> = {
    at: outer,
    enter(locals, changed) {
      require(parameters.every((term, i) => locals[i] === term), () =>
        `${what}: the loop starts with other parameters`);
      for (const local of changed) if (local >= parameters.length) locals[local] = NOTHING;
    },
    again(condition, locals) {
      const rest = sub(left, word(1));
      const next = locals[0] === to && locals[1] === r && locals[2] === rest;
      require(condition === rest && next, () => `${what}: the next row is another one`);
      return false;
    },
  };
  const read = [...from.map((_, i) => range(homeOf(i), BLOCK_BYTES)), ...homes.map((at) => range(at, BLOCK_BYTES))];
  const machine: Machine = new Machine<Term>(module, {
    ranges: { reads: [...read, range(FETCHED, 4)], writes: [range(OUTPUT, BLOCK_BYTES)] },
    bases,
    cut: [ofBlocks, name === 'mix' ? fetching : ofRows],
    mostSteps: kernel.mostSteps,
  });
  lastBlocks.forEach((bytesOfBlock, i) => machine.write(homeOf(i), bytesOfBlock));
  machine.write(FETCHED, secrets('fetched', 4));
  const ended = ends(() => machine.call(name, ...parameters));
  require(ended === (part !== 'last'), () => `${what}: the loop does not run`);
  counted('iterations', 1);
  expectNoEvents(machine, what);
  if (part !== 'start') expectBytes(machine, OUTPUT, result, what);
}

/** All blocks of a row, and for `fill` all rows. */
export function proveRows(kernel: Kernel, name: Name): void {
  for (const part of ['start', 'first', 'second', 'last'] as const) proveBlock(kernel, name, part);
}
