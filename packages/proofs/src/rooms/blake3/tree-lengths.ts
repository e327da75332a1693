/**
 * The whole of BLAKE3's kernels at every length that a call may have: `tree` from 1025 bytes to all of STAGE, `hash` from none on, and
 * the functions that only pass their parameters on, with any of these.
 *
 * The invariant before each level of n nodes: they are at node n of the heap that tree-run.ts and levels.ts lay out, from the left to the
 * right, and each is a chunk, or the parent of two nodes of the level below, or that level's last one, if their number was odd. A level
 * takes half as many and the odd one; two are left. That these two are the children which the paper's tree has is not argued: it is
 * compared, for each number of chunks.
 */
import { BLOCK, CV, CV_BYTES, CVS, KEY, SETS, STAGE, STAGE_BYTES } from '../../../../lanewise/src/blake3/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectNoEvents } from '../../claims/compare.ts';
import { forEveryLength, type Case, type Num } from '../../every-length/cases.ts';
import { BEFORE } from '../../every-length/content.ts';
import { Parameter } from '../../every-length/outline.ts';
import { Machine } from '../../execute/machine.ts';
import type { Kernel } from '../../kernels.ts';
import { less, shl, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { exported, type DecodedModule } from '../../wasm/types.ts';
import { calleesOf } from '../keystream/every-length.ts';
import { unknown, word } from '../keystream/induction.ts';
import { CHUNK_BYTES, chunkIn, chunkLengths } from './chunk-lengths.ts';
import { MODES } from './claims.ts';
import { ENOUGH, levelAt, levelClaims } from './levels.ts';
import { CHUNK_END, CHUNK_START, leftLength, ROOT } from './specification.ts';
import { atAllLengths, Names, nextLevel, nodeOf, TreeRun, type Call } from './tree-run.ts';

const BLOCK_BYTES = 64;
const [LOW, HIGH] = [new Parameter('low'), new Parameter('high')];
/** Each mode and number of the first chunk; 0 is a case of its own, because parameters are only known not to be zero. */
const CALLS: readonly Call[] = MODES.flatMap((flags) =>
  ([0, HIGH] as const).flatMap((high) => [
    { flags, low: 0 as const, high, carry: false },
    ...[false, true].map((carry) => ({ flags, low: LOW, high, carry })),
  ]),
);

/** Cases with all lengths from one to another, each of one number of chunks: the last chunk is whole in all lengths of a case, or in none. */
function forEveryChunk(least: number, most: number, run: (length: Num, c: Case) => void): void {
  counted('lengths', most - least + 1);
  for (let from = least; from <= most;) {
    const rest = from % CHUNK_BYTES;
    const to = rest ? Math.min(most, from - rest + CHUNK_BYTES - 1) : from;
    counted('cases', forEveryLength(from, to, run));
    from = to + 1;
  }
}

/** The names of the two children of the top. */
function childrenOf(names: Names, c: Case): readonly [number, number] {
  const left = atAllLengths(c, leftLength);
  const children = left === undefined ? [] : [nodeOf(names, c, 0, left), nodeOf(names, c, left)];
  const [first, second] = children;
  require(first !== undefined && second !== undefined, () => `lengths around ${c.example} have different trees`);
  return [first, second];
}

/** Everything but the work areas, and but the rest of the message's last block, is as it was. */
function expectRest(run: TreeRun, kernel: Kernel, c: Case, length: Num): void {
  const end = c.add(STAGE, length);
  run.expectKey();
  run.expectMessage(STAGE, end);
  run.memory.expect(0, SETS, BEFORE, 'in front of the work areas');
  run.memory.expect(KEY + CV_BYTES, CV, BEFORE, 'between key and chaining value');
  run.memory.expect(CV + BLOCK_BYTES, STAGE, BEFORE, 'the block of the root');
  run.memory.expect(c.add(end, BLOCK_BYTES), kernel.memoryBytes, BEFORE, 'behind the message');
}

function proveTrees(kernel: Kernel, module: DecodedModule): void {
  const names = new Names();
  forEveryChunk(CHUNK_BYTES + 1, STAGE_BYTES, (length, c) => {
    const children = childrenOf(names, c);
    const whole = atAllLengths(c, (n) => n / CHUNK_BYTES);
    for (const call of CALLS) {
      const run = new TreeRun(module, [c, length], kernel.memoryBytes, names, call);
      run.outline.call('tree', length, call.low, call.high, call.flags);
      children.forEach((value, i) => {
        run.expectValue(CVS + CV_BYTES * i, value, `child ${i} of the top`);
      });
      expectRest(run, kernel, c, length);
      // Complete trees keep all levels.
      if (whole === undefined || !Number.isInteger(Math.log2(whole))) continue;
      let level = Array.from({ length: whole }, (_, i) => names.chunk(i));
      for (; level.length >= 2; level = nextLevel(names, level))
        level.forEach((value, i) => {
          run.expectValue(levelAt(level.length) + CV_BYTES * i, value, `a level of ${level.length}`);
        });
    }
  });
}

function proveHashes(kernel: Kernel, module: DecodedModule): void {
  const names = new Names();
  const prove = (length: Num, c: Case, isChunk: boolean): void => {
    const children = isChunk ? undefined : childrenOf(names, c);
    const value = children ? names.parent(...children) : names.chunk(0);
    for (const flags of MODES) {
      const call: Call = { flags, low: 0, high: 0, carry: false, isInitial: true };
      const run = new TreeRun(module, [c, length], kernel.memoryBytes, names, call, children);
      run.outline.call('hash', length, flags);
      run.memory.expect(CV, CV + BLOCK_BYTES, run.content('output', CV, value), 'the output of the root');
      expectRest(run, kernel, c, length);
    }
  };
  counted('lengths', CHUNK_BYTES + 1);
  counted(
    'cases',
    forEveryLength(0, CHUNK_BYTES, (length, c) => prove(length, c, true)),
  );
  forEveryChunk(CHUNK_BYTES + 1, STAGE_BYTES, (length, c) => prove(length, c, false));
}

/** Throws Failure unless a function does nothing but this one call. */
function provePassing(
  kernel: Kernel,
  module: DecodedModule,
  name: string,
  parameters: readonly Term[],
  [callee, expected]: readonly [callee: number, expected: readonly Term[]],
  assume?: readonly [Term, number],
): void {
  const calls: (readonly [callee: number, parameters: readonly unknown[]])[] = [];
  const machine = new Machine<Term>(module, {
    ranges: { reads: [], writes: [] },
    calls: new Map(
      calleesOf(exported(module, name)).map((index) => [index, (given) => void calls.push([index, given])] as const),
    ),
    assume: new Map(assume ? [assume] : []),
    mostSteps: kernel.mostSteps,
  });
  machine.call(name, ...parameters);
  expectNoEvents(machine, name);
  const [[found, given], ...others] = calls;
  const same = others.length === 0 && found === callee && expected.every((term, i) => term === given[i]);
  require(same, () => `${name} passes other parameters on`);
}

/** `chunk` with any, and `many` and `output` with any number of messages and blocks but none. */
function provePassings(kernel: Kernel, module: DecodedModule): void {
  const named = (list: string): Term[] => list.split(' ').map(unknown);
  const numbers = (...list: number[]): Term[] => list.map(word);
  const chunk = named('length low high flags last');
  provePassing(kernel, module, 'chunk', chunk, [chunkIn(module), [word(STAGE), ...chunk]]);
  const many = named('count blocks tail flags');
  const [count, blocks, tail, flags] = many;
  const nodes = [...numbers(STAGE), shl(blocks, 6), count, blocks, tail, ...numbers(0, 0, 0), flags];
  const ordered = [nodes[0], count, nodes[1], ...nodes.slice(3), ...numbers(CHUNK_START, CHUNK_END | ROOT, CVS)];
  const output = named('length low high flags blocks');
  for (const [name, given, number, expected] of [
    ['many', many, count, ordered],
    ['output', output, output[4], [word(BLOCK), ...output, word(STAGE)]],
  ] as const) {
    const callees = calleesOf(exported(module, name));
    const isFew = less(number, word(ENOUGH));
    if (callees.length === 1) provePassing(kernel, module, name, given, [callees[0], expected]);
    else
      callees.forEach((callee, i) => {
        provePassing(kernel, module, name, given, [callee, expected], [isFew, i === 0 ? 1 : 0]);
      });
  }
}

export function blake3EveryLength(kernel: Kernel): Claim[] {
  const claim = (text: string, prove: (module: DecodedModule) => void): Claim => ({
    kernel: kernel.name,
    topic: 'every length',
    claim: `every length: ${text}`,
    prove() {
      prove(decode(kernel.bytes));
    },
  });
  return [
    chunkLengths(kernel),
    ...levelClaims(kernel),
    claim('tree, each number of bytes from 1025 to 65536, every key, mode and number of its first chunk', (module) => {
      proveTrees(kernel, module);
    }),
    claim('hash, each number of bytes from 0 to 65536, every key and mode', (module) => {
      proveHashes(kernel, module);
    }),
    claim('chunk, many and output pass their parameters on, any of them, and do nothing else', (module) => {
      provePassings(kernel, module);
    }),
  ];
}
