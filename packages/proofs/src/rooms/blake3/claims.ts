// BLAKE3: every exported function of the kernels, in the three modes, against the paper. The starting values of nodes,
// the message and the chaining values are arbitrary; lengths, chunk numbers and flags are public.
import { BLOCK, CV, CVS, KEY, SETS, STAGE } from '../../../../lanewise/src/blake3/map.ts';
import type { Range, Ranges } from '../../execute/machine.ts';
import { bytesOf, wordsOf } from '../../specifications/algebra.ts';
import * as blake3 from './specification.ts';
import { symbols } from '../../specifications/terms.ts';
import { forgetTerms, numberOf } from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import type { Runnable, RunnableKernel } from '../../claims/runnable.ts';

/** The properties of a kernel's form that decide which memory it may touch. */
export interface Blake3Form {
  /** Whether the kernel works on sets of four nodes, and reads and writes the whole last set. */
  readonly lanes: boolean;
}

export const MODES = [0, blake3.KEYED_HASH, blake3.DERIVE_KEY_CONTEXT, blake3.DERIVE_KEY_MATERIAL];
const { KEYED_HASH, ROOT } = blake3;

/** A counter as parameters of a kernel: two words. */
const halves = (counter: bigint): [low: number, high: number] => [
  Number(counter & 0xffffffffn) | 0,
  Number((counter >> 32n) & 0xffffffffn) | 0,
];

/** The key of chunks and parents: any key, or the initial value in mode hash. */
const startOf = (flags: number): Term[] =>
  flags === 0
    ? bytesOf(
        symbols,
        blake3.IV.map((word) => symbols.word(word)),
      )
    : secrets('key', 32);

/** What claims are about, and the algebra of the specification; names may stand for what a function of the kernel computes. */
export interface Subject {
  readonly kernel: RunnableKernel;
  readonly form: Blake3Form;
  readonly w: blake3.Compressing<Term>;
}

const setsOf4 = (count: number): number => (count + 3) & -4;
/** The number of nodes that are read for `count` nodes: lanes are filled for three or more. */
const touchedNodes = ({ lanes }: Blake3Form, count: number): number => (lanes && count > 2 ? setsOf4(count) : count);

/** The memory that a call over so many bytes may touch: these up to the end of the last block, nodes, work areas. */
export function rangesOfBlake3(form: Blake3Form, length: number): { reads: Range[]; writes: Range[] } {
  const chunks = length >> 10;
  const padded = Math.max(64, (length + 63) & -64);
  const work = form.lanes ? [range(SETS, CVS - SETS)] : [];
  // A level of n nodes starts n - 2 nodes after CVS: the chunks are the last and largest level.
  const nodes = (length + 1023) >> 10;
  const levels =
    nodes < 2 ? 0 : nodes - 2 + Math.max(nodes, touchedNodes(form, chunks), 2 * touchedNodes(form, nodes >> 1));
  return {
    reads: [range(KEY, 32), range(STAGE, Math.max(padded, 1024 * touchedNodes(form, chunks))), range(CVS, 32 * levels)],
    writes: [...work, range(CVS, 32 * levels), range(CV, 64), range(BLOCK, 64), range(STAGE, padded)],
  };
}

/** The memory that a call for `count` messages side by side may touch. */
export function rangesOfMany(form: Blake3Form, count: number, blocks: number): Required<Ranges> {
  const nodes = touchedNodes(form, count);
  return {
    reads: [range(KEY, 32), range(STAGE, 64 * blocks * nodes)],
    writes: [range(SETS, CVS - SETS), range(CVS, 32 * nodes), range(CV, 64)],
  };
}

/** The memory that a call for `blocks` blocks of output may touch. */
export const rangesOfOutput = (form: Blake3Form, blocks: number): Required<Ranges> => ({
  reads: [range(CV, 32), range(BLOCK, 64)],
  writes: [range(STAGE, 64 * touchedNodes(form, blocks)), ...(form.lanes ? [range(SETS, CVS - SETS)] : [])],
});

interface Staged {
  readonly run: Runnable;
  readonly key: Term[];
  readonly message: Term[];
}

function staged({ kernel, form }: Subject, flags: number, length: number): Staged {
  const key = startOf(flags);
  const message = secrets('message', length);
  const run = kernel.start(rangesOfBlake3(form, length));
  run.write(KEY, key);
  run.write(STAGE, message);
  return { run, key: wordsOf(symbols, key), message };
}

