/**
 * A small program for every instruction that the assembler can emit and the machine runs, and for those beside them
 * that no kernel may contain: operands from memory, of all kinds of constants, or in part constant; the result to
 * memory.
 */
import * as control from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import * as i64 from '../../lanewise/src/wasm/i64.ts';
import { Module, type Frame } from '../../lanewise/src/wasm/module.ts';
import type { Expression, Statement, ValueType } from '../../lanewise/src/wasm/types.ts';
import * as v128 from '../../lanewise/src/wasm/v128.ts';

/** The addresses of operands, each 16 bytes, and of results; deliberately unaligned. */
export const INPUT = 11;
export const OUTPUT = 133;
/** The part of memory that the machine and V8 start with in common. */
export const SHARED_BYTES = 1024;

export interface Program {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Type = 'i32' | 'i64' | 'v128';

/** Operand `slot` from memory. */
export function input<T extends Type>(type: T, slot: number): Expression<T> {
  const offset = INPUT + 16 * slot;
  const loaded: Readonly<Record<Type, string>> = {
    i32: i32.load_unaligned(0, offset),
    i64: i64.load(0, offset),
    v128: v128.load(0, offset),
  };
  return loaded[type] as Expression<T>;
}

export function output(type: ValueType, at: number, x: string): Statement {
  if (type === 'i32') return i32.store_unaligned(0, at, x as Expression<'i32'>);
  return type === 'i64' ? i64.store(0, at, x as Expression<'i64'>) : v128.store(0, at, x as Expression<'v128'>);
}

/** Instructions written as bytes, for those that the assembler does not have. */
export const raw = <T extends ValueType>(...parts: readonly string[]): Expression<T> => parts.join('') as Expression<T>;

export function program(name: string, body: (frame: Frame) => readonly Statement[]): Program {
  const module = new Module(1);
  module.define('run', [], undefined, body);
  return { name, bytes: module.bytes() };
}

const WORDS = [0, 1, 5, 7, 8, 16, 24, 31, 32, 33, 63, 64, 255, 0xff00, 0xffff0000 | 0, 0x7fffffff, -(2 ** 31), -2, -1];
const LONGS = [...WORDS.map(BigInt), 0xffffffffn, 1n << 32n, 1n << 63n, -(1n << 32n), (1n << 63n) - 1n];

type Literal<T extends Type> = T extends 'i32' ? number : bigint;

/** One instruction after the other, each with its result in a place of its own. */
const results = (name: string, type: Type, expressions: readonly string[]): Program =>
  program(name, () => expressions.map((expression, i) => output(type, OUTPUT + 16 * i, expression)));

/** A binary instruction with operands from memory, with itself, and with constants on either side. */
function binary<A extends 'i32' | 'i64', R extends Type>(
  name: string,
  type: A,
  result: R,
  make: (x: Expression<A> | Literal<A>, y: Expression<A> | Literal<A>) => Expression<R>,
): Program {
  const [x, y] = [input(type, 0), input(type, 1)];
  const literals = (type === 'i32' ? WORDS : LONGS) as readonly (number | bigint)[] as readonly Literal<A>[];
  const constant = literals.flatMap((literal) => [make(x, literal), make(literal, y)]);
  return results(name, result, [make(x, y), make(x, x), ...constant]);
}

const unary = (name: string, result: Type, expression: string): Program => results(name, result, [expression]);

const words = { eq: i32.eq, ne: i32.ne, lt_u: i32.lt_u, gt_u: i32.gt_u, le_u: i32.le_u, ge_u: i32.ge_u, add: i32.add };
const moreWords = { sub: i32.sub, mul: i32.mul, and: i32.and, or: i32.or, xor: i32.xor, shl: i32.shl };
const shifts = { shr_s: i32.shr_s, shr_u: i32.shr_u, rotl: i32.rotl, rotr: i32.rotr };
const longs = { add: i64.add, sub: i64.sub, mul: i64.mul, and: i64.and, or: i64.or, xor: i64.xor };
const longShifts = { shl: i64.shl, shr_u: i64.shr_u, rotl: i64.rotl, rotr: i64.rotr };
const longComparisons = { eq: i64.eq, ne: i64.ne, lt_u: i64.lt_u };

const entries = <T extends object>(table: T): [string, T[keyof T]][] => Object.entries(table) as [string, T[keyof T]][];

/** Opcodes of comparisons that kernels must not have: the lints say so, the machine runs them. */
const signed = { lt_s: '\x48', gt_s: '\x4a', le_s: '\x4c', ge_s: '\x4e' };

const scalarPrograms = (): Program[] => [
  ...entries({ ...words, ...moreWords, ...shifts }).map(([name, make]) => binary(`i32.${name}`, 'i32', 'i32', make)),
  ...entries(signed).map(([name, opcode]) =>
    binary(`i32.${name}`, 'i32', 'i32', (x, y) => raw(i32.value(x), i32.value(y), opcode)),
  ),
  ...entries({ ...longs, ...longShifts }).map(([name, make]) => binary(`i64.${name}`, 'i64', 'i64', make)),
  ...entries(longComparisons).map(([name, make]) => binary(`i64.${name}`, 'i64', 'i32', make)),
  unary('i32.eqz', 'i32', i32.eqz(input('i32', 0))),
  unary('i32.eqz of an OR', 'i32', i32.eqz(i32.or(input('i32', 0), input('i32', 1)))),
  unary('i32.eqz of an XOR', 'i32', i32.eqz(i32.xor(input('i32', 0), input('i32', 1)))),
  unary('i64.eqz', 'i32', i64.eqz(input('i64', 0))),
  unary('i32.wrap_i64', 'i32', i64.wrap_i64(input('i64', 0))),
  unary('i64.extend_i32_u', 'i64', i64.extend_i32_u(input('i32', 0))),
];

const memoryPrograms = (): Program[] => [
  unary('i32.load8_u', 'i32', i32.load8_u(0, INPUT + 3)),
  unary('i64.load32_u', 'i64', i64.load32_u(0, INPUT + 2)),
  unary('v128.load32_splat', 'v128', v128.load32_splat(0, INPUT + 1)),
  unary('v128.load64_splat', 'v128', v128.load64_splat(0, INPUT + 1)),
  program('address and offset', () => [output('i32', OUTPUT, i32.load_unaligned(INPUT, 5))]),
  program('i32.store8', () => [i32.store8(OUTPUT, 1, input('i32', 0)), i32.store8(OUTPUT, 3, 0x1234)]),
  program('i64.store32', () => [
    i64.store32(0, OUTPUT - 1, input('i64', 0)),
    i64.store32_unaligned(0, OUTPUT + 5, input('i64', 1)),
  ]),
  program('stores that overlap', () => [
    output('v128', OUTPUT, input('v128', 0)),
    output('i64', OUTPUT + 3, input('i64', 1)),
    output('i32', OUTPUT + 6, input('i32', 2)),
    i32.store8(0, OUTPUT + 8, input('i32', 3)),
    output('i64', OUTPUT + 40, i64.load(0, OUTPUT + 1)),
    output('i32', OUTPUT + 50, i32.load_unaligned(0, OUTPUT + 7)),
  ]),
  program('words taken apart', () => {
    const [x, y, mixed, result] = [OUTPUT, OUTPUT + 4, OUTPUT + 8, OUTPUT + 64];
    const copied = (to: number, from: number): Statement => control.copy(to, from, 1);
    const loaded = (i: number): Statement => output('i32', result + 4 * i, i32.load_unaligned(0, mixed + 4 * i));
    return [
      output('i32', x, input('i32', 0)),
      output('i32', y, input('i32', 1)),
      ...[0, 4, 8].map((at) => control.copy(mixed + at, x, 4)),
      // Byte 2 of the word for byte 0; another's byte 0; always byte 0; and a byte of the same word at another place.
      copied(mixed, x + 2),
      copied(mixed + 4, y),
      copied(mixed + 10, x),
      copied(mixed + 9, x + 3),
      ...[12, 13, 14, 15].map((at) => copied(mixed + at, x)),
      ...[0, 1, 2, 3].map(loaded),
    ];
  }),
  program('memory.fill', () => [control.fill(OUTPUT, input('i32', 0), 21), control.fill(OUTPUT + 30, 0x1ff, 0)]),
  program('memory.copy', () => [control.copy(OUTPUT, INPUT, 33)]),
  program('memory.copy upwards', () => [control.copy(INPUT + 5, INPUT, 33)]),
  program('memory.copy downwards', () => [control.copy(INPUT, INPUT + 5, 33)]),
];

const wordLanes = {
  i32x4_add: v128.i32x4_add,
  i32x4_sub: v128.i32x4_sub,
  i32x4_mul: v128.i32x4_mul,
  i32x4_lt_u: v128.i32x4_lt_u,
};
const wholes = { and: v128.and, andnot: v128.andnot, or: v128.or, xor: v128.xor };
const longLanes = { i64x2_add: v128.i64x2_add, i64x2_sub: v128.i64x2_sub };
const products = { extmul_low: v128.i64x2_extmul_low_i32x4_u, extmul_high: v128.i64x2_extmul_high_i32x4_u };
const laneShifts = {
  i32x4_shl: v128.i32x4_shl,
  i32x4_shr_u: v128.i32x4_shr_u,
  i64x2_shl: v128.i64x2_shl,
  i64x2_shr_u: v128.i64x2_shr_u,
};
const COUNTS = [0, 1, 7, 8, 16, 24, 31, 32, 33, 40, 63, 64, -1];

/** Byte numbers as shuffles have them: whole lanes, lanes turned, and bytes at random. */
export const SHUFFLES = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [16, 17, 18, 19, 0, 1, 2, 3, 20, 21, 22, 23, 4, 5, 6, 7],
  [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13],
  [3, 0, 1, 2, 23, 20, 21, 22, 9, 10, 11, 8, 31, 28, 29, 30],
  [0, 17, 2, 19, 4, 21, 6, 23, 8, 25, 10, 27, 12, 29, 14, 31],
  [5, 5, 5, 5, 0, 2, 1, 3, 30, 31, 0, 1, 15, 16, 17, 18],
];

