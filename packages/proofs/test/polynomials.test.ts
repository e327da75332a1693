/**
 * The domain of integers, by itself and beside the engine; that of doubles is beside it in
 * javascript-interpreter.long.test.ts.
 */
import { describe, expect, it } from 'vitest';
import { KEY, STAGE, STATE, TAG } from '../../lanewise/src/poly1305/map.ts';
import { Failure } from '../src/claims/claim.ts';
import { onDoubles, onIntegers, type PolynomialKernel, type PolynomialRun } from '../src/rooms/poly1305/run.ts';
import { shippedReducer } from '../src/rooms/poly1305/claims.ts';
import { textOf } from '../src/javascript/texts.ts';
import { kernelOf } from '../src/kernels.ts';
import { requireAccumulated } from '../src/polynomials/congruence.ts';
import { PolynomialDoubles } from '../src/polynomials/doubles.ts';
import { IntegerDomain, type Integer } from '../src/polynomials/integers.ts';
import { requireEqualAtRandomPoint } from '../src/polynomials/random-point.ts';
import { narrowed } from '../src/polynomials/narrow.ts';
import { twosIn } from '../src/polynomials/polynomial.ts';
import { Ring, type Sum } from '../src/polynomials/ring.ts';
import { P } from '../src/rooms/poly1305/specification.ts';
import { and, constant, evaluateAll, variable, type Assignment, type Term } from '../src/terms/term.ts';
import { Word } from '../src/javascript/values.ts';
import { inV8 } from './javascript-v8.ts';
import { generator, randomValue } from './terms-random.ts';

type Random = (limit: number) => number;

const WORDS = ['x', 'y', 'z'];
const word = (name: string): Term => variable(32, name, true);
/** Values of the words, often at an edge. */
function valuesOf(random: Random): Assignment {
  const values = new Map(WORDS.map((name) => [name, randomValue(random, 32)]));
  return (name) => values.get(name)!;
}

/** An integer, and its value as a function of the words' values, in arithmetic mod 2^64. */
interface Twin {
  readonly integer: Integer;
  readonly value: (assignment: Assignment) => bigint;
}

/** A word, a constant, or the result of random instructions on such values. Refused instructions give no twin. */
function randomTwin(domain: IntegerDomain, random: Random, depth: number, refused: () => void): Twin {
  const next = (): Twin => randomTwin(domain, random, depth - 1, refused);
  const u64 = (x: bigint): bigint => BigInt.asUintN(64, x);
  const known = (value: bigint): Twin => ({ integer: domain.constant(value), value: () => value });
  if (depth === 0) {
    if (random(4) === 0) return known(randomValue(random, 64) >> BigInt(random(60)));
    const name = WORDS[random(WORDS.length)];
    const mask = random(2) ? 0xffffffff : Number(randomValue(random, 32));
    const masked = and(word(name), constant(32, mask));
    return {
      integer: domain.extend_i32_u(masked),
      value: (assignment) => BigInt(assignment(name)) & BigInt(mask >>> 0),
    };
  }
  const x = next();
  const y = next();
  const count = BigInt(random(66));
  const from = BigInt(random(40));
  const mask = ((1n << BigInt(1 + random(63 - Number(from)))) - 1n) << from;
  const makers: (() => Twin)[] = [
    () => ({ integer: domain.add(x.integer, y.integer), value: (a) => u64(x.value(a) + y.value(a)) }),
    () => ({ integer: domain.mul(x.integer, y.integer), value: (a) => u64(x.value(a) * y.value(a)) }),
    () => ({ integer: domain.sub(x.integer, y.integer), value: (a) => u64(x.value(a) - y.value(a)) }),
    () => ({ integer: domain.and(x.integer, domain.constant(mask)), value: (a) => x.value(a) & mask }),
    () => ({ integer: domain.shr_u(x.integer, domain.constant(count)), value: (a) => x.value(a) >> (count & 63n) }),
    () => ({ integer: domain.shl(x.integer, domain.constant(count)), value: (a) => u64(x.value(a) << (count & 63n)) }),
    () => ({ integer: domain.extend_i32_u(domain.wrap(x.integer)), value: (a) => x.value(a) & 0xffffffffn }),
    () => {
      const [low, high] = domain.words(x.integer);
      return { integer: domain.fromWords(low, high), value: x.value };
    },
  ];
  // Sums more often than others, so that carries have something to carry.
  const choice = random(makers.length + 3);
  try {
    return (makers[choice] ?? makers[0])();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    refused();
    return x;
  }
}

