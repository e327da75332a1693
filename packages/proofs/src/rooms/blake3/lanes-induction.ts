/**
 * BLAKE3's loops in lanes, by induction as in rooms/keystream/induction.ts: groups of up to sixteen nodes, or blocks of output, from any
 * place and counter on, with any number of them left. The seven rounds on sets of four are a function of their own, claimed for every
 * state and message; in the groups names stand for what it computes, and a different call of it is a failure.
 */
import { BLOCK, CV, CV_BYTES, KEY, STAGE } from '../../../../lanewise/src/blake3/map.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import { Machine } from '../../execute/machine.ts';
import type { Kernel } from '../../kernels.ts';
import { bytesOf, wordsOf } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import { add, isZero, less, or, shl, sub, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { Ended } from '../keystream/ended.ts';
import { inductionClaim, localWith, NOTHING, unknown, word } from '../keystream/induction.ts';
import {
  anySets,
  COUNTERS,
  functionsOf,
  GROUP,
  LANE_NUMBERS,
  LANES,
  messagesOf,
  MOST_SETS,
  NamedRounds,
  runGroup,
  secretWords,
  SET_BYTES,
  SIXTEEN,
  STATE,
  statesOf,
  takenOf,
  upTo,
  wordAt,
  type Left,
} from './lanes-group.ts';
import { rounds } from './specification.ts';

const BLOCK_BYTES = 64;
/** Among the loops of nodes: those of a group, of counters, of first values, of blocks. */
const BLOCKS_LOOP = 3;
/** Where runs have nodes, and what comes of them. */
const HOME = 12_288;
const OUT = 65_536;
const words = (bytes: readonly Term[]): Term[] => wordsOf(symbols, bytes);

/** The seven rounds on the sets up to an end, each with any message and state. */
function proveRounds(kernel: Kernel, sets: number): void {
  const what = `the rounds of ${sets} sets`;
  const module = decode(kernel.bytes);
  const all = upTo(0, sets - 1);
  const run = new Machine<Term>(module, {
    ranges: {
      reads: all.flatMap((set) => [messagesOf(set), statesOf(set)]),
      writes: all.map(statesOf),
    },
    mostSteps: kernel.mostSteps,
  });
  const each = all.flatMap((set) =>
    LANE_NUMBERS.map((lane) => ({
      set,
      lane,
      name: `set ${set}, lane ${lane}`,
    })),
  );
  const messageOf = (name: string): Term[] => secretWords(`message of ${name}`, 16);
  const stateOf = (name: string): Term[] => secretWords(`state of ${name}`, 16);
  for (const { set, lane, name } of each)
    for (const w of SIXTEEN) {
      run.write(wordAt(set, lane, w), [messageOf(name)[w]]);
      run.write(wordAt(set, lane, w, STATE), [stateOf(name)[w]]);
    }
  run.callFunction(functionsOf(module).rounds, SET_BYTES * sets);
  expectNoEvents(run, what);
  for (const { set, lane, name } of each) {
    const expected = rounds(symbols, stateOf(name), messageOf(name));
    for (const w of SIXTEEN) {
      expectBytes(run, wordAt(set, lane, w, STATE), bytesOf(symbols, [expected[w]]), `${what}: ${name}`);
      expectBytes(run, wordAt(set, lane, w), bytesOf(symbols, [messageOf(name)[w]]), `${what}: message of ${name}`);
    }
  }
}

function proveOutput(kernel: Kernel, left: Left, carry: 0 | 1): void {
  const what = `output in lanes, ${left} left`;
  const named = new NamedRounds();
  const taken = takenOf(left);
  const [length, low, high, flags] = ['length', 'low', 'high', 'flags'].map(unknown);
  const base: Base = { name: 'output', home: OUT, length: BLOCK_BYTES * taken };
  const address = baseTerm(base);
  const sum = add(low, word(taken));
  const [value, block] = [secrets('value', CV_BYTES), secrets('block', BLOCK_BYTES)];
  const eachMessage = (work: (at: number, w: number) => void): void => {
    for (let set = 0; set < MOST_SETS; set++)
      for (const lane of LANE_NUMBERS) for (const w of SIXTEEN) work(wordAt(set, lane, w), w);
  };
  const machine = runGroup(
    {
      kernel,
      what,
      left,
      of: 'output',
      loop: 1,
      first: [word(BLOCK), length, low, high, flags, word(0), word(STAGE)],
      any: [word(BLOCK), length, low, high, flags, word(0), address],
      next: [word(BLOCK), length, sum, add(high, word(carry)), flags, word(0), add(address, word(BLOCK_BYTES * taken))],
      count: 5,
      bases: [base],
      reads: [range(CV, CV_BYTES), range(BLOCK, BLOCK_BYTES)],
      writes: [range(OUT, base.length)],
      assume: [[less(sum, word(taken)), carry]],
      before(starting) {
        starting.write(CV, value);
        starting.write(BLOCK, block);
      },
      begin(starting) {
        // The message of all lanes is the block, before the first group and in all others.
        eachMessage((at, w) => expectBytes(starting, at, block.slice(4 * w, 4 * w + 4), `${what}: a message`));
        anySets(starting);
        eachMessage((at, w) => starting.write(at, block.slice(4 * w, 4 * w + 4)));
      },
    },
    named,
  );
  const blocks = left === 'more' ? GROUP : left;
  for (let i = 0; i < blocks; i++) {
    const counter = add(low, word(i));
    const numbers = [counter, add(high, less(counter, low)), length, flags];
    const result = named.compress(words(value), words(block), numbers);
    expectBytes(machine, OUT + BLOCK_BYTES * i, bytesOf(symbols, result), `${what}: block ${i}`);
  }
  eachMessage((at, w) => expectBytes(machine, at, block.slice(4 * w, 4 * w + 4), `${what}: a message afterwards`));
  expectBytes(machine, CV, value, `${what}: the chaining value`);
  expectBytes(machine, BLOCK, block, `${what}: the block of the root`);
}

interface NodesCase {
  readonly left: Left;
  /** Which block of its node: one that others follow, or the last one, after which the group ends. */
  readonly block: 'middle' | 'last';
  readonly step: 0 | 1;
  readonly carry: 0 | 1;
}

/** A block of each node of a group: of any number of blocks, which lie in a row, onto any chaining values. */
function proveNodes(kernel: Kernel, { left, block, step, carry }: NodesCase): void {
  const isLast = block === 'last';
  const what = `the ${block} block of nodes in lanes, ${left} left`;
  const named = new NamedRounds();
  const taken = takenOf(left);
  const numbers = ['low', 'high', 'flags', 'first', 'last', 'tail', 'blocks'].map(unknown);
  const [low, high, flags, first, last, tail, blocks] = numbers;
  const [blocksLeft, now] = [isLast ? word(1) : unknown('blocks left'), unknown('flags now')];
  const stride = shl(unknown('stride'), 4);
  const [address, here] = [baseTerm({ name: 'nodes' }), baseTerm({ name: 'blocks' })];
  const times = (n: number): Term => Array.from({ length: n }, () => stride).reduce(add, word(0));
  const nodes = upTo(0, taken - 1).map((i): Base => ({
    name: `node ${i}`,
    term: add(here, times(i)),
    home: HOME + BLOCK_BYTES * i,
    length: BLOCK_BYTES,
  }));
  const out: Base = { name: 'out', home: OUT, length: CV_BYTES * taken };
  const to = baseTerm(out);
  const sum = add(low, word(step * taken));
  const [key, messages] = [secrets('key', CV_BYTES), nodes.map(({ name }) => secrets(name, BLOCK_BYTES))];
  const values = nodes.map(({ name }) => secretWords(`value of ${name}`, 8));
  const counters = nodes.map((_, i) => {
    const counter = add(low, word(step * i));
    return [counter, add(high, less(counter, low))];
  });
  const eachNode = (work: (i: number, set: number, lane: number) => void): void =>
    nodes.forEach((_, i) => work(i, Math.floor(i / LANES), i % LANES));
  const counterAt = (set: number, lane: number, w: number): number => wordAt(set, lane, w, COUNTERS);
  const expectWords = (run: Machine, at: number, expected: Term, which: string): void =>
    expectBytes(run, at, bytesOf(symbols, [expected]), `${what}: ${which}`);
  const results = nodes.map((_, i) => {
    const inputs = isLast ? [tail, or(now, last)] : [word(BLOCK_BYTES), now];
    return named.compress(values[i], words(messages[i]), [...counters[i], ...inputs]).slice(0, 8);
  });

  const fixed = [flags, first, last];
  const any = [address, word(0), stride, blocks, tail, low, high, word(step), ...fixed, to];
  let at: {
    readonly left: number;
    readonly now: number;
    readonly block: number;
    readonly length: number;
  };
  let running: Machine;
  const machine = runGroup(
    {
      kernel,
      what,
      left,
      of: 'nodes',
      loop: 0,
      first: any,
      any,
      next: [
        add(address, times(taken)),
        ...any.slice(1, 5),
        sum,
        add(high, word(carry)),
        word(step),
        ...fixed,
        add(to, word(CV_BYTES * taken)),
      ],
      count: 1,
      bases: [...nodes, out],
      reads: [range(KEY, CV_BYTES), ...nodes.map(({ home }) => range(home, BLOCK_BYTES))],
      writes: [range(OUT, out.length)],
      assume: [
        ...(step ? [[less(sum, word(taken)), carry] as const] : []),
        ...(isLast ? [] : [[isZero(sub(blocksLeft, word(1))), 0] as const]),
      ],
      before: () => undefined,
      begin(starting) {
        running = starting;
        anySets(starting);
        starting.write(KEY, key);
        nodes.forEach(({ home }, i) => starting.write(home, messages[i]));
      },
      inner: {
        loop: BLOCKS_LOOP,
        cut: {
          enter(locals, changed) {
            const local = (value: Term): number => localWith(locals, changed, (one) => one === value, 'a number');
            at = {
              left: local(blocks),
              now: local(or(flags, first)),
              block: local(address),
              length: local(word(BLOCK_BYTES)),
            };
            const starts = words(key);
            eachNode((i, set, lane) => {
              starts.forEach((one, w) => expectWords(running, wordAt(set, lane, w, STATE), one, 'the first value'));
              counters[i].forEach((one, w) => expectWords(running, counterAt(set, lane, w), one, 'a counter'));
            });
            for (const one of changed) locals[one] = NOTHING;
            [locals[at.left], locals[at.now], locals[at.block]] = [blocksLeft, now, here];
            locals[at.length] = word(BLOCK_BYTES);
            anySets(running);
            eachNode((i, set, lane) => {
              values[i].forEach((one, w) => running.write(wordAt(set, lane, w, STATE), [one]));
              counters[i].forEach((one, w) => running.write(counterAt(set, lane, w), [one]));
            });
          },
          again(condition, locals) {
            const rest = sub(blocksLeft, word(1));
            require(condition === rest && locals[at.left] === rest, () => `${what}: another number of blocks is left`);
            if (isLast) return false;
            const next =
              locals[at.now] === flags &&
              locals[at.block] === add(here, word(BLOCK_BYTES)) &&
              locals[at.length] === word(BLOCK_BYTES);
            require(next, () => `${what}: the next block is another one`);
            throw new Ended();
          },
        },
      },
    },
    named,
  );
  eachNode((i, set, lane) => {
    if (isLast) {
      if (left === 'more' || i < left)
        expectBytes(machine, OUT + CV_BYTES * i, bytesOf(symbols, results[i]), `${what}: node ${i}`);
      return;
    }
    results[i].forEach((one, w) => expectWords(machine, wordAt(set, lane, w, STATE), one, `node ${i}`));
    counters[i].forEach((one, w) => expectWords(machine, counterAt(set, lane, w), one, 'a counter afterwards'));
  });
  expectBytes(machine, KEY, key, `${what}: the key`);
}

const RESTS = upTo(1, GROUP);

/** Nothing but forms with vectors has these loops. */
export function lanesInduction(kernel: Kernel): Claim[] {
  if (kernel.form === 'scalar') return [];
  const claim = (text: string, prove: () => void): Claim => inductionClaim(kernel, text, prove);
  return [
    claim('the rounds of 1 to 4 sets of lanes, every state and message', () => {
      for (const sets of upTo(1, MOST_SETS)) proveRounds(kernel, sets);
    }),
    claim('output in lanes, any number of blocks from any number on, every root', () => {
      for (const left of ['more', ...RESTS] as const)
        for (const carry of [0, 1] as const) proveOutput(kernel, left, carry);
    }),
    claim(
      'nodes in lanes, any number of them and of their blocks, at any distance, every key, counter and flags',
      () => {
        for (const step of [0, 1] as const)
          for (const left of ['more', ...RESTS] as const) {
            for (const carry of step ? ([0, 1] as const) : ([0] as const))
              proveNodes(kernel, { left, block: 'last', step, carry });
            // How many are left matters only after the last block.
            if (left === takenOf(left)) proveNodes(kernel, { left, block: 'middle', step, carry: 0 });
          }
      },
    ),
  ];
}
