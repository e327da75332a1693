/**
 * What modules with a keystream and Poly1305 do, at every length: the contracts of their functions that compute, and what
 * is to be expected of the functions that call these. The contracts hold by other claims: "induction" for the functions
 * with loops, and for functions without a length by claims about results, which run them on all that they depend on.
 */
import * as map from '../../../../lanewise/src/keystream/map.ts';
import { Failure } from '../../claims/claim.ts';
import type { Case, Num } from '../../every-length/cases.ts';
import { byteOf, type Content, type Contents, UNKNOWN, ZERO, describeContent } from '../../every-length/content.ts';
import { Outline, type Contract, type Spans } from '../../every-length/outline.ts';
import { Data, isNumber, Parameter, type Base, type Value } from '../../every-length/values.ts';
import type { DecodedFunction, DecodedModule } from '../../wasm/types.ts';

const { HEAD, POLY, SETS, STATE, TAG } = map;
const BLOCK = map.BLOCK_BYTES;
const MAC_BLOCK = 16;
const LANES = 4;
const WOVEN_BLOCKS = 8;
const WOVEN_BYTES = WOVEN_BLOCKS * BLOCK;

/** The indexes of the functions that compute. */
export interface Leaves {
  /** Completes the state: (kind, doubleRounds). */
  readonly start: number;
  /** Any number of blocks exactly, in words; or one, two, three exactly, and any number in sets, in vectors. */
  readonly blocks: readonly { readonly index: number; readonly count?: number; readonly sets?: boolean }[];
  readonly startMac: number;
  /** (address, count, top) */
  readonly absorb: number;
  /** (address) */
  readonly finishMac: number;
  /** (address) */
  readonly verify: number;
  /** (address, groups, macAddress) */
  readonly woven: number | undefined;
}

export const calleesOf = (f: DecodedFunction): number[] =>
  f.code.flatMap((step) => (step.op === 'call' ? [step.callee] : []));
export const hasLoop = (f: DecodedFunction): boolean => f.code.some(({ op }) => op === 'loop');

/** The functions that XOR blocks, from the one that others call. */
export function blocksOf(module: DecodedModule, xor: number): Leaves['blocks'] {
  const inner = module.functions[xor];
  if (hasLoop(inner)) return [{ index: xor }];
  return [...new Set(calleesOf(inner))]
    .sort((x, y) => x - y)
    .map((index, i) => (i < 3 ? { index, count: i + 1 } : { index, sets: true }));
}

/** A part of what Poly1305 absorbed. Byte i of all that it absorbed is byte i + delta of an origin. */
export interface Absorbed {
  readonly from: Num;
  readonly to: Num;
  readonly content: Content;
  /** Whether bit 128 of its blocks is 1. */
  readonly top: number;
}

export interface SealingOptions {
  readonly spans?: Spans | undefined;
  readonly padded?: number | undefined;
  /** The address of the MAC's state, and that of its key, unless the cipher makes the key. */
  readonly mac?: number | undefined;
  readonly macKey?: number | undefined;
  /** Throws Failure unless memory has a MAC that a caller has started by itself. */
  readonly startsMac?: ((memory: Contents) => void) | undefined;
  /** Contracts of other functions. */
  readonly others?: ReadonlyMap<number, Contract> | undefined;
  readonly bases?: readonly Base[] | undefined;
}

/** A message that was started: what contracts know of cipher and MAC. */
export class Sealing {
  readonly outline: Outline;
  /** The number of blocks of the keystream that were used. */
  counter: Num = 0;
  absorbed: Absorbed[] = [];
  #length: Num = 0;
  /** The parts whose tag was made last. */
  tagged: readonly Absorbed[] | undefined;
  verdict: { readonly value: Data; readonly of: Content; readonly and: Content } | undefined;
  readonly #case: Case;
  readonly #mac: number;
  #startsMac: SealingOptions['startsMac'];