describe('integers', () => {
  it('have the values of arithmetic mod 2^64, and lie where they are said to', () => {
    let refused = 0;
    for (let seed = 0; seed < 2000; seed++) {
      const random = generator(seed);
      const domain = new IntegerDomain();
      const { integer, value } = randomTwin(domain, random, 4, () => refused++);
      for (let n = 0; n < 5; n++) {
        const assignment = valuesOf(random);
        const found = domain.ring.evaluator(assignment).valueOf(integer.polynomial);
        expect(BigInt.asUintN(64, found)).toBe(value(assignment));
        for (const { low, high } of [integer.interval, narrowed(domain.ring, integer).interval])
          expect(found >= low && found <= high).toBe(true);
      }
    }
    // Instructions on a value that may have wrapped around are refused, but not all instructions are.
    expect(refused).toBeGreaterThan(500);
    expect(refused).toBeLessThan(2000 * 7);
  });

  const domain = new IntegerDomain();
  const x = domain.extend_i32_u(word('x'));
  const y = domain.extend_i32_u(word('y'));
  const number = (value: bigint): Integer => domain.constant(value);
  const all = number((1n << 64n) - 1n);

  it('refuse what asks for a value that may have wrapped around, and what has no meaning', () => {
    const square = domain.mul(x, x);
    for (const wrapped of [domain.add(all, x), domain.sub(x, y), domain.mul(square, x)])
      for (const use of [
        () => domain.shr_u(wrapped, number(1n)),
        () => domain.shl(wrapped, number(1n)),
        () => domain.and(wrapped, number(1n)),
        () => domain.wrap(wrapped),
        () => domain.words(wrapped),
        () => domain.eq(wrapped, number(0n)),
        () => domain.eq(number(0n), wrapped),
        () => domain.eqz(wrapped),
        () => domain.lt_u(wrapped, number(0n)),
        () => domain.lt_u(number(0n), wrapped),
      ])
        expect(use).toThrow('not shown to lie within 64 bits');
    expect(() => domain.shl(square, number(1n))).toThrow('not shown to lie within 64 bits');
    // A sum that wraps around and comes back is the value itself.
    expect(domain.wrap(domain.add(domain.sub(x, y), y))).toBe(word('x'));
    expect(() => domain.and(x, y)).toThrow(Failure);
    expect(() => domain.and(x, number(5n))).toThrow('gaps');
    expect(() => domain.shr_u(x, y)).toThrow(Failure);
    for (const op of ['or', 'xor', 'rotl', 'rotr'] as const) expect(() => domain[op]()).toThrow(Failure);
    // At the very edge they do not.
    const most = number(0xffffffffn);
    expect(domain.add(domain.mul(most, most), number(2n * 0xffffffffn)).interval.high).toBe((1n << 64n) - 1n);
    expect(domain.constantOf(domain.sub(x, x))).toBe(0n);
  });

  it('decide comparisons by where they lie, and no others', () => {
    expect(domain.eq(x, x)).toBe(constant(32, 1));
    expect(domain.eqz(domain.add(x, number(1n)))).toBe(constant(32, 0));
    expect(domain.lt_u(x, number(1n << 32n))).toBe(constant(32, 1));
    expect(domain.lt_u(number(1n << 32n), x)).toBe(constant(32, 0));
    expect(() => domain.eq(x, y)).toThrow(Failure);
    expect(() => domain.lt_u(x, y)).toThrow(Failure);
  });

  it('give back the word that they came from', () => {
    expect(domain.wrap(x)).toBe(word('x'));
    const sum = domain.add(x, y);
    expect(domain.wrap(sum)).toBe(domain.wrap(domain.add(y, x)));
    expect(domain.wrap(domain.mul(x, number(1n << 32n)))).toBe(constant(32, 0));
  });

  it('know what a carry leaves and takes', () => {
    const sum = domain.add(domain.add(x, y), number(1n));
    const low = domain.and(sum, number(0xffffffffn));
    const carried = domain.shr_u(sum, number(32n));
    expect([low.interval.high, carried.interval.high]).toEqual([0xffffffffn, 1n]);
    const again = domain.add(low, domain.shl(carried, number(32n)));
    expect(again.polynomial.key).toBe(sum.polynomial.key);
    // floor(floor(a / 2^8) / 2^24) is floor(a / 2^32).
    const twice = domain.shr_u(domain.shr_u(sum, number(8n)), number(24n));
    expect(twice.polynomial.key).toBe(carried.polynomial.key);
  });
});

