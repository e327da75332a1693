/** Code that TypeScript must refuse over the assembler: each `@ts-expect-error` fails if there is no error. Not run. */
import { block, breakIf, copy, fill, loop, sequence, set, tee, when } from '../../../src/wasm/control.ts';
import * as f64 from '../../../src/wasm/f64.ts';
import * as i32 from '../../../src/wasm/i32.ts';
import * as i64 from '../../../src/wasm/i64.ts';
import { Module } from '../../../src/wasm/module.ts';
import type { Expression, Local, Statement } from '../../../src/wasm/types.ts';
import * as v128 from '../../../src/wasm/v128.ts';

declare const word: Local<'i32'>;
declare const long: Local<'i64'>;
declare const double: Local<'f64'>;
declare const vector: Local<'v128'>;
declare const statement: Statement;
declare const text: string;

// Expressions that are right, under their types.
export const right = {
  i32: [i32.add(word, 1), i64.eqz(long), i64.wrap_i64(1n), f64.trunc_i32_s(double), tee(word, word)],
  i64: [i64.add(long, 1n), i64.load(word), i64.extend_i32_u(7)],
  f64: [f64.add(double, 0.5), f64.convert_i32_u(word)],
  v128: [v128.xor(vector, vector), v128.i32x4_shl(vector, 7), v128.load(0, 16)],
  statement: [i32.store(0, 0, word), set(long, i64.value(1n)), loop(statement, word), when(1, statement)],
} satisfies {
  i32: Expression<'i32'>[];
  i64: Expression<'i64'>[];
  f64: Expression<'f64'>[];
  v128: Expression<'v128'>[];
  statement: Statement[];
};

export const operands = [
  // @ts-expect-error i64 isn't an i32
  i32.add(long, 1),
  // @ts-expect-error nor in the second place
  i32.add(1, long),
  // @ts-expect-error a vector isn't an i32
  i32.xor(vector, word),
  // @ts-expect-error a double isn't an i32
  i32.eqz(double),
  // @ts-expect-error a bigint isn't a literal of i32
  i32.value(1n),
  // @ts-expect-error a number isn't a literal of i64
  i64.add(long, 1),
  // @ts-expect-error another type is wanted
  i64.value(1),
  // @ts-expect-error i64 shifts by i64
  i64.shl(long, word),
  // @ts-expect-error a comparison gives an i32
  i64.add(i64.eq(long, long), long),
  // @ts-expect-error another type is wanted
  f64.mul(double, word),
  // @ts-expect-error another type is wanted
  f64.value(1n),
  // @ts-expect-error another type is wanted
  v128.xor(vector, word),
  // @ts-expect-error vectors have no literals
  v128.and(vector, 0),
  // @ts-expect-error vectors shift by i32
  v128.i32x4_shl(vector, long),
  // @ts-expect-error another type is wanted
  v128.i64x2_splat(word),
  // @ts-expect-error another type is wanted
  v128.i32x4_splat(long),
  // @ts-expect-error three lanes are too few
  v128.i32x4(0, 1, 2),
  // @ts-expect-error another type is wanted
  v128.shuffle32(vector, vector, 0, 1, 2),
  // @ts-expect-error text that isn't code
  i32.add(text, word),
  // @ts-expect-error a statement leaves no value
  i32.add(statement, word),
  // @ts-expect-error one operand is too few
  i32.add(word),
  // @ts-expect-error three are too many
  i32.add(word, word, word),
];

export const memory = [
  // @ts-expect-error v128 into i32.store
  i32.store(word, 0, vector),
  // @ts-expect-error i64 into i32.store
  i32.store(word, 0, long),
  // @ts-expect-error i32 into i64.store
  i64.store(word, 0, word),
  // @ts-expect-error i32 into v128.store
  v128.store(word, 0, word),
  // @ts-expect-error addresses are i32
  i32.load(long),
  // @ts-expect-error another type is wanted
  v128.load(vector),
  // @ts-expect-error offsets are numbers
  i32.load(word, word),
  // @ts-expect-error the value is missing
  i32.store(word, 0),
  // @ts-expect-error an i64 is loaded, not an i32
  i32.add(i64.load(word), 1),
  // @ts-expect-error another type is wanted
  fill(long, 0, 1),
  // @ts-expect-error another type is wanted
  copy(word, vector, 1),
];

export const control = [
  // @ts-expect-error the variable has another type
  set(word, i64.value(1n)),
  // @ts-expect-error another type is wanted
  set(vector, word),
  // @ts-expect-error an expression that isn't a variable
  set(i32.add(word, 1), i32.value(1)),
  // @ts-expect-error a load isn't a variable either
  tee(i64.load(word), i64.value(1n)),
  // @ts-expect-error another type is wanted
  tee(long, word),
  // @ts-expect-error a value would stay on the stack
  sequence(statement, i32.value(1)),
  // @ts-expect-error another type is wanted
  loop(i32.value(1), word),
  // @ts-expect-error conditions are i32
  loop(statement, long),
  // @ts-expect-error another type is wanted
  when(long, statement),
  // @ts-expect-error another type is wanted
  when(word, i32.value(1)),
  // @ts-expect-error another type is wanted
  when(word, statement, i32.value(1)),
  // @ts-expect-error another type is wanted
  block(word),
  // @ts-expect-error another type is wanted
  breakIf(double),
];

const module = new Module(1);
const add = module.define('add', ['i32', 'i64'], 'i64', (_, a, b) => [i64.add(i64.extend_i32_u(a), b)]);
const keep = module.define('keep', ['i32', 'v128'], undefined, (_, at, x) => [v128.store(at, 0, x)]);
const half = module.define('half', ['f64'], 'f64', (_, x) => [f64.mul(x, 0.5)]);

export const calls: { long: Expression<'i64'>[]; nothing: Statement[] } = {
  long: [
    add(1, 2n),
    // @ts-expect-error one argument is missing
    add(1),
    // @ts-expect-error one is too many
    add(1, 2n, 3),
    // @ts-expect-error they are in the wrong order
    add(2n, 1),
    // @ts-expect-error another type is wanted
    add(word, word),
  ],
  nothing: [
    keep(0, vector),
    // @ts-expect-error another type is wanted
    keep(0, word),
    // @ts-expect-error a result isn't a statement
    add(1, 2n),
    // @ts-expect-error a number would be an i32
    half(1),
  ],
};
// @ts-expect-error a function without result has none
export const noResult: Expression<'i32'> = keep(0, vector);

// @ts-expect-error the body leaves another type
module.define('a', ['i64'], 'i32', (_, x) => [x]);
// @ts-expect-error also a variable of its own
module.define('b', ['i64'], 'i32', (frame, _x) => [frame.local('i64')]);
// @ts-expect-error the body leaves nothing
module.define('c', ['i32'], 'i32', (_, x) => [set(x, x)]);
// @ts-expect-error the body leaves something
module.define('d', ['i32'], undefined, (_, x) => [x]);
// @ts-expect-error no such type
module.define('e', ['i16'], undefined, () => []);
module.define('f', ['i32', 'v128'], 'v128', (frame, a, b) => {
  const own: Local<'v128'> = frame.local('v128');
  // @ts-expect-error parameters have their types
  const wrong: Local<'v128'> = a;
  return [set(own, wrong), v128.xor(own, b)];
});
