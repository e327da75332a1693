/** Two rules that show that a mutant means the same. They refuse mutants that differ a little, and the engine sees the difference. */
import { describe, expect, it } from 'vitest';
import { fill, giveBack, loop, set, when } from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import { Module, type Frame } from '../../lanewise/src/wasm/module.ts';
import type { Expression, Local, Statement } from '../../lanewise/src/wasm/types.ts';
import * as v128 from '../../lanewise/src/wasm/v128.ts';
import { kernelOf } from '../src/kernels.ts';
import { callNames } from '../src/mutations/calls.ts';
import { asModule, flipped } from '../src/mutations/mutants.ts';
import { Random } from '../src/mutations/random.ts';
import { reasonFor, type Reason } from '../src/mutations/same.ts';
import { decode } from '../src/wasm/decode.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Word = Expression<'i32'>;
type Body = (x: Local<'i32'>, frame: Frame) => readonly Statement[];

/** Where tests read and write, after the module's data. */
const HERE = 64;

function moduleOf(body: Body, prepare: (module: Module) => void = () => undefined): Bytes {
  const module = new Module(1);
  prepare(module);
  module.define('f', ['i32'], undefined, (frame, x) => body(x, frame));
  return module.bytes();
}

const reasonOf = (a: Bytes, b: Bytes): Reason | undefined => reasonFor(decode(a), decode(b), ['f']);

/** Whether calls of both, with the same numbers and memory, leave other bytes. */
function areSeen(a: Bytes, b: Bytes, seed: number, calls = 200): boolean {
  const random = new Random(seed);
  const start = (bytes: Bytes) => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
    const memory = new Uint8Array((exports['memory'] as WebAssembly.Memory).buffer, HERE, 1024);
    return { memory, f: exports['f'] as (x: number) => void };
  };
  const [one, other] = [start(a), start(b)];
  return Array.from({ length: calls }).some(() => {
    random.fill(one.memory);
    other.memory.set(one.memory);
    // Also addresses, and small numbers.
    const x = random.of([random.word(), HERE + 4 * random.below(8), random.below(3)]);
    one.f(x);
    other.f(x);
    return Buffer.compare(one.memory, other.memory) !== 0;
  });
}

/** Bodies with an OR or an XOR. */
type Pair = (either: typeof i32.or, x: Local<'i32'>, frame: Frame) => readonly Statement[];
const LOW = 0x0f0f0f0f;
const HIGH = 0xf0f0f0f0 | 0;
const result = (word: Word): Statement => i32.store(0, HERE + 256, word);

/** A value is written to memory, something happens, and it is read again. */
const throughMemory =
  (between: (x: Local<'i32'>) => Statement | undefined, mask = LOW): Pair =>
  (either, x) => [
    i32.store(0, HERE, i32.and(x, mask)),
    ...[between(x) ?? []].flat(),
    result(either(i32.load(0, HERE), i32.and(x, HIGH))),
  ];
/** Vectors are combined in memory, and one word of the result is read. */
const throughVectors =
  (word: number, masks: readonly [number, number] = [LOW, LOW]): Pair =>
  (either, x) => [
    ...masks.map((mask, i) => i32.store(0, HERE + 16 * i, i32.and(i32.load(0, HERE + 16 * i), mask))),
    v128.store(0, HERE + 32, v128.xor(v128.load(0, HERE), v128.and(v128.load(0, HERE), v128.load(0, HERE + 16)))),
    result(either(i32.load(0, HERE + 32 + 4 * word), i32.and(x, HIGH))),
  ];
const shifted =
  (up: number, down: number): Pair =>
  (either, x) => [result(either(i32.shl(i32.and(x, 0x03000300), up), i32.shr_u(i32.and(x, 0xfc00fc00 | 0), down)))];
const throughLocal =
  (between: (x: Local<'i32'>, y: Local<'i32'>) => Statement | undefined): Pair =>
  (either, x, frame) => {
    const y = frame.local('i32');
    return [
      set(y, i32.and(x, 0x03000300)),
      ...[between(x, y) ?? []].flat(),
      result(either(i32.shl(y, 6), i32.shr_u(i32.and(x, 0xfc00fc00 | 0), 2))),
    ];
  };
const modulesOf = (pair: Pair): readonly [Bytes, Bytes] => [
  moduleOf((x, frame) => pair(i32.or, x, frame)),
  moduleOf((x, frame) => pair(i32.xor, x, frame)),
];

