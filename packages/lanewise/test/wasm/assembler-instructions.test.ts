/** Every instruction that the assembler exports, disassembled by wabt: a table with a row for each. */
// Needs WebAssembly: reads the assembler's output with tools that are WebAssembly.
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as control from '../../src/wasm/control.ts';
import * as f64 from '../../src/wasm/f64.ts';
import * as i32 from '../../src/wasm/i32.ts';
import * as i64 from '../../src/wasm/i64.ts';
import { Module } from '../../src/wasm/module.ts';
import type { Expression, Local, Statement, ValueType } from '../../src/wasm/types.ts';
import * as v128 from '../../src/wasm/v128.ts';
import { bodyOf, disassembled } from '../support/wasm.ts';

/** The parameters that operands are taken from, by one letter each: two of a type show their order. */
const PARAMETERS = { a: 'i32', b: 'i32', c: 'i64', d: 'i64', e: 'f64', f: 'f64', x: 'v128', y: 'v128' } as const;
type Letter = keyof typeof PARAMETERS;
const letters = Object.keys(PARAMETERS) as Letter[];
const literals: Partial<Record<Letter, readonly [literal: number | bigint, text: string]>> = {
  a: [305419896, 'i32.const 305419896'],
  b: [-100, 'i32.const -100'],
  c: [-(2n ** 63n), 'i64.const -9223372036854775808'],
  d: [64n, 'i64.const 64'],
  e: [1.5, 'f64.const 0x1.8p+0 (;=1.5;)'],
  f: [-0.25, 'f64.const -0x1p-2 (;=-0.25;)'],
};

/** wabt's disassembly of a function that takes all parameters and whose code leaves a value of type `result`. */
function bodyWith(result: ValueType | undefined, code: (parameters: Record<Letter, string>) => string): string[] {
  const module = new Module(1);
  const types = Object.values(PARAMETERS);
  const body = (_: unknown, ...locals: string[]): string =>
    code(Object.fromEntries(letters.map((letter, i) => [letter, locals[i]])) as Record<Letter, string>);
  if (result === undefined) module.define('f', types, undefined, (...all) => [body(...all) as Statement]);
  else module.define('f', types, result, (...all) => [body(...all) as Expression<ValueType>]);
  return bodyOf(disassembled(module.bytes(), { relaxed_simd: true }));
}

const readerOf = (letter: string): string => `local.get ${letters.indexOf(letter as Letter)}`;

/** Operands by their letters, the type of the result if there is one, and the line that wabt must print. */
type Plain = readonly [operands: string, result: ValueType | undefined, line: string];

