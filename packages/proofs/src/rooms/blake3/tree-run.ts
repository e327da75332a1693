/**
 * Runs of `tree` and `hash` at the lengths of a case. Contracts stand for the functions that compute: chunks (chunk-lengths.ts),
 * nodes one after the other and in lanes (induction.ts, lanes-induction.ts), levels in lanes where they overlap (levels.ts), and
 * parents (claims.ts). A chaining value has a name: that of its chunk, or that of the parent of two others.
 */
import { CV, CV_BYTES, CVS, KEY, SETS, STAGE } from '../../../../lanewise/src/blake3/map.ts';
import type { Case, Num } from '../../every-length/cases.ts';
import { BEFORE, UNKNOWN, type Content, type Contents } from '../../every-length/content.ts';
import { Outline, Parameter, type Contract, type Value } from '../../every-length/outline.ts';
import { exported, type DecodedModule } from '../../wasm/types.ts';
import { calleesOf } from '../keystream/every-length.ts';
import { CHUNK_BYTES, chunkIn } from './chunk-lengths.ts';
import { LANES } from './lanes-group.ts';
import { ENOUGH, levelAt } from './levels.ts';
import { CHUNK_END, CHUNK_START, IV, leftLength, PARENT, ROOT } from './specification.ts';

const BLOCK_BYTES = 64;
const CHUNK_BLOCKS = 16;

/** The names of chaining values, as numbers. */
export class Names {
  readonly #numbers = new Map<string, number>();

  #of(name: string): number {
    const number = this.#numbers.get(name) ?? this.#numbers.size;
    this.#numbers.set(name, number);
    return number;
  }
  chunk = (i: number): number => this.#of(`chunk ${i}`);
  parent = (left: number, right: number): number => this.#of(`${left} and ${right}`);
}

/** The chaining values at a level, from the left; the last of an odd number has no sibling and stays as it is. */
export const nextLevel = (names: Names, level: readonly number[]): number[] =>
  level.flatMap((value, i) =>
    i % 2 === 1 ? [] : i + 1 < level.length ? [names.parent(value, level[i + 1])] : [value],
  );

/** A number that is the same at all lengths of a case; undefined if there is none. */
export function atAllLengths(c: Case, f: (length: number) => number): number | undefined {
  const most = c.greatestOf(f);
  return most === -c.greatestOf((length) => -f(length)) ? most : undefined;
}

/** §2.1: the chaining value of the node over the bytes from one on: so many, or all others of the message. */
export function nodeOf(names: Names, c: Case, from: number, size?: number): number | undefined {
  const sizeOf = (length: number): number => size ?? length - from;
  const isChunk = atAllLengths(c, (length) => Number(sizeOf(length) <= CHUNK_BYTES));
  if (isChunk === undefined) return undefined;
  if (isChunk) return names.chunk(from / CHUNK_BYTES);
  const left = atAllLengths(c, (length) => leftLength(sizeOf(length)));
  if (left === undefined) return undefined;
  const [first, second] = [
    nodeOf(names, c, from, left),
    nodeOf(names, c, from + left, size === undefined ? undefined : size - left),
  ];
  return first === undefined || second === undefined ? undefined : names.parent(first, second);
}

export interface Call {
  /** The flags of a mode. */
  readonly flags: number;
  /** The number of the first chunk, in two words: 0, or anything else. */
  readonly low: 0 | Parameter;
  readonly high: 0 | Parameter;
  /** Whether the low word has carried where the last chunk is counted, if it is not 0. */
  readonly carry: boolean;
  /** The initial value in the key's place, which the call itself writes. */
  readonly isInitial?: boolean;
}

const sameValue = (x: Value, y: Value): boolean =>
  x === y || (x instanceof Parameter && y instanceof Parameter && x.name === y.name && x.plus === y.plus);
const plus = (x: 0 | Parameter, n: number): Value => (x === 0 ? n : new Parameter(x.name, x.plus + n));
const KEY_CONTENT: Content = { kind: 'key', delta: -KEY };

export class TreeRun {
  readonly outline: Outline;
  readonly #case: Case;
  readonly #length: Num;
  readonly #call: Call;
  readonly #names: Names;
  readonly #lanes: boolean;