describe('an OR whose operands have no common bit is an XOR', () => {
  it.each<[string, Pair]>([
    ['masks and shifts', shifted(6, 2)],
    ['a local', throughLocal(() => undefined)],
    ['memory', throughMemory(() => undefined)],
    ['memory, and a store to another word', throughMemory((x) => i32.store(0, HERE + 4, x))],
    ['vectors in memory', throughVectors(0)],
  ])('%s', (_, pair) => {
    const [a, b] = modulesOf(pair);
    expect(reasonOf(a, b)).toBe('no common bit');
    expect(reasonOf(b, a)).toBe('no common bit');
    expect(areSeen(a, b, 1)).toBe(false);
  });

  it.each<[string, Pair]>([
    ['a shift by one bit less', shifted(5, 2)],
    ['another shift by one bit less', shifted(6, 1)],
    ['a mask with a bit more', throughMemory(() => undefined, LOW | 16)],
    ['a vector with a bit more', throughVectors(0, [LOW | 16, LOW])],
    ['another word of a vector', throughVectors(1)],
    ['a store to an address that is not known', throughMemory((x) => i32.store(i32.and(x, 0xff), 0, -1))],
    ['a store of one byte', throughMemory((x) => i32.store8(0, HERE + 1, x))],
    [
      'a store of a part',
      (either, x) => [
        i32.store(0, HERE, i32.and(x, 0xffff)),
        i32.store_unaligned(0, HERE + 2, i32.and(x, 0xffff)),
        result(either(i32.load(0, HERE), i32.and(x, 0xffff0000 | 0))),
      ],
    ],
    ['a store of a vector', throughMemory((x) => v128.store(0, HERE - 12, v128.i32x4_splat(x)))],
    ['bytes that are filled', throughMemory((x) => fill(HERE, x, 4))],
    ['a store on some ways', throughMemory((x) => when(x, i32.store(0, HERE, x)))],
    [
      'a store of fewer bits on some ways',
      throughMemory((x) => when(i32.and(x, 1), i32.store(0, HERE, i32.and(x, LOW))), -1),
    ],
    ['a local that is set on some ways', throughLocal((x, y) => when(x, set(y, x)))],
    ['a local that is set again', throughLocal((x, y) => set(y, i32.add(x, x)))],
    [
      'a local that an iteration sets for the next one',
      (either, x, frame) => {
        const [y, i] = frame.locals('i32', 2);
        return [
          set(y, i32.and(x, LOW)),
          loop(
            [result(either(y, i32.and(x, HIGH))), set(y, x), set(i, i32.add(i, 1))].join('') as Statement,
            i32.lt_u(i, 2),
          ),
        ];
      },
    ],
  ])('unless there is %s', (_, pair) => {
    const [a, b] = modulesOf(pair);
    expect(reasonOf(a, b)).toBe(undefined);
    expect(reasonOf(b, a)).toBe(undefined);
    expect(areSeen(a, b, 1)).toBe(true);
  });

  const onlyResult = (y: Word): Word => y;
  const memoryToo = (y: Word): Word => i32.or(i32.load(0, HERE), y);
  type Callee = (x: Local<'i32'>, y: Local<'i32'>) => readonly [...Statement[], Word];
  it.each<[string, Reason | undefined, Callee, (y: Word) => Word]>([
    [
      'keeps bits',
      'no common bit',
      (x, y) => [i32.store(0, HERE, i32.xor(i32.load(0, HERE), x)), i32.and(x, y)],
      memoryToo,
    ],
    ['gives others', undefined, (x, y) => [i32.store(0, HERE, i32.xor(i32.load(0, HERE), x)), i32.or(x, y)], memoryToo],
    ['stores others', undefined, (x, y) => [i32.store(0, HERE, y), i32.and(x, y)], memoryToo],
    ['may store others', undefined, (x, y) => [when(y, i32.store(0, HERE, y)), i32.and(x, y)], memoryToo],
    ['may return others', undefined, (x, y) => [when(i32.and(y, 1), giveBack(y)), i32.and(x, LOW)], onlyResult],
  ])('after a call of a function that %s', (_, reason, callee, taken) => {
    const module = (either: typeof i32.or): Bytes => {
      const all = new Module(1);
      const g = all.define(undefined, ['i32', 'i32'], 'i32', (_frame, x, y) => callee(x, y));
      all.define('f', ['i32'], undefined, (frame, x) => {
        const y = frame.local('i32');
        return [
          i32.store(0, HERE, i32.and(x, LOW)),
          set(y, g(i32.and(i32.shr_u(x, 4), LOW), x)),
          result(either(taken(y), i32.and(i32.add(x, 1), HIGH))),
        ];
      });
      return all.bytes();
    };
    const [a, b] = [module(i32.or), module(i32.xor)];
    expect(reasonOf(a, b)).toBe(reason);
    expect(areSeen(a, b, 1)).toBe(reason === undefined);
  });

  it('random code: if a rule says that it is the same, the engine sees no difference', () => {
    const random = new Random(1);
    const [said, seen] = [true, false].map((isSaid) => {
      let count = 0;
      for (let seed = 0; seed < 400; seed++) {
        const [a, b] = [i32.or, i32.xor].map((either) => moduleOf(randomBody(seed, either)));
        if ((reasonOf(a, b) !== undefined) !== isSaid) continue;
        const differ = areSeen(a, b, random.word(), 50);
        if (isSaid) expect(differ, `seed ${seed}`).toBe(false);
        if (isSaid || differ) count++;
      }
      return count;
    });
    expect(said).toBeGreaterThan(50);
    expect(seen).toBeGreaterThan(50);
  });
});

