/** Cases have every length once, and numbers in them are what the instructions compute of each length. */
import { describe, expect, it } from 'vitest';
import { block, breakIf, fill, loop, sequence, set, tee, when } from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import { Module, type Frame } from '../../lanewise/src/wasm/module.ts';
import type { Expression, Local, Statement } from '../../lanewise/src/wasm/types.ts';
import { Failure } from '../src/claims/claim.ts';
import { Affine, Case, forEveryLength, type Num } from '../src/every-length/cases.ts';
import { ZERO } from '../src/every-length/content.ts';
import { Outline, type Assumption, type Spans } from '../src/every-length/outline.ts';
import { Data, Parameter, Place, termOf, type Base, type Value } from '../src/every-length/values.ts';
import { add, constant, xor, type Term } from '../src/terms/term.ts';
import { decode } from '../src/wasm/decode.ts';
import { generator } from './terms-random.ts';

const randomBelow = generator(31);

const MOST = 3000;

/** Calls `visit` with each length and the value of a number at it. */
function eachValue(number: Num, length: Num, c: Case, visit: (value: number, length: number) => void): void {
  const at = (x: Num, k: number): number => (x instanceof Affine ? x.a * k + x.b : x);
  for (let k = c.least; k <= c.most; k++) visit(at(number, k), at(length, k));
}

type Make = (n: Local<'i32'>, frame: Frame) => Expression<'i32'>;

function moduleOf(make: (n: Local<'i32'>, frame: Frame) => readonly Statement[]): Uint8Array<ArrayBuffer> {
  const module = new Module(1);
  module.define('f', ['i32'], undefined, (frame, n) => make(n, frame));
  return module.bytes();
}

function functionOf(make: Make): Uint8Array<ArrayBuffer> {
  const module = new Module(1);
  module.define('f', ['i32'], 'i32', (frame, n) => [make(n, frame)]);
  return module.bytes();
}

function inV8(bytes: Uint8Array<ArrayBuffer>): (n: number) => number {
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  return (n) => (f as (x: number) => number)(n) >>> 0;
}

/** Compares a function of a length with V8, at every length. */
function agrees(make: Make): void {
  const bytes = functionOf(make);
  const expected = inV8(bytes);
  const module = decode(bytes);
  const seen = new Set<number>();
  forEveryLength(0, MOST, (length, c) => {
    const outline = new Outline(module, c, 65536, new Map());
    const result = outline.call('f', length) as Num;
    eachValue(result, length, c, (value, n) => {
      seen.add(n);
      if (value !== expected(n)) expect(`${n}: ${value}`).toBe(`${n}: ${expected(n)}`);
    });
  });
  expect(seen.size).toBe(MOST + 1);
}

type Binary = (x: Expression<'i32'>, y: Expression<'i32'>) => Expression<'i32'>;
const BINARY: readonly Binary[] = [
  i32.add,
  i32.sub,
  i32.and,
  i32.or,
  i32.xor,
  i32.eq,
  i32.lt_u,
  i32.le_u,
  i32.ge_u,
  i32.gt_u,
];

function randomExpression(n: Local<'i32'>, depth: number): Expression<'i32'> {
  const constants = [0, 1, 3, 7, 15, -16, 63, 64, 512, -512, 700, 1023, 2 ** 31 - 1, -1];
  const constant = (): Expression<'i32'> => i32.value(constants[randomBelow(constants.length)]);
  if (depth === 0) return randomBelow(3) ? n : constant();
  const one = (): Expression<'i32'> => randomExpression(n, depth - 1);
  switch (randomBelow(5)) {
    case 0:
      return i32.shr_u(one(), i32.value(randomBelow(12)));
    case 1:
      return i32.shl(one(), i32.value(randomBelow(12)));
    case 2:
      return i32.mul(one(), i32.value(randomBelow(300)));
    case 3:
      return i32.and(one(), constant());
    default:
      return BINARY[randomBelow(BINARY.length)](one(), one());
  }
}