function vectorPrograms(): Program[] {
  const [x, y] = [input('v128', 0), input('v128', 1)];
  const constants = [v128.i32x4(0, 1, 2, 3), v128.i32x4(-1, 1, 0, -1), v128.i32x4(0xff00ff, 255, -256, 2 ** 31)];
  return [
    ...entries({ ...wordLanes, ...wholes, ...longLanes, ...products }).map(([name, make]) =>
      results(name, 'v128', [make(x, y), make(x, x), ...constants.flatMap((c) => [make(x, c), make(c, y)])]),
    ),
    ...entries(laneShifts).map(([name, make]) =>
      results(name, 'v128', [make(x, input('i32', 1)), ...COUNTS.map((count) => make(x, count))]),
    ),
    results(
      'i8x16.shuffle',
      'v128',
      SHUFFLES.map((lanes) => x + y + '\xfd\x0d' + String.fromCharCode(...lanes)),
    ),
    results('i8x16.swizzle', 'v128', [
      ...SHUFFLES.map((lanes) => v128.i8x16_swizzle(x, v128.i8x16(...lanes))),
      ...SHUFFLES.map((lanes) => v128.i8x16_swizzle(x, v128.i8x16(...lanes.map((n) => (n * 9) & 255)))),
    ]),
    results(
      'i8x16.relaxed_swizzle',
      'v128',
      SHUFFLES.map((lanes) => v128.i8x16_relaxed_swizzle(x, v128.i8x16(...lanes.map((n) => n & 15)))),
    ),
    unary('i32x4.splat', 'v128', v128.i32x4_splat(input('i32', 0))),
    unary('i64x2.splat', 'v128', v128.i64x2_splat(input('i64', 0))),
    results(
      'i32x4.extract_lane',
      'i32',
      [0, 1, 2, 3].map((lane) => v128.i32x4_extract_lane(x, lane)),
    ),
    results(
      'i64x2.extract_lane',
      'i64',
      [0, 1].map((lane) => v128.i64x2_extract_lane(x, lane)),
    ),
    // Numbers among them that are not a number keep their bits, too.
    results(
      'f64x2.extract_lane, f64x2.replace_lane',
      'v128',
      [0, 1].flatMap((lane) =>
        [0, 1].flatMap((from) =>
          [y, ...constants].map((z) => v128.f64x2_replace_lane(x, lane, v128.f64x2_extract_lane(z, from))),
        ),
      ),
    ),
  ];
}