describe('congruence', () => {
  const ring = new Ring();
  const atom = (name: string): Sum => ring.word(variable(32, name, true)).polynomial;
  const [r0, r1, h, m] = ['r0', 'r1', 'h', 'm'].map(atom);
  const r = r0.plus(r1.scaled(4n));
  const zero = ring.constant(0n).polynomial;

  it('is found where multiples of p are all that differs', () => {
    const product = h.plus(m).times(r);
    requireAccumulated(ring, product, r, [m], h);
    requireAccumulated(ring, product.plus(m.times(h).scaled(3n * P)), r, [m], h);
    requireAccumulated(ring, product.minus(r1.times(h).scaled(P)), r, [m], h);
    requireAccumulated(ring, product.plus(h).times(r), r, [m, h], h);
    // Where the accumulator depends on r itself, as it does behind a block of constants.
    requireAccumulated(ring, r.plus(m).times(r), r, [ring.constant(1n).polynomial, m], zero);
  });

  it('is not found where anything else does', () => {
    const product = h.plus(m).times(r);
    const refused = (found: Sum, blocks: Sum[], start = h): void => {
      expect(() => requireAccumulated(ring, found, r, blocks, start)).toThrow(Failure);
      // The second checker by itself, at a point of its own choice each time.
      for (let i = 0; i < 10; i++)
        expect(() => requireEqualAtRandomPoint(found, r, blocks, start)).toThrow('at a random point');
    };
    refused(product.plus(ring.constant(1n).polynomial), [m]);
    refused(product.plus(h), [m]);
    refused(product.plus(r0.times(h)), [m]);
    refused(product.scaled(2n), [m]);
    refused(product, [m], m);
    refused(product, []);
    refused(product, [m, m]);
    refused(product.times(r), [m]);
    refused(zero, [m]);
  });
});

describe('doubles', () => {
  const doubles = new PolynomialDoubles();
  const x = new Word(word('x'), -(2 ** 31), 2 ** 31 - 1);
  const wide = doubles.binary('*', x, 2 ** 40);

  it('refuse what may be inexact', () => {
    expect(() => doubles.binary('+', wide, 1)).toThrow('not exact');
    expect(() => doubles.binary('-', wide, 1)).toThrow('not shown to be exact');
    expect(() => doubles.binary('*', wide, wide)).toThrow('not shown to be exact');
    expect(() => doubles.binary('*', wide, 2 ** 1000)).toThrow('not shown to be exact');
    expect(() => doubles.binary('*', wide, 0.1)).toThrow('not shown to be exact');
    expect(() => doubles.binary('*', wide, 2 ** -1074)).not.toThrow();
    expect(() => doubles.binary('*', doubles.binary('*', wide, 2 ** -1074), 2 ** -41)).toThrow('not shown to be exact');
    // Rounding beside a constant needs room on both sides, and a constant that is an even number of units.
    expect(() => doubles.binary('+', wide, 1.5 * 2 ** 80)).not.toThrow();
    expect(() => doubles.binary('+', doubles.binary('*', wide, 0.5), 2 ** 93)).toThrow('more than one size');
    expect(() => doubles.binary('+', wide, 1.5 * 2 ** 93 + 2 ** 41)).toThrow('even number of units');
  });

  it('refuse what is no integer where one is needed', () => {
    expect(() => doubles.toWord(doubles.binary('*', wide, 2 ** -41))).toThrow('fraction');
    expect(() => doubles.binary('&', wide, 5)).toThrow('ones from bit 0');
    expect(() => doubles.binary('|', doubles.binary('*', x, 4), doubles.binary('*', x, 8))).toThrow('in common');
    expect(() => doubles.binary('^', wide, 1)).toThrow(Failure);
    expect(() => doubles.binary('<<', wide, x)).toThrow(Failure);
  });
});