describe('numbers of every length are those of V8', () => {
  it.each<readonly [string, Make]>([
    ['blocks', (n) => i32.shr_u(i32.add(n, 63), 6)],
    ['one length', (n) => i32.eqz(i32.xor(n, 1701))],
    ['one length, by a sign', (n) => i32.shr_u(i32.sub(i32.xor(n, 1701), 1), 31)],
    ['a bit', (n) => i32.shr_u(i32.and(n, 512), 9)],
    ['what is left of groups', (n) => i32.sub(n, i32.and(i32.sub(n, 512), -512))],
    ['products', (n) => i32.mul(n, i32.and(n, 3))],
    ['what is over', (n) => i32.and(n, 511)],
    ['whole units of a number that falls', (n) => i32.shr_u(i32.sub(4000, n), 9)],
    ['what is over of a number that falls', (n) => i32.and(i32.sub(4000, n), 511)],
    ['whole units', (n) => i32.and(i32.add(n, 77), -512)],
    ['a wrapped number', (n) => i32.sub(i32.and(n, 7), n)],
  ])('%s', (_, make) => {
    agrees(make);
  });

  it('random expressions', () => {
    for (let i = 0; i < 40; i++) agrees((n) => randomExpression(n, 3));
  });
});

const REGION: Base = { name: 'region', home: 2 ** 20 };