/** The digest of a whole message: with `flags` 0 the key in memory does not matter. */
function proveHash(subject: Subject, flags: number, length: number): void {
  const what = `hash, flags ${flags}, ${length} bytes`;
  const { run, key, message } = staged(subject, flags, length);
  if (flags === 0) run.write(KEY, secrets('rubbish', 32));
  run.ranges = { ...run.ranges, writes: [...(run.ranges.writes ?? []), range(KEY, flags === 0 ? 32 : 0)] };
  run.call('hash', length, flags);
  expectNoEvents(run, what);
  const root = blake3.tree(subject.w, key, flags, message);
  expectBytes(run, CV, blake3.output(subject.w, root, 0n), what);
}

/** A chunk by number; as the root it is number 0 and has 64 bytes of output. */
function proveChunk(subject: Subject, flags: number, length: number, counter: bigint): void {
  const what = `chunk ${counter}, flags ${flags}, ${length} bytes`;
  const { run, key, message } = staged(subject, flags, length);
  run.call('chunk', length, ...halves(counter), flags, 0);
  expectNoEvents(run, what);
  const node = blake3.chunk(subject.w, key, flags, message, counter);
  expectBytes(run, CV, bytesOf(symbols, blake3.chainingValue(subject.w, node)), what);

  const root = staged(subject, flags, length).run;
  root.call('chunk', length, 0, 0, flags, ROOT);
  expectNoEvents(root, `${what}, root`);
  const alone = blake3.chunk(subject.w, key, flags, message, 0n);
  expectBytes(root, CV, blake3.output(subject.w, alone, 0n), `${what}, root`);
}

/** All of a chunk but its last compression, whose inputs are the result. */
function provePrepare(subject: Subject, flags: number, length: number, counter: bigint): void {
  const what = `prepare ${counter}, flags ${flags}, ${length} bytes`;
  const { run, key, message } = staged(subject, flags, length);
  const start = run.call('prepare', length, ...halves(counter), flags);
  expectNoEvents(run, what);
  const node = blake3.chunk(subject.w, key, flags, message, counter);
  expectBytes(run, CV, bytesOf(symbols, node.chainingValue), `${what}: chaining value`);
  expectBytes(run, BLOCK, bytesOf(symbols, node.block), `${what}: block`);
  counted('results', 1);
  const found = start && numberOf(start);
  require(found === (node.flags & blake3.CHUNK_START), () => `${what}: returns ${found}`);
}

/** A subtree by the number of its first chunk: the chaining values of the two nodes below its top. */
function proveTree(subject: Subject, flags: number, length: number, counter: bigint): void {
  const what = `tree from chunk ${counter}, flags ${flags}, ${length} bytes`;
  const { run, key, message } = staged(subject, flags, length);
  run.call('tree', length, ...halves(counter), flags);
  expectNoEvents(run, what);
  const top = blake3.tree(subject.w, key, flags, message, counter);
  expectBytes(run, CVS, bytesOf(symbols, top.block), what);
}

/** A complete subtree: the chaining values of all its nodes but the top, level by level. */
function proveLevels(subject: Subject, chunks: number, counter: bigint): void {
  const what = `levels from chunk ${counter}, ${chunks} chunks`;
  const { run, key, message } = staged(subject, KEYED_HASH, 1024 * chunks);
  run.call('tree', message.length, ...halves(counter), KEYED_HASH);
  expectNoEvents(run, what);
  let level = Array.from({ length: chunks }, (_, i) => {
    const chunk = message.slice(1024 * i, 1024 * (i + 1));
    return blake3.chainingValue(subject.w, blake3.chunk(subject.w, key, KEYED_HASH, chunk, counter + BigInt(i)));
  });
  while (level.length >= 2) {
    const values = level.map((value) => bytesOf(symbols, value)).flat();
    expectBytes(run, CVS + 32 * (level.length - 2), values, `${what}: level of ${level.length} nodes`);
    // All nodes have both children.
    level = Array.from({ length: level.length / 2 }, (_, i) =>
      blake3.chainingValue(subject.w, blake3.parent(key, KEYED_HASH, level[2 * i], level[2 * i + 1])),
    );
  }
}

function proveParent(kernel: RunnableKernel, flags: number): void {
  const what = `parent, flags ${flags}`;
  const [key, children] = [secrets('key', 32), secrets('children', 64)];
  const bounds = { reads: [range(KEY, 32), range(CVS, 64)], writes: [range(CV, 64)] };
  const [left, right] = [children.slice(0, 32), children.slice(32)].map((value) => wordsOf(symbols, value));
  const node = blake3.parent(wordsOf(symbols, key), flags, left, right);
  for (const root of [false, true]) {
    const run = kernel.start(bounds);
    run.write(KEY, key);
    run.write(CVS, children);
    run.call('parent', root ? flags | ROOT : flags);
    expectNoEvents(run, what);
    const inner = (): Term[] => bytesOf(symbols, blake3.chainingValue(symbols, node));
    expectBytes(run, CV, root ? blake3.output(symbols, node, 0n) : inner(), what);
  }
}