it('twosIn counts how often 2 divides', () => {
  expect([1n, 12n, -8n, 1n << 200n, 3n << 31n, 3n << 32n].map(twosIn)).toEqual([0, 2, 3, 200, 31, 32]);
  expect(twosIn(0n)).toBe(Infinity);
});

/** Bytes, many of them at an edge. */
function bytesOf(random: Random, length: number): Uint8Array {
  const kind = random(4);
  return Uint8Array.from({ length }, () => (kind === 0 ? 0xff : kind === 1 && random(4) ? 0xff : random(256)));
}

describe('Poly1305 beside V8', () => {
  const shipped = kernelOf('poly1305 scalar');
  const { bytes } = shipped;
  const text = textOf('poly1305');
  type Functions = Record<string, (...parameters: number[]) => unknown>;
  interface Engine {
    readonly name: string;
    readonly kernel: PolynomialKernel;
    readonly start: () => { functions: Functions; memory: Uint8Array };
  }
  const engines: Engine[] = [
    {
      name: 'in 64-bit integers',
      kernel: onIntegers(shipped),
      start() {
        const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
        const { buffer } = exports['memory'] as WebAssembly.Memory;
        return { functions: exports as Functions, memory: new Uint8Array(buffer) };
      },
    },
    {
      name: 'in doubles',
      kernel: onDoubles(text, shippedReducer()),
      start() {
        const memory = new Uint8Array(text.memoryBytes);
        return { functions: inV8(text.text, memory.buffer), memory };
      },
    },
  ];

  /** Runs both, and compares the words of the state and the tag for some keys and messages. */
  function expectSame(
    { kernel, start }: Engine,
    call: (run: (name: string, n: number) => void) => void,
    length: number,
  ): void {
    const polynomials: PolynomialRun = kernel.start();
    const name = (at: number): string => `byte ${at}`;
    const secret = (from: number, count: number): Term[] =>
      Array.from({ length: count }, (_, i) => variable(8, name(from + i), true));
    polynomials.run.write(STATE + KEY, secret(STATE + KEY, 32));
    polynomials.run.write(STAGE, secret(STAGE, length));
    polynomials.run.call('start');
    call((method, n) => void polynomials.run.call(method, n));
    const found = [
      ...polynomials.run.read(STATE, 20),
      ...polynomials.run.read(STATE + KEY, 32),
      ...polynomials.run.read(TAG, 16),
    ];

    const { functions, memory } = start();
    const random = generator(length);
    for (let n = 0; n < 10; n++) {
      memory.fill(0);
      memory.set(bytesOf(random, 32), STATE + KEY);
      memory.set(bytesOf(random, length), STAGE);
      const before = memory.slice();
      functions['start']();
      call((method, count) => void functions[method](count));
      const own: Assignment = (variableName) => {
        const [, address] = /(\d+)\]?$/.exec(variableName)!;
        return before[Number(address)];
      };
      const { assignment } = polynomials.ring.evaluator(own);
      const expected = [
        ...memory.slice(STATE, STATE + 20),
        ...memory.slice(STATE + KEY, STATE + 64),
        ...memory.slice(TAG, TAG + 16),
      ];
      expect(evaluateAll(found, assignment)).toEqual(expected);
    }
  }

  for (const engine of engines) {
    it(`${engine.name}: states between blocks`, () => {
      for (const blocks of [0, 1, 2, 3, 7, 20]) expectSame(engine, (run) => run('absorb', blocks), 16 * blocks);
      expectSame(engine, (run) => [1, 2, 1].forEach((blocks) => run('absorb', blocks)), 32);
    });

    it(`${engine.name}: tags`, () => {
      for (const length of [0, 1, 15, 16, 17, 63, 64, 65, 200])
        expectSame(engine, (run) => run('finish', length), length);
    });
  }
});