  constructor(
    module: DecodedModule,
    leaves: Leaves,
    c: Case,
    memoryBytes: number,
    { spans, padded, mac = POLY, macKey, startsMac, others = new Map<number, Contract>(), bases }: SealingOptions,
  ) {
    this.#case = c;
    this.#mac = mac;
    this.#startsMac = startsMac;
    const contracts = new Map<number, Contract>([
      ...others,
      [leaves.start, (_, parameters) => this.#start(parameters)],
      [leaves.startMac, () => this.#startMac(macKey)],
      [leaves.absorb, (_, parameters) => this.#absorb(parameters)],
      [leaves.finishMac, (_, [to]) => this.#finishMac(to)],
      [leaves.verify, (_, [address]) => this.#verify(address)],
    ]);
    for (const { index, count, sets } of leaves.blocks)
      contracts.set(index, (_, parameters) => this.#xor(parameters, count, sets ?? false));
    if (leaves.woven !== undefined) contracts.set(leaves.woven, (_, parameters) => this.#woven(parameters));
    if (padded !== undefined) {
      const f = module.functions[padded];
      // Additional data of any length; only its name is known.
      contracts.set(padded, (outline, [address, length]) =>
        isNumber(length) ? this.#absorbPadded(f, outline, [address, length]) : this.#absorbSpan(address, length, spans),
      );
    }
    this.outline = new Outline(module, c, memoryBytes, contracts, spans, undefined, bases);
  }

  get memory(): Contents {
    return this.outline.memory;
  }

  /** A message that earlier calls have started: its state and its MAC are in memory. */
  begun(): this {
    this.memory.put(STATE, STATE + BLOCK, { kind: 'state', delta: 0 });
    return this.absorbing();
  }

  /** A MAC that earlier calls have started. */
  absorbing(): this {
    this.#putMac();
    return this;
  }

  #require(condition: boolean, what: string): void {
    if (!condition) throw this.outline.failure(what);
  }

  #number(x: Value | undefined): Num {
    return this.outline.number(x, 'parameter');
  }

  #start([kind, rounds]: readonly Value[]): undefined {
    this.#require(!(kind instanceof Data), 'a kind that depends on data');
    this.#require(!(rounds instanceof Data), 'a number of rounds that depends on data');
    // A kind of zero goes on from the state that is there.
    if (isNumber(kind) && this.#case.equal(kind, 0)) return;
    this.memory.expect(STATE + 16, STATE + 80, { kind: 'before', delta: 0 }, 'key and nonce');
    this.memory.put(STATE, STATE + 80, { kind: 'state', delta: 0 });
    this.rounds = rounds;
    this.counter = 0;
  }

  rounds: Value = 10;

  #requireRounds(rounds: Value): void {
    this.#require(rounds === this.rounds, 'another number of rounds');
  }

  #xor([rounds, address, blocks]: readonly Value[], count: number | undefined, sets: boolean): undefined {
    this.#requireRounds(rounds);
    const c = this.#case;
    const at = this.#number(address);
    const n = count ?? this.#number(blocks);
    this.#require(!c.equal(n, 0), 'no block is XORed, which does not end');
    this.#requireState();
    const [to, stream] = [c.add(at, c.mul(BLOCK, n)), c.sub(c.mul(BLOCK, this.counter), at)];
    this.#requireApart(at, to);
    this.memory.xor(at, to, stream);
    if (sets) {
      const whole = c.and(c.add(n, LANES - 1), -LANES >>> 0);
      this.memory.put(to, c.add(at, c.mul(BLOCK, whole)), UNKNOWN);
      this.memory.put(SETS, SETS + 1024, UNKNOWN);
    }
    this.counter = c.add(this.counter, n);
  }

  #requireState(): void {
    this.memory.expect(STATE, STATE + BLOCK, { kind: 'state', delta: 0 }, 'the state');
  }

  /** Data lie behind the work areas. */
  #requireApart(from: Num, to: Num): void {
    const c = this.#case;
    this.#require(c.lessOrEqual(HEAD, from) && c.lessOrEqual(from, to), 'data in a work area');
  }

  #startMac(key: number | undefined): undefined {
    if (key === undefined)
      this.memory.expect(HEAD, HEAD + 32, { ...ZERO, stream: this.#case.sub(0, HEAD) }, 'the one-time key');
    else this.memory.expect(key, key + 32, { kind: 'before', delta: 0 }, 'the one-time key');
    this.#putMac();
    this.absorbed = [];
    this.#length = 0;
  }

  #putMac(): void {
    this.memory.put(this.#mac, this.#mac + BLOCK, { kind: 'mac', delta: 0 });
  }

  #requireMac(): void {
    if (this.#startsMac) {
      this.#startsMac(this.memory);
      this.#putMac();
      this.#startsMac = undefined;
    }
    this.memory.expect(this.#mac, this.#mac + BLOCK, { kind: 'mac', delta: 0 }, 'the state of the MAC');
  }

  #absorb([address, count, top]: readonly Value[]): undefined {
    const c = this.#case;
    const [n, bit] = [count, top].map((x) => this.#number(x));
    if (c.equal(n, 0)) return;
    this.#requireMac();
    this.#require(bit === 0 || bit === 1, 'bit 128 is neither 0 nor 1');
    const size = c.mul(MAC_BLOCK, n);
    const at = this.outline.at(address, size, 'parameter');
    this.#take(at, c.add(at, size), bit as number);
  }

  #take(from: Num, to: Num, top: number): void {
    const c = this.#case;
    const by = c.sub(this.#length, from);
    for (const piece of this.memory.between(from, to)) {
      const content =
        piece.content.kind === 'byte' && piece.content.stream === undefined
          ? piece.content
          : this.memory.moved(piece.content, by);
      this.#push({ from: c.add(piece.from, by), to: c.add(piece.to, by), content, top });
    }
    this.#length = c.add(this.#length, c.sub(to, from));
  }

  #push(part: Absorbed): void {
    const last = this.absorbed.at(-1);
    if (last && last.top === part.top && this.memory.same(last.content, part.content))
      this.absorbed[this.absorbed.length - 1] = { ...last, to: part.to };
    else this.absorbed.push(part);
  }

  /** The function itself, on a number of bytes that is known in each case. */
  #absorbPadded(f: DecodedFunction, outline: Outline, parameters: readonly Value[]): undefined {
    outline.within(f, parameters);
  }