/** The chaining value goes where the right child of a parent is. */
function proveCopyUp(kernel: RunnableKernel): void {
  const value = secrets('value', 32);
  const run = kernel.start({ reads: [range(CV, 32)], writes: [range(CVS + 32, 32)] });
  run.write(CV, value);
  run.call('copyUp');
  expectNoEvents(run, 'copyUp');
  expectBytes(run, CVS + 32, value, 'copyUp');
}

/** Digests of messages side by side, each filled up with zeros to whole blocks. */
function proveMany({ kernel, form, w }: Subject, flags: number, count: number, length: number): void {
  const what = `many, flags ${flags}, ${count} messages of ${length} bytes`;
  const key = secrets('key', 32);
  const blocks = Math.max(1, Math.ceil(length / 64));
  const zeros = Array.from({ length: 64 * blocks - length }, () => symbols.byte(0));
  const messages = Array.from({ length: count }, (_, i) => secrets(`message ${i}`, length));
  const run = kernel.start(rangesOfMany(form, count, blocks));
  run.write(KEY, key);
  messages.forEach((message, i) => run.write(STAGE + 64 * blocks * i, [...message, ...zeros]));
  run.call('many', count, blocks, length - 64 * (blocks - 1), flags);
  expectNoEvents(run, what);
  const digests = messages.map((message) => {
    const root = blake3.chunk(w, wordsOf(symbols, key), flags, message, 0n);
    return blake3.output(w, root, 0n).slice(0, 32);
  });
  expectBytes(run, CVS, digests.flat(), what);
}

/** A root node: its flags, and how many bytes are in its block. */
interface Root {
  readonly flags: number;
  readonly length: number;
}

/** Output of any root node from any block number on. */
function proveOutput({ kernel, form, w }: Subject, root: Root, counter: bigint, blocks: number): void {
  const flags = root.flags | ROOT;
  const what = `output from block ${counter}, flags ${flags}, ${blocks} blocks`;
  const [value, block] = [secrets('value', 32), secrets('block', 64)];
  const run = kernel.start(rangesOfOutput(form, blocks));
  run.write(CV, value);
  run.write(BLOCK, block);
  run.call('output', root.length, ...halves(counter), flags, blocks);
  expectNoEvents(run, what);
  const node = { ...root, chainingValue: wordsOf(symbols, value), block: wordsOf(symbols, block), counter: 0n };
  const expected = Array.from({ length: blocks }, (_, i) => blake3.output(w, node, counter + BigInt(i)));
  expectBytes(run, STAGE, expected.flat(), what);
}

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const around = (n: number): number[] => [n - 1, n, n + 1];

/** Lengths around blocks, and one chunk. */
const SHORT = [0, 1, 2, 3, 4, 5, 6, 7, 8, 63, 64, 65, 127, 128, 129, 1023, 1024];
/**
 * Every length up to two blocks and a byte, around every other block of a chunk and each of the first four chunks; numbers
 * of chunks around sets and groups, with an odd one at any level; and all that the stage has room for.
 */
const hashLengths = [
  ...upTo(0, 129),
  ...upTo(3, 15).flatMap((blocks) => around(64 * blocks)),
  ...upTo(1, 4).flatMap((chunks) => around(1024 * chunks)),
  17_408,
];
const keyedLengths = ({ lanes }: Blake3Form): number[] => [0, 64, 1024, 1025, ...(lanes ? [65_536] : [])];
const derivationLengths = ({ lanes }: Blake3Form): number[] => [0, 65, 1025, ...(lanes ? [31_745] : [])];
/** With 10 chunks a level has five nodes, one more than a set. */
const treeLengths = ({ lanes }: Blake3Form): number[] => [3073, 5121, ...(lanes ? [4096, 6145, 7169, 9217] : [])];
/** Chunk numbers at the start, where they pass 32 and 53 bits, and with all bits that the last chunk of 2^64 bytes has. */
const COUNTERS = [0n, 2n ** 32n - 1n, 2n ** 32n - 3n, 2n ** 53n + 16n, 2n ** 54n - 8n, 2n ** 54n - 1n];
/** Block numbers of output that carry into their high word, and the last ones of 2^64 bytes. */
const OUTPUT_COUNTERS = [0n, 2n ** 32n - 1n, 2n ** 32n - 3n, 2n ** 53n + 16n, 2n ** 58n - 6n];
/** Every kind of root: a message of one block, the end of a longer chunk, a parent. */
const ROOTS: readonly Root[] = MODES.flatMap((flags) => [
  { flags: flags | blake3.CHUNK_START | blake3.CHUNK_END, length: 17 },
  { flags: flags | blake3.CHUNK_END, length: 63 },
  { flags: flags | blake3.PARENT, length: 64 },
]);