/** Natural alignment has no `align=` in the text. */
const plain: Record<string, Record<string, Plain>> = {
  i32: {
    eqz: ['a', 'i32', 'i32.eqz'],
    eq: ['ab', 'i32', 'i32.eq'],
    ne: ['ab', 'i32', 'i32.ne'],
    lt_u: ['ab', 'i32', 'i32.lt_u'],
    gt_u: ['ab', 'i32', 'i32.gt_u'],
    le_u: ['ab', 'i32', 'i32.le_u'],
    ge_u: ['ab', 'i32', 'i32.ge_u'],
    add: ['ab', 'i32', 'i32.add'],
    sub: ['ab', 'i32', 'i32.sub'],
    mul: ['ab', 'i32', 'i32.mul'],
    and: ['ab', 'i32', 'i32.and'],
    or: ['ab', 'i32', 'i32.or'],
    xor: ['ab', 'i32', 'i32.xor'],
    shl: ['ab', 'i32', 'i32.shl'],
    shr_s: ['ab', 'i32', 'i32.shr_s'],
    shr_u: ['ab', 'i32', 'i32.shr_u'],
    rotl: ['ab', 'i32', 'i32.rotl'],
    rotr: ['ab', 'i32', 'i32.rotr'],
    load: ['a@', 'i32', 'i32.load@'],
    load8_u: ['a@', 'i32', 'i32.load8_u@'],
    load_unaligned: ['a@', 'i32', 'i32.load@ align=1'],
    store: ['a@b', undefined, 'i32.store@'],
    store8: ['a@b', undefined, 'i32.store8@'],
    store_unaligned: ['a@b', undefined, 'i32.store@ align=1'],
  },
  i64: {
    eqz: ['c', 'i32', 'i64.eqz'],
    eq: ['cd', 'i32', 'i64.eq'],
    ne: ['cd', 'i32', 'i64.ne'],
    lt_u: ['cd', 'i32', 'i64.lt_u'],
    add: ['cd', 'i64', 'i64.add'],
    sub: ['cd', 'i64', 'i64.sub'],
    mul: ['cd', 'i64', 'i64.mul'],
    and: ['cd', 'i64', 'i64.and'],
    or: ['cd', 'i64', 'i64.or'],
    xor: ['cd', 'i64', 'i64.xor'],
    shl: ['cd', 'i64', 'i64.shl'],
    shr_u: ['cd', 'i64', 'i64.shr_u'],
    rotl: ['cd', 'i64', 'i64.rotl'],
    rotr: ['cd', 'i64', 'i64.rotr'],
    extend_i32_u: ['a', 'i64', 'i64.extend_i32_u'],
    wrap_i64: ['c', 'i32', 'i32.wrap_i64'],
    load: ['a@', 'i64', 'i64.load@'],
    load32_u: ['a@', 'i64', 'i64.load32_u@'],
    store: ['a@c', undefined, 'i64.store@'],
    store32: ['a@c', undefined, 'i64.store32@'],
    store32_unaligned: ['a@c', undefined, 'i64.store32@ align=1'],
  },
  f64: {
    floor: ['e', 'f64', 'f64.floor'],
    add: ['ef', 'f64', 'f64.add'],
    sub: ['ef', 'f64', 'f64.sub'],
    mul: ['ef', 'f64', 'f64.mul'],
    convert_i32_s: ['a', 'f64', 'f64.convert_i32_s'],
    convert_i32_u: ['a', 'f64', 'f64.convert_i32_u'],
    trunc_i32_s: ['e', 'i32', 'i32.trunc_f64_s'],
    load: ['a@', 'f64', 'f64.load@'],
    store: ['a@e', undefined, 'f64.store@'],
  },
  v128: {
    load: ['a@', 'v128', 'v128.load@'],
    load32_splat: ['a@', 'v128', 'v128.load32_splat@'],
    load64_splat: ['a@', 'v128', 'v128.load64_splat@'],
    store: ['a@x', undefined, 'v128.store@'],
    and: ['xy', 'v128', 'v128.and'],
    andnot: ['xy', 'v128', 'v128.andnot'],
    or: ['xy', 'v128', 'v128.or'],
    xor: ['xy', 'v128', 'v128.xor'],
    i8x16_swizzle: ['xy', 'v128', 'i8x16.swizzle'],
    i8x16_relaxed_swizzle: ['xy', 'v128', 'i8x16.relaxed_swizzle'],
    i32x4_splat: ['a', 'v128', 'i32x4.splat'],
    i32x4_lt_u: ['xy', 'v128', 'i32x4.lt_u'],
    i32x4_shl: ['xa', 'v128', 'i32x4.shl'],
    i32x4_shr_u: ['xa', 'v128', 'i32x4.shr_u'],
    i32x4_add: ['xy', 'v128', 'i32x4.add'],
    i32x4_sub: ['xy', 'v128', 'i32x4.sub'],
    i32x4_mul: ['xy', 'v128', 'i32x4.mul'],
    i64x2_splat: ['c', 'v128', 'i64x2.splat'],
    i64x2_shl: ['xa', 'v128', 'i64x2.shl'],
    i64x2_shr_u: ['xa', 'v128', 'i64x2.shr_u'],
    i64x2_add: ['xy', 'v128', 'i64x2.add'],
    i64x2_sub: ['xy', 'v128', 'i64x2.sub'],
    i64x2_extmul_low_i32x4_u: ['xy', 'v128', 'i64x2.extmul_low_i32x4_u'],
    i64x2_extmul_high_i32x4_u: ['xy', 'v128', 'i64x2.extmul_high_i32x4_u'],
  },
};

/** Code over the parameters, the type of its result, and wabt's lines, with letters for reads of parameters. */
type Special = readonly [
  code: (p: { a: Local<'i32'>; b: Local<'i32'>; c: Local<'i64'>; x: Local<'v128'>; y: Local<'v128'> }) => string,
  result: ValueType | undefined,
  lines: readonly string[],
];

const { block, breakIf, copy, fill, giveBack, loop, sequence, set, tee, when } = control;