/** Statements that mask, shift, store and load, and the result of an OR or an XOR at the end. */
function randomBody(seed: number, either: typeof i32.or): Body {
  return (x, frame) => {
    const random = new Random(seed);
    const y = frame.local('i32');
    const place = (): number => HERE + 4 * random.below(3);
    const masks = [0xff, 0xff00, 0x00ff00ff, LOW, HIGH];
    const word = (depth: number): Word => {
      const small = (): Word => random.of([() => x, () => y, () => i32.load(0, place())])();
      const part = (): Word => (depth > 0 ? word(depth - 1) : small());
      return random.of([
        () => i32.and(part(), random.of(masks)),
        () => i32.and(part(), random.of(masks)),
        () => i32.shl(part(), 4 * random.below(5)),
        () => i32.shr_u(part(), 4 * random.below(5)),
        () => i32.or(part(), i32.and(part(), random.of(masks))),
        () => i32.xor(part(), part()),
        small,
      ])();
    };
    const statement = (): Statement =>
      random.of([
        () => set(y, word(2)),
        () => i32.store(0, place(), word(2)),
        () => i32.store(0, place(), word(2)),
        () => i32.store8(0, place() + random.below(4), word(0)),
        () => when(i32.and(x, 1), set(y, word(1))),
      ])();
    const masked = (): Word => i32.and(word(1), random.of(masks));
    return [...Array.from({ length: 4 }, statement), result(either(masked(), masked()))];
  };
}

it("the S-box's bits are put together: four of eight meet no bit of the constant", () => {
  for (const [name, function_] of [
    ['disk scalar', 25],
    ['disk relaxed', 29],
  ] as const) {
    const kernel = kernelOf(name);
    const original = decode(kernel.bytes);
    const { code } = original.functions[function_];
    const reasons = code.flatMap(({ op, at }) => {
      if (op !== 'i32.xor') return [];
      const mutant = asModule(flipped(kernel.bytes, { at, bit: 0 }));
      return [typeof mutant === 'string' ? mutant : reasonFor(original, mutant, callNames(kernel))];
    });
    const constant = 0x63;
    const expected = Array.from({ length: 8 }, (_, bit) => ((constant >> bit) & 1 ? undefined : 'no common bit'));
    expect(reasons).toEqual(expected);
  }
});

describe("a load from the module's data", () => {
  const MASK = Array.from({ length: 16 }, (_, i) => i ^ 3);
  const constant = v128.i8x16(...MASK);
  interface Case {
    readonly data?: readonly (readonly [number, readonly number[]])[];
    readonly load?: (x: Local<'i32'>) => Expression<'v128'>;
    readonly between?: (x: Local<'i32'>, y: Local<'v128'>) => Statement;
    /** Whether the local is read into which the mutant loads. */
    readonly isRead?: boolean;
  }
  /** A local has the constant, and either it or another one takes the loaded value. */
  const modules = ({ data = [[16, MASK]], load = () => v128.load(0, 16), between, isRead = false }: Case) =>
    [0, 1].map((which) =>
      moduleOf(
        (x, frame) => {
          const [y, z] = frame.locals('v128', 2);
          return [
            set(y, constant),
            ...(between ? [between(x, y)] : []),
            set([y, z][which], load(x)),
            v128.store(0, HERE, y),
            ...(isRead ? [v128.store(0, HERE + 16, z)] : []),
            // Else it is a local that is not used.
            set(z, y),
            v128.store(0, HERE + 32, z),
          ];
        },
        (module) => {
          for (const [offset, bytes] of data) module.data(offset, bytes);
        },
      ),
    );

  it('has the bytes of the data', () => {
    const [a, b] = modules({});
    expect(reasonOf(a, b)).toBe('same terms');
    expect(reasonOf(b, a)).toBe('same terms');
    expect(areSeen(a, b, 1)).toBe(false);
  });

  it.each<[string, Case]>([
    ['the data has another byte', { data: [[16, MASK.with(15, 0)]] }],
    ['it is of another address', { load: () => v128.load(0, 17) }],
    ['the data ends before it does', { data: [[16, MASK.slice(0, 15)]] }],
    ['the data begins after it does', { data: [[17, MASK.slice(1)]] }],
    ['the data is elsewhere', { data: [[0, MASK]] }],
    [
      'other data is over it',
      {
        data: [
          [16, MASK],
          [31, [0]],
        ],
      },
    ],
    ['its address is not known', { load: (x) => v128.load(i32.and(x, 16), 16) }],
    ['it loads less', { load: () => v128.load32_splat(0, 16) }],
    ['the constant is gone on some ways', { between: (x, y) => when(x, set(y, v128.i32x4_splat(x))) }],
    ['the other local is read', { isRead: true }],
  ])('unless %s', (_, each) => {
    const [a, b] = modules(each);
    expect(reasonOf(a, b)).toBe(undefined);
    expect(reasonOf(b, a)).toBe(undefined);
    expect(areSeen(a, b, 1)).toBe(true);
  });
});