  #absorbSpan(address: Value, length: Value, spans: Spans = {}): undefined {
    const name = length instanceof Parameter && length.plus === 0 ? length.name : '';
    const span = spans[name] as { from: number; to: number } | undefined;
    this.#require(span !== undefined && address === span.from, 'the MAC takes other bytes for additional data');
    this.#requireMac();
    this.memory.expect(span!.from, span!.to, { kind: 'before', delta: 0 }, name);
    this.absorbed.push({ from: 0, to: 0, content: { kind: `padded ${name}`, delta: 0 }, top: 1 });
    // What follows is counted from here on.
    this.#length = 0;
  }

  #finishMac(to: Value): undefined {
    const c = this.#case;
    const at = this.outline.at(to, MAC_BLOCK, 'parameter');
    this.#requireMac();
    this.tagged = this.absorbed;
    this.memory.put(at, c.add(at, MAC_BLOCK), { kind: 'tag', delta: c.sub(0, at) });
  }

  #verify(address: Value): Value {
    const c = this.#case;
    const at = this.#number(address);
    const one = (from: Num): Content => {
      const pieces = this.memory.between(from, c.add(from, MAC_BLOCK));
      return pieces.length === 1 ? this.memory.moved(pieces[0].content, c.sub(0, from)) : UNKNOWN;
    };
    const value = new Data('verdict');
    this.verdict = { value, of: one(at), and: one(TAG) };
    return value;
  }

  #woven([address, groups, macAddress]: readonly Value[]): undefined {
    const c = this.#case;
    const [at, n, macAt] = [address, groups, macAddress].map((x) => this.#number(x));
    this.#requireRounds(10);
    this.#require(!c.equal(n, 0), 'no group, which does not end');
    this.#requireState();
    this.#requireMac();
    const bytes = c.mul(WOVEN_BYTES, n);
    const xor = (): void => this.memory.xor(at, c.add(at, bytes), c.sub(c.mul(BLOCK, this.counter), at));
    this.#requireApart(at, c.add(at, bytes));
    this.memory.put(SETS, SETS + 512, UNKNOWN);
    // The MAC is taken of what the cipher has not reached yet, or, a group or more in front of it, of what it has made.
    const before = c.equal(at, macAt);
    if (!before) {
      this.#require(
        c.lessOrEqual(c.add(macAt, WOVEN_BYTES), at),
        'the MAC is less than a group in front of the cipher',
      );
      xor();
    }
    this.#take(macAt, c.add(macAt, bytes), 1);
    if (before) xor();
    this.counter = c.add(this.counter, c.mul(WOVEN_BLOCKS, n));
  }

  /** Throws Failure unless the MAC took this, in this order. */
  expectAbsorbed(expected: readonly Absorbed[], absorbed: readonly Absorbed[] | undefined, what: string): void {
    const c = this.#case;
    const wanted = expected.filter(({ from, to, content }) => content.kind.startsWith('padded') || !c.equal(from, to));
    const same =
      absorbed?.length === wanted.length &&
      wanted.every((part, i) => {
        const found = absorbed[i];
        return (
          found.top === part.top &&
          c.equal(found.from, part.from) &&
          c.equal(found.to, part.to) &&
          this.memory.same(found.content, part.content)
        );
      });
    if (same) return;
    const shown = (parts: readonly Absorbed[] = []): string =>
      parts
        .map((part) => `${this.memory.at(part.from)} to ${this.memory.at(part.to)} ${describeContent(part.content)}`)
        .join(', ');
    throw new Failure(`${what} (length ${c.example}): the MAC is of ${shown(absorbed)}; not of ${shown(wanted)}`);
  }

  /** Throws Failure unless everything outside some ranges is as it was, or zero; in `wiped`, nothing but zero. */
  expectRest(
    except: readonly { readonly from: Num; readonly to: Num }[],
    wiped: readonly { from: Num; to: Num }[],
  ): void {
    const c = this.#case;
    for (const { from, to } of wiped) this.memory.expect(from, to, ZERO, 'what has to be wiped');
    const zero = byteOf(0);
    let at: Num = 0;
    const end = this.memory.pieces.at(-1)!.to;
    const ranges = [...except, { from: end, to: end }];
    for (const { from, to } of ranges) {
      for (const { from: start, content } of this.memory.between(at, from))
        if (
          !this.memory.same(content, zero) &&
          !this.memory.same(content, { kind: 'before', delta: 0 }) &&
          !content.kind.startsWith('filled')
        )
          throw new Failure(`${describeContent(content)} is left at ${this.memory.at(start)} (length ${c.example})`);
      at = to;
    }
  }

  /**
   * Throws Failure unless everything in front of the address from which on the caller wipes is as it was, but for ciphertext
   * that was put aside, and constants, such as its padding.
   */
  expectWipedFrom(from: Num): void {
    for (const { from: start, content } of this.memory.between(0, from))
      if (!this.memory.same(content, { kind: 'before', delta: 0 }) && !this.#isAside(start, content))
        throw new Failure(
          `${describeContent(content)} at ${this.memory.at(start)} is not wiped by the caller (length ${this.#case.example})`,
        );
  }

  #isAside(at: Num, { kind, delta, stream }: Content): boolean {
    if (kind === 'byte' && stream === undefined) return true;
    const c = this.#case;
    const isData = kind === 'before' && stream === undefined && c.lessOrEqual(HEAD, c.add(at, delta));
    return isData && c.lessOrEqual(map.ASIDE, at) && c.less(at, STATE);
  }

  /** Throws Failure unless everything outside a range is as it was when the message had begun. */
  expectKept(from: Num, to: Num): void {
    const end = this.memory.pieces.at(-1)!.to;
    for (const { from: start, content } of [...this.memory.between(0, from), ...this.memory.between(to, end)])
      if (!['before', 'state', 'mac'].some((kind) => this.memory.same(content, { kind, delta: 0 })))
        throw new Failure(
          `${describeContent(content)} is left at ${this.memory.at(start)} (length ${this.#case.example})`,
        );
  }
}