/** Conditions are constants here; agreement.long.test.ts has programs that branch on their input. */
const controlPrograms = (): Program[] => [
  ...[0, 1, -1].map((condition) =>
    program(`if ${condition}`, () => [
      control.when(condition, output('i32', OUTPUT, i32.value(7)), output('i32', OUTPUT, input('i32', 0))),
      control.when(condition, output('i32', OUTPUT + 4, input('i32', 1))),
    ]),
  ),
  program('loop', (frame) => {
    const [n, sum] = frame.locals('i32', 2);
    return [
      control.set(n, i32.value(5)),
      control.loop(control.set(sum, i32.add(i32.mul(sum, 3), input('i32', 0))), control.tee(n, i32.sub(n, 1))),
      output('i32', OUTPUT, sum),
    ];
  }),
  program('block', () => [
    control.block(
      control.sequence(
        control.block(control.sequence(control.breakIf(1, 1), output('i32', OUTPUT, input('i32', 0)))),
        output('i32', OUTPUT + 4, input('i32', 0)),
      ),
    ),
    control.block(control.sequence(control.breakIf(0), output('i32', OUTPUT + 8, input('i32', 0)))),
    output('i32', OUTPUT + 12, input('i32', 1)),
  ]),
  program('what a block leaves on the stack', () => {
    // 7; 9; br_if 0 (1); drop; drop. The values on the stack before the block are there after it, and nothing else.
    const leaving = raw('\x02\x40', i32.value(7), i32.value(9), i32.value(1), '\x0d\x00', '\x1a\x1a', '\x0b');
    const store = '\x36\x00\x00';
    return [raw(i32.value(OUTPUT), leaving, input('i32', 0), store) as string as Statement];
  }),
  program('br', () => [
    raw('\x02\x40', '\x0c\x00', output('i32', OUTPUT, i32.value(1)), '\x0b') as string as Statement,
    output('i32', OUTPUT + 4, input('i32', 0)),
  ]),
  program('return', () => [
    control.when(1, raw('\x0f') as string as Statement),
    output('i32', OUTPUT, input('i32', 0)),
  ]),
  ...[0, 1].map((condition) =>
    program(`select ${condition}`, () => [
      output('i32', OUTPUT, raw(input('i32', 0), input('i32', 1), i32.value(condition), '\x1b')),
    ]),
  ),
  ...entries({ div_s: '\x6d', div_u: '\x6e', rem_s: '\x6f', rem_u: '\x70' }).map(([name, opcode]) => {
    const pairs = WORDS.flatMap((x) => WORDS.map((y) => [x, y] as const));
    // Not those that trap, and not all of the others.
    const defined = pairs.filter(([x, y], i) => i % 7 === 0 && y !== 0 && !(x === -(2 ** 31) && y === -1));
    return results(
      `i32.${name}`,
      'i32',
      defined.map(([x, y]) => raw(i32.value(x), i32.value(y), opcode)),
    );
  }),
  callProgram(),
];