/**
 * `cut`, if given, has names for the results of the kernel's functions. Parents execute these functions, and so do messages side by side in lanes.
 */
export function blake3Statements(
  kernel: RunnableKernel,
  form: Blake3Form,
  cut: Subject = { kernel, form, w: symbols },
): Claim[] {
  const executed: Subject = form.lanes ? { kernel, form, w: symbols } : cut;
  const claim = (text: string, prove: () => void): Claim => ({ kernel: kernel.name, claim: text, prove });
  /**
   * Proves items one after the other; each forgets the terms of the one before, because all terms together would fill
   * memory.
   */
  const each = <T>(list: readonly T[], prove: (item: T) => void): void => {
    for (const item of list) {
      forgetTerms();
      prove(item);
    }
  };
  const hashClaim = (flags: number, name: string, lengths: readonly number[]): Claim =>
    claim(`${name}: ${lengths.length} lengths from ${lengths[0]} to ${lengths.at(-1)}`, () =>
      each(lengths, (length) => proveHash(cut, flags, length)),
    );
  // In modules any other number is claimed by induction.
  const counts = kernel.name.endsWith('js') ? upTo(0, 33) : [...upTo(0, 5), ...around(13), ...around(17), 33];
  return [
    hashClaim(0, 'hash', hashLengths),
    hashClaim(KEYED_HASH, 'keyed hash', keyedLengths(form)),
    hashClaim(blake3.DERIVE_KEY_CONTEXT, 'derive key, context', [0, 65, 1025]),
    hashClaim(blake3.DERIVE_KEY_MATERIAL, 'derive key, material', derivationLengths(form)),
    claim(`chunk: ${SHORT.length} lengths, ${COUNTERS.length} numbers`, () => {
      for (const length of SHORT) proveChunk(cut, KEYED_HASH, length, 7n);
      for (const counter of COUNTERS) for (const flags of MODES) proveChunk(cut, flags, 65, counter);
    }),
    claim(`prepare: ${SHORT.length} lengths, ${COUNTERS.length} numbers`, () => {
      for (const length of SHORT) provePrepare(cut, KEYED_HASH, length, 7n);
      for (const counter of COUNTERS) provePrepare(cut, 0, 129, counter);
    }),
    claim('tree: around sets and groups, chunk numbers past 32 bits', () => {
      each(treeLengths(form), (length) => proveTree(cut, KEYED_HASH, length, 16n));
      for (const length of [2049, 3073]) each(COUNTERS, (counter) => proveTree(cut, 0, length, counter));
      proveTree(cut, 0, form.lanes ? 17_000 : 4000, 2n ** 32n - (form.lanes ? 9n : 2n));
    }),
    claim('tree: all levels of complete trees', () =>
      each(form.lanes ? [2, 4, 8, 16, 64] : [2, 4, 8], (chunks) => proveLevels(cut, chunks, 2n ** 32n - 64n)),
    ),
    claim('parent: three modes', () => each(MODES, (flags) => proveParent(kernel, flags))),
    claim('copyUp', () => proveCopyUp(kernel)),
    claim(`many: ${counts.length} numbers of messages up to the most, messages of up to 1024 bytes`, () => {
      for (const count of [...counts, 64]) proveMany(executed, KEYED_HASH, count, 1);
      for (const count of [1, 3, 4, 5, 17, 33]) proveMany(executed, KEYED_HASH, count, 65);
      for (const length of [0, 64, 1024]) proveMany(executed, 0, 5, length);
    }),
    claim(
      `output: ${counts.length} numbers of blocks up to 33, numbers past 32 bits, roots of every kind in all modes`,
      () => {
        const [keyed] = ROOTS.filter(({ flags }) => flags === (KEYED_HASH | blake3.PARENT));
        for (const blocks of counts) proveOutput(cut, keyed, 0n, blocks);
        for (const root of ROOTS) for (const blocks of [1, 6]) proveOutput(cut, root, 7n, blocks);
        for (const counter of OUTPUT_COUNTERS) for (const blocks of [2, 6]) proveOutput(cut, keyed, counter, blocks);
        proveOutput(cut, keyed, 2n ** 58n - 20n, 20);
      },
    ),
  ];
}