const special: Record<string, Record<string, readonly Special[]>> = {
  i32: {
    value: [
      [() => i32.value(0), 'i32', ['i32.const 0']],
      [() => i32.value(-1), 'i32', ['i32.const -1']],
      [() => i32.value(0xffffffff), 'i32', ['i32.const -1']],
      [({ a }) => i32.value(a), 'i32', ['a']],
    ],
  },
  i64: {
    value: [
      [() => i64.value(-1n), 'i64', ['i64.const -1']],
      [() => i64.value(2n ** 64n - 1n), 'i64', ['i64.const -1']],
      [({ c }) => i64.value(c), 'i64', ['c']],
    ],
  },
  f64: {
    value: [
      [() => f64.value(-0), 'f64', ['f64.const -0x0p+0 (;=-0;)']],
      [() => f64.value(2 ** 64), 'f64', ['f64.const 0x1p+64 (;=1.84467e+19;)']],
      [() => f64.value(5 * 2 ** -130), 'f64', ['f64.const 0x1.4p-128 (;=3.67342e-39;)']],
    ],
  },
  v128: {
    i8x16: [
      [
        () => v128.i8x16(...Array.from({ length: 16 }, (_, i) => (i === 15 ? 0xff : i))),
        'v128',
        ['v128.const i32x4 0x03020100 0x07060504 0x0b0a0908 0xff0e0d0c'],
      ],
    ],
    i32x4: [
      [
        () => v128.i32x4(1, -2, 0x80000000, 0x12345678),
        'v128',
        ['v128.const i32x4 0x00000001 0xfffffffe 0x80000000 0x12345678'],
      ],
    ],
    load_marked: [
      [({ a }) => v128.load_marked(a), 'v128', ['a', 'v128.load align=8']],
      [({ a }) => v128.load_marked(a, 40), 'v128', ['a', 'v128.load offset=40 align=8']],
    ],
    load_marked_apart: [
      [({ a }) => v128.load_marked_apart(a), 'v128', ['a', 'v128.load align=4']],
      [({ a }) => v128.load_marked_apart(a, 40), 'v128', ['a', 'v128.load offset=40 align=4']],
    ],
    shuffle32: [
      [
        ({ x, y }) => v128.shuffle32(x, y, 0, 5, 7, 2),
        'v128',
        ['x', 'y', 'i8x16.shuffle 0 1 2 3 20 21 22 23 28 29 30 31 8 9 10 11'],
      ],
    ],
    i32x4_extract_lane: [0, 1, 2, 3].map((lane): Special => [
      ({ x }) => v128.i32x4_extract_lane(x, lane),
      'i32',
      ['x', `i32x4.extract_lane ${lane}`],
    ]),
    i64x2_extract_lane: [0, 1].map((lane): Special => [
      ({ x }) => v128.i64x2_extract_lane(x, lane),
      'i64',
      ['x', `i64x2.extract_lane ${lane}`],
    ]),
    f64x2_extract_lane: [0, 1].map((lane): Special => [
      ({ x }) => v128.f64x2_extract_lane(x, lane),
      'f64',
      ['x', `f64x2.extract_lane ${lane}`],
    ]),
    f64x2_replace_lane: [0, 1].map((lane): Special => [
      ({ x, y }) => v128.f64x2_replace_lane(x, lane, v128.f64x2_extract_lane(y, 0)),
      'v128',
      ['x', 'y', 'f64x2.extract_lane 0', `f64x2.replace_lane ${lane}`],
    ]),
  },
  control: {
    sequence: [
      [() => sequence(), undefined, []],
      [({ a, b }) => sequence(set(a, b), set(b, a)), undefined, ['b', 'local.set 0', 'a', 'local.set 1']],
    ],
    set: [[({ x, y }) => set(x, y), undefined, ['y', 'local.set 6']]],
    tee: [[({ a, b }) => tee(a, b), 'i32', ['b', 'local.tee 0']]],
    loop: [
      [
        ({ a, b }) => loop(set(a, b), a),
        undefined,
        ['loop  ;; label = @1', 'b', 'local.set 0', 'a', 'br_if 0 (;@1;)', 'end'],
      ],
      [() => loop(sequence(), 0), undefined, ['loop  ;; label = @1', 'i32.const 0', 'br_if 0 (;@1;)', 'end']],
    ],
    when: [
      [({ a, b }) => when(a, set(a, b)), undefined, ['a', 'if  ;; label = @1', 'b', 'local.set 0', 'end']],
      [
        ({ a, b }) => when(1, set(a, b), set(b, a)),
        undefined,
        ['i32.const 1', 'if  ;; label = @1', 'b', 'local.set 0', 'else', 'a', 'local.set 1', 'end'],
      ],
      [() => when(1, sequence(), sequence()), undefined, ['i32.const 1', 'if  ;; label = @1', 'end']],
    ],
    block: [[({ a, b }) => block(set(a, b)), undefined, ['block  ;; label = @1', 'b', 'local.set 0', 'end']]],
    breakIf: [
      [({ a }) => block(breakIf(a)), undefined, ['block  ;; label = @1', 'a', 'br_if 0 (;@1;)', 'end']],
      [
        ({ a, b }) => block(loop(breakIf(a, 1), b)),
        undefined,
        ['block  ;; label = @1', 'loop  ;; label = @2', 'a', 'br_if 1 (;@1;)', 'b', 'br_if 0 (;@2;)', 'end', 'end'],
      ],
    ],
    giveBack: [[({ a, b }) => when(a, giveBack(b)) + a, 'i32', ['a', 'if  ;; label = @1', 'b', 'return', 'end', 'a']]],
    fill: [
      [({ a, b }) => fill(a, b, 3), undefined, ['a', 'b', 'i32.const 3', 'memory.fill']],
      [() => fill(1, 2, 3), undefined, ['i32.const 1', 'i32.const 2', 'i32.const 3', 'memory.fill']],
    ],
    copy: [
      [({ a, b }) => copy(a, b, 3), undefined, ['a', 'b', 'i32.const 3', 'memory.copy']],
      [() => copy(1, 2, 3), undefined, ['i32.const 1', 'i32.const 2', 'i32.const 3', 'memory.copy']],
    ],
  },
};