/** Parameters and results of all types, and functions that call functions. */
function callProgram(): Program {
  const module = new Module(1);
  const mixed = module.define(undefined, ['i32', 'i64', 'v128'], 'i64', (frame, a, b, c) => {
    const local = frame.local('i64');
    return [
      control.set(local, i64.add(b, i64.extend_i32_u(a))),
      control.when(i32.value(1), control.giveBack(i64.xor(local, v128.i64x2_extract_lane(c, 1)))),
      i64.value(3n),
    ];
  });
  const vector = module.define(undefined, ['v128'], 'v128', (_, x) => [v128.i32x4_add(x, x)]);
  // return, with more on the stack than the result
  const returning = module.define(undefined, ['i32'], 'i32', (_, x) => [raw(i32.value(5), x, '\x0f')]);
  module.define('run', [], undefined, () => [
    i32.store_unaligned(OUTPUT + 16, 0, returning(input('i32', 0))),
    output('i64', OUTPUT, mixed(input('i32', 0), input('i64', 1), vector(input('v128', 2)))),
    output('i32', OUTPUT + 8, i32.value(-5)),
  ]);
  return { name: 'call', bytes: module.bytes() };
}

export const opcodePrograms = (): Program[] => [
  ...scalarPrograms(),
  ...memoryPrograms(),
  ...vectorPrograms(),
  ...controlPrograms(),
];