  /** `top`, if given, are the two children that `tree` is to leave: then a contract stands for it. */
  constructor(
    module: DecodedModule,
    [c, length]: readonly [Case, Num],
    memoryBytes: number,
    names: Names,
    call: Call,
    top?: readonly [number, number],
  ) {
    [this.#case, this.#length, this.#call, this.#names] = [c, length, call, names];
    const [nodes, inLanes] = calleesOf(exported(module, 'many')) as [number, number | undefined];
    this.#lanes = inLanes !== undefined;
    const contracts = new Map<number, Contract>([
      [nodes, (_, parameters) => this.#nodes(parameters, false)],
      [chunkIn(module), (_, parameters) => this.#chunk(parameters)],
      [exported(module, 'parent').index, (_, parameters) => this.#parent(parameters)],
    ]);
    if (inLanes !== undefined) contracts.set(inLanes, (_, parameters) => this.#nodes(parameters, true));
    if (top) contracts.set(exported(module, 'tree').index, (_, parameters) => this.#tree(parameters, top));
    this.outline = new Outline(module, c, memoryBytes, contracts, {}, (comparison, x, y) =>
      comparison === 'lt_u' && x instanceof Parameter && x.name === 'low' && x.plus === y ? call.carry : undefined,
    );
    this.memory.put(KEY, KEY + CV_BYTES, KEY_CONTENT);
  }

  get memory(): Contents {
    return this.outline.memory;
  }

  require(condition: boolean, what: string): void {
    if (!condition) throw this.outline.failure(what);
  }

  #requireAll(parameters: readonly Value[], expected: readonly Value[], what: string): void {
    this.require(
      expected.every((value, i) => sameValue(value, parameters[i])),
      `${what} with other parameters`,
    );
  }

  expectKey(): void {
    const { flags, isInitial } = this.#call;
    if (!isInitial || flags) this.memory.expect(KEY, KEY + CV_BYTES, KEY_CONTENT, 'the key');
    else
      IV.forEach((value, i) => {
        const at = KEY + 4 * i;
        this.memory.expect(at, at + 4, { kind: 'word', delta: this.#case.sub(0, at), value }, 'the initial value');
      });
  }

  /** The message is where it was, and as it was. */
  expectMessage(from: Num, to: Num): void {
    this.memory.expect(from, to, BEFORE, 'the message');
  }

  content = (kind: 'value' | 'output', at: number, value: number): Content => ({
    kind,
    delta: this.#case.sub(0, at),
    value,
  });

  expectValue(at: number, value: number, what: string): void {
    this.memory.expect(at, at + CV_BYTES, this.content('value', at, value), what);
  }

  #valueAt(at: number): number {
    const c = this.#case;
    const [{ content }, ...others] = this.memory.between(at, at + CV_BYTES);
    const isValue = others.length === 0 && content.kind === 'value' && c.equal(c.add(at, content.delta), 0);
    this.require(isValue, `what is at ${at} is no chaining value`);
    return content.value as number;
  }

  /** Nodes one after the other, or in lanes. */
  #nodes(parameters: readonly Value[], inLanes: boolean): undefined {
    const { flags, low, high } = this.#call;
    const [address, count, , blocks, , , , , , , , out] = parameters;
    if (typeof address !== 'number' || typeof count !== 'number' || typeof out !== 'number')
      throw this.outline.failure('nodes whose number or places are not known');
    this.require(count > 0, 'no node');
    // In modules with lanes the induction over nodes one after the other is about fewer.
    this.require(inLanes || !this.#lanes || count < ENOUGH, 'too many nodes one after the other');
    this.expectKey();
    const filled = inLanes ? (count + LANES - 1) & -LANES : count;
    const end = out + CV_BYTES * filled;
    this.require(out >= CVS && end <= KEY, 'chaining values elsewhere');
    let values: number[];
    if (blocks === CHUNK_BLOCKS) {
      const numbers = [low, high, 1, flags, CHUNK_START, CHUNK_END];
      this.#requireAll(parameters, [STAGE, count, CHUNK_BYTES, blocks, BLOCK_BYTES, ...numbers, out], 'chunks');
      this.expectMessage(address, address + CHUNK_BYTES * count);
      values = Array.from({ length: count }, (_, i) => this.#names.chunk(i));
    } else {
      const numbers = [0, 0, 0, flags | PARENT, 0, 0];
      this.#requireAll(parameters, [address, count, BLOCK_BYTES, 1, BLOCK_BYTES, ...numbers, out], 'parents');
      // In lanes they may overlap as those of levels.ts do.
      const isLevel = [0, 1].some((odd) => address === levelAt(2 * count + odd) && out === levelAt(count + odd));
      this.require(inLanes ? isLevel && count >= ENOUGH : end <= address, 'parents where no claim has them');
      values = Array.from({ length: count }, (_, i) => {
        const at = address + BLOCK_BYTES * i;
        return this.#names.parent(this.#valueAt(at), this.#valueAt(at + CV_BYTES));
      });
    }
    if (inLanes) this.memory.put(SETS, CVS, UNKNOWN);
    else this.memory.put(CV, CV + BLOCK_BYTES, UNKNOWN);
    this.memory.put(out, end, UNKNOWN);
    const places = values.map((value, i) => {
      const from = out + CV_BYTES * i;
      return { from, to: from + CV_BYTES, content: this.content('value', from, value) };
    });
    this.memory.replace(out, out + CV_BYTES * count, places);
  }

  /** The chunk behind all whole ones, or a message of one chunk. */
  #chunk(parameters: readonly Value[]): undefined {
    const c = this.#case;
    const { flags, low, high, carry } = this.#call;
    const [address, , , , , last] = parameters;
    if (typeof address !== 'number') throw this.outline.failure('a chunk whose place is not known');
    const number = (address - STAGE) / CHUNK_BYTES;
    this.require(Number.isInteger(number) && number >= 0, 'a chunk that begins elsewhere');
    const size = c.sub(this.#length, CHUNK_BYTES * number);
    this.require(c.lessOrEqual(size, CHUNK_BYTES), 'a chunk that is not the last one');
    const length = this.outline.number(parameters[1], 'length');
    this.require(c.equal(length, size), 'a chunk of another length');
    // The high word is one more if the low word has carried; a low word of 0 cannot.
    const numbers = [plus(low, number), plus(high, number > 0 && low !== 0 && carry ? 1 : 0), flags];
    this.#requireAll(parameters.slice(2), numbers, 'a chunk');
    this.expectKey();
    const end = c.add(address, length);
    this.expectMessage(address, end);
    // The last block is filled up with zeros.
    this.memory.put(end, c.add(end, BLOCK_BYTES), UNKNOWN);
    const value = this.#names.chunk(number);
    if (last === 0) this.memory.put(CV, CV + CV_BYTES, this.content('value', CV, value));
    else {
      this.require(last === ROOT && number === 0 && low === 0 && high === 0, 'a root that is none');
      this.memory.put(CV, CV + BLOCK_BYTES, this.content('output', CV, value));
    }
  }

  #tree(parameters: readonly Value[], [left, right]: readonly [number, number]): undefined {
    const c = this.#case;
    const { flags, low, high } = this.#call;
    this.require(c.equal(this.outline.number(parameters[0], 'length'), this.#length), 'a tree of another length');
    this.#requireAll(parameters.slice(1), [low, high, flags], 'a tree');
    this.expectKey();
    const end = c.add(STAGE, this.#length);
    this.expectMessage(STAGE, end);
    this.memory.put(end, c.add(end, BLOCK_BYTES), UNKNOWN);
    this.memory.put(SETS, KEY, UNKNOWN);
    this.memory.put(CV, CV + BLOCK_BYTES, UNKNOWN);
    [left, right].forEach((value, i) => {
      const at = CVS + CV_BYTES * i;
      this.memory.put(at, at + CV_BYTES, this.content('value', at, value));
    });
  }

  #parent([flags]: readonly Value[]): undefined {
    this.require(flags === (this.#call.flags | ROOT), 'a root with other flags');
    this.expectKey();
    const value = this.#names.parent(this.#valueAt(CVS), this.#valueAt(CVS + CV_BYTES));
    this.memory.put(CV, CV + BLOCK_BYTES, this.content('output', CV, value));
  }
}