const exported = { i32, i64, f64, v128, control } as Record<string, Record<string, unknown>>;
/** Files of the assembler that hold no instructions, or put those of others together. */
const OTHERS = ['left-shift.ts', 'module.ts', 'permutations.ts', 'shapes.ts', 'types.ts'];

const expectedLine = (line: string): string => (letters.includes(line as Letter) ? readerOf(line) : line);

it('has a table for every file of instructions', () => {
  const files = readdirSync(new URL('../../src/wasm/', import.meta.url)).filter((name) => !OTHERS.includes(name));
  expect(files.sort()).toEqual(
    Object.keys(exported)
      .map((name) => `${name}.ts`)
      .sort(),
  );
});

describe.each(Object.keys(exported))('%s', (name) => {
  const functions = exported[name] as Record<string, (...operands: unknown[]) => string>;

  it('has a row for every export', () => {
    expect([...Object.keys(plain[name] ?? {}), ...Object.keys(special[name])].sort()).toEqual(
      Object.keys(functions).sort(),
    );
  });

  describe.each(Object.entries(plain[name] ?? {}))('%s', (key, [operands, result, line]) => {
    const kinds = ['variables', 'literals'].filter(
      (kind) => kind === 'variables' || operands.split('').some((letter) => literals[letter as Letter]),
    );
    const offsets = operands.includes('@') ? [0, 1, 127, 128, 16383, 16384, 65535] : [undefined];

    it.each(kinds)('with %s', (kind) => {
      for (const offset of offsets) {
        const taken = operands.split('').map((letter) => ({
          letter,
          literal: kind === 'literals' ? literals[letter as Letter] : undefined,
        }));
        const lines = bodyWith(result, (parameters) =>
          functions[key](
            ...taken.map(({ letter, literal }) =>
              letter === '@' ? offset : literal ? literal[0] : parameters[letter as Letter],
            ),
          ),
        );
        expect(lines).toEqual([
          ...taken.filter(({ letter }) => letter !== '@').map((o) => o.literal?.[1] ?? readerOf(o.letter)),
          line.replace('@', offset ? ` offset=${offset}` : ''),
        ]);
      }
    });

    if (operands === 'a@')
      it('has offset 0 unless given', () => {
        expect(bodyWith(result, ({ a }) => functions[key](a))).toEqual([readerOf('a'), line.replace('@', '')]);
      });
  });

  it.each(Object.entries(special[name]))('%s', (_, rows) => {
    for (const [code, result, lines] of rows)
      expect(bodyWith(result, code as unknown as (p: Record<Letter, string>) => string)).toEqual(
        lines.map(expectedLine),
      );
  });
});