describe('an outline', () => {
  /** Runs a function at every length. */
  const run = (
    make: (n: Local<'i32'>, frame: Frame) => readonly Statement[],
    after: (o: Outline, n: Num) => void,
    spans: Spans = {},
    parameter?: Value,
    before: (o: Outline) => void = () => undefined,
  ) => {
    const module = decode(moduleOf(make));
    forEveryLength(0, MOST, (length, c) => {
      const outline = new Outline(module, c, 65536, new Map(), spans);
      before(outline);
      outline.call('f', parameter ?? length);
      after(outline, length);
    });
  };

  it('knows what memory has', () => {
    run(
      (n) => [fill(i32.add(n, 100), 0, 16), i32.store(0, 8, n), i32.store(i32.load(0, 8), 200, 7)],
      ({ memory, case: c }, n) => {
        memory.expect(c.add(n, 100), c.add(n, 116), ZERO, 'filled');
        memory.expect(16, 100, { kind: 'before', delta: 0 }, 'in front');
        const at = c.add(n, 200);
        memory.expect(
          at,
          c.add(at, 4),
          { kind: 'word', delta: c.sub(0, at), value: 7 },
          'at the length that was stored',
        );
      },
    );
  });

  it.each<readonly [string, (n: Local<'i32'>, frame: Frame) => readonly Statement[], string]>([
    ['an address of data', () => [i32.store(i32.load(0, 8), 0, 0)], 'a address that depends on data'],
    ['a branch on data', () => [when(i32.load(0, 8), fill(0, 0, 8))], 'a branch that depends on data'],
    ['a length of data', () => [fill(0, 0, i32.load(0, 8))], 'a length that depends on data'],
    [
      'a loop on data',
      (_, frame) => {
        const left = frame.local('i32');
        return [set(left, i32.load(0, 8)), loop(i32.store(0, 0, 0), tee(left, i32.sub(left, 1)))];
      },
      'a branch that depends on data',
    ],
    ['a branch out of a block', (n) => [block(breakIf(n))], 'a branch that is not run on every length'],
    ['an access behind memory', (n) => [i32.store(n, 65000, 0)], 'past the end of memory'],
  ])('refuses %s', (_, make, message) => {
    expect(() => {
      run(make, () => undefined);
    }).toThrow(message);
    expect(() => {
      run(make, () => undefined);
    }).toThrow(Failure);
  });

  it('runs a loop as often as each length has it', () => {
    run(
      (n, frame) => {
        const left = frame.local('i32');
        return [
          set(left, i32.shr_u(n, 9)),
          loop(sequence(set(left, i32.shr_u(left, 1)), i32.store(0, 8, i32.add(i32.load(0, 8), 1))), i32.gt_u(left, 0)),
        ];
      },
      ({ memory, case: c }, n) => {
        const rounds = [1024, 2048].filter((least) => !c.less(n, least)).length + 1;
        memory.expect(8, 12, { kind: 'word', delta: c.sub(0, 8), value: rounds }, 'the number of iterations');
      },
      {},
      undefined,
      ({ memory }) => {
        memory.put(8, 12, ZERO);
      },
    );
  });

  it('takes a comparison of a parameter from the case', () => {
    const module = decode(moduleOf((n) => [when(i32.lt_u(i32.add(n, 5), 5), fill(0, 0, 8))]));
    const runWith = (assumption?: Assumption): void => {
      forEveryLength(0, 0, (_, c) => {
        const outline = new Outline(module, c, 65536, new Map(), {}, assumption);
        outline.call('f', new Parameter('low'));
        outline.memory.expect(0, 8, ZERO, 'filled');
      });
    };
    expect(runWith).toThrow('a branch that depends on data');
    expect(() => {
      runWith(() => false);
    }).toThrow('filled');
    const asked: unknown[] = [];
    runWith((comparison, x, y) => {
      asked.push([comparison, x, y]);
      return true;
    });
    expect(asked).toEqual([['lt_u', new Parameter('low', 5), 5]]);
  });

  /** Runs a function of an address in a region. */
  const inRegion = (make: (at: Local<'i32'>) => readonly Statement[], address: Value = new Place(REGION)): Outline => {
    const c = new Case(0, 0, 0, 0);
    const outline = new Outline(decode(moduleOf(make)), c, 65536, new Map(), {}, undefined, [REGION]);
    outline.call('f', address);
    return outline;
  };

  it('knows words that were moved, and computes with them', () => {
    const outline = inRegion((at) => [
      i32.store(0, 8, i32.load(at, 4)),
      i32.store(at, 100, i32.xor(i32.add(i32.load(at, 4), i32.load(0, 12)), 7)),
      i32.store(0, 16, i32.sub(i32.load(0, 8), i32.load(at, 4))),
    ]);
    const home = REGION.home!;
    outline.memory.expect(8, 12, { kind: 'before', delta: home - 4 }, 'a word that was moved');
    const before = (at: number): Term => termOf(new Data('word', { kind: 'before', delta: at }))!;
    expect(termOf(outline.loaded(home + 100))).toBe(xor(add(before(home + 4), before(12)), constant(32, 7)));
    outline.memory.expect(16, 20, ZERO, 'a word less itself');
  });

  it.each<readonly [string, (at: Local<'i32'>) => readonly Statement[], string]>([
    ['an access before a region', (at) => [i32.store(i32.sub(at, 4), 0, 0)], 'past the end of memory'],
    ['an access further than memory is long', (at) => [i32.store(at, 65533, 0)], 'past the end of memory'],
    ['a branch on an address', (at) => [when(i32.lt_u(at, 100), fill(0, 0, 8))], 'a branch that depends on data'],
    ['a region as if it were in memory', () => [i32.store(REGION.home!, 0, 0)], 'past the end of memory'],
  ])('refuses %s', (_, make, message) => {
    expect(() => inRegion(make)).toThrow(message);
  });

  it('passes an unknown address on, and refuses an access to it', () => {
    const nowhere = new Place({ name: 'nowhere', home: undefined });
    expect(inRegion((at) => [i32.store(0, 8, i32.add(at, 4))], nowhere).loaded(8)).toEqual(new Place(nowhere.base, 4));
    expect(() => inRegion((at) => [i32.store(at, 0, 0)], nowhere)).toThrow('an access to nowhere');
  });

  it('lets a parameter be a length of its own span only', () => {
    const spans = { aadLength: { from: 64, to: 1088 } };
    const filled = (at: number, by: number): void => {
      run(
        (n) => [fill(at, 0, i32.add(n, by))],
        () => undefined,
        spans,
        new Parameter('aadLength'),
      );
    };
    filled(64, 0);
    expect(() => {
      filled(65, 0);
    }).toThrow('aadLength bytes are filled where they are not');
    expect(() => {
      filled(64, 1);
    }).toThrow(Failure);
  });
});
