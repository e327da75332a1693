import { describe, expect, it } from 'vitest';
import {
  block,
  breakIf,
  copy,
  fill,
  giveBack,
  loop,
  sequence,
  set,
  tee,
  when,
} from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import * as i64 from '../../lanewise/src/wasm/i64.ts';
import { Module } from '../../lanewise/src/wasm/module.ts';
import type { Expression, Local, Statement } from '../../lanewise/src/wasm/types.ts';
import * as v128 from '../../lanewise/src/wasm/v128.ts';
import { describeViolation, typeModule } from '../src/constant-time/typing.ts';
import { kernelOf, kernels } from '../src/kernels.ts';
import { atStart } from '../src/mutations/plant.ts';
import { plantedLeaks } from '../src/mutations/leaks.ts';
import { proofsOf } from '../src/rooms.ts';
import { decode } from '../src/wasm/decode.ts';

describe.each(kernels)('$name', (kernel) => {
  const module = decode(kernel.bytes);

  it('lets no secret decide about time, on any path, at any length', () => {
    const { violations, verdicts, secretResults } = typeModule(module, proofsOf(kernel.family).secretAddresses);
    expect(violations.map(describeViolation)).toEqual([]);
    expect([...verdicts].sort()).toEqual([...proofsOf(kernel.family).verdicts].sort());
    expect(secretResults).toEqual([]);
  });

  it('is passed nothing secret: these are the parameters of all its exports', () => {
    const counts = module.functions.flatMap(({ name, type }) =>
      name ? [[name, type.parameters.length] as const] : [],
    );
    const expected = Object.entries(proofsOf(kernel.family).numbers.parameters).map(
      ([name, parameters]) => [name, parameters ? parameters.split(' ').length : 0] as const,
    );
    expect(new Map(counts)).toEqual(new Map(expected));
  });

  it.each(plantedLeaks(kernel))('shows a planted $kind', ({ kind, op, at, kernel: { bytes } }) => {
    expect(WebAssembly.validate(bytes)).toBe(true);
    const { violations } = typeModule(decode(bytes));
    expect(violations).toContainEqual(expect.objectContaining({ kind, op, at }));
  });
});

describe('the address of V[j] in scrypt, the only one that may depend on a secret', () => {
  const kernel = kernelOf('scrypt scalar');
  const { secretAddresses } = proofsOf('scrypt');
  const [from, row] = ['\x20\x00', '\x20\x01'] as Local<'i32'>[];

  /** The violations of the kernel with this code at the start of `mix`. */
  const found = (code: Statement): string[] => {
    const { bytes } = atStart('mix', code)(kernel);
    expect(WebAssembly.validate(bytes)).toBe(true);
    const { violations } = typeModule(decode(bytes), secretAddresses);
    return [...new Set(violations.map(({ kind, op }) => `${kind} ${op}`))];
  };

  it('is a parameter of mix; and no other module but that of Argon2 has one', () => {
    expect(secretAddresses).toEqual({ mix: [1] });
    const names = kernels.map(({ family }) => family).filter((family) => proofsOf(family).secretAddresses);
    expect(new Set(names)).toEqual(new Set(['argon2', 'scrypt']));
  });

  it.each([
    ['a branch', ['branch if'], when(i32.and(row, 64), sequence())],
    ['a loop', ['branch br_if'], block(breakIf(i32.lt_u(row, 4096)))],
    ['the address of a store', ['address i32.store'], i32.store(row, 0, 0)],
    ['the address of a fill', ['address memory.fill'], fill(row, 0, 4)],
    ['the source of a copy', ['address memory.copy'], copy(from, row, 4)],
    ['a length', ['length memory.fill'], fill(from, 0, i32.and(row, 4))],
    ['the count of a shift', ['shift count i32.shl'], i32.store(from, 0, i32.shl(from, row))],
    ['the address of a load', [], i32.store(from, 0, i32.load(i32.add(row, 64)))],
  ])('as %s: %j', (_, expected, code) => {
    expect(found(code)).toEqual(expected);
  });

  it('is the only one: the same load from an address that is computed from X is reported', () => {
    const leak = i32.load(i32.and(i32.load(from), 1020));
    expect(found(i32.store(from, 0, leak))).toEqual(['address i32.load']);
  });
});

const secret = i32.load(0, 100);
type Body = (x: Local<'i32'>, y: Local<'i32'>) => readonly Statement[];

/** The violations of a function with a parameter x and a variable y. */
function violationsOf(body: Body): string[] {
  const module = new Module(1);
  module.define('f', ['i32'], undefined, (frame, x) => body(x, frame.local('i32')));
  expect(WebAssembly.validate(module.bytes())).toBe(true);
  return typeModule(decode(module.bytes())).violations.map(({ kind, op }) => `${kind} ${op}`);
}

describe('secrets reach', () => {
  const vector = v128.load(0, 0);
  const reached: readonly (readonly [string, Body])[] = [
    ['branch if', () => [when(secret, sequence())]],
    ['branch if', () => [when(i32.load8_u(0), sequence())]],
    ['branch if', () => [when(i64.wrap_i64(i64.load32_u(0)), sequence())]],
    ['branch if', () => [when(i64.eqz(i64.load(0)), sequence())]],
    ['branch if', () => [when(v128.i32x4_extract_lane(vector, 0), sequence())]],
    ['branch if', () => [when(v128.i32x4_extract_lane(v128.load32_splat(0), 0), sequence())]],
    ['branch br_if', () => [block(breakIf(secret))]],
    ['branch br_if', () => [loop(sequence(), secret)]],
    ['address i32.load', (x) => [set(x, i32.load(secret))]],
    ['address i32.store', () => [i32.store(secret, 0, 1)]],
    ['address v128.load', () => [v128.store(0, 0, v128.load(secret))]],
    ['address v128.store', () => [v128.store(secret, 0, vector)]],
    ['address i64.store32', () => [i64.store32(secret, 0, 1n)]],
    ['address memory.fill', () => [fill(secret, 0, 1)]],
    ['length memory.fill', () => [fill(0, 0, secret)]],
    ['address memory.copy', () => [copy(secret, 0, 1)]],
    ['address memory.copy', () => [copy(0, secret, 1)]],
    ['length memory.copy', () => [copy(0, 0, secret)]],
    ['shift count i32.shl', (x) => [set(x, i32.shl(x, secret))]],
    ['shift count i32.rotl', (x) => [set(x, i32.rotl(x, secret))]],
    ['shift count i64.shr_u', () => [i64.store(0, 0, i64.shr_u(1n, i64.load(0)))]],
    ['shift count i32x4.shl', () => [v128.store(0, 0, v128.i32x4_shl(vector, secret))]],
    ['select select', (x) => [set(x, (x + x + secret + '\x1b') as Expression<'i32'>)]],
    ['division i32.div_u', (x) => [set(x, (x + secret + '\x6e') as Expression<'i32'>)]],
    ['division i32.rem_s', (x) => [set(x, (secret + x + '\x6f') as Expression<'i32'>)]],
    ['length memory.grow', (x) => [set(x, (secret + '\x40\x00') as Expression<'i32'>)]],
    // Leaks through a variable, either branch, a later iteration of a loop, a call, or a result.
    ['branch if', (_, y) => [set(y, secret), when(i32.xor(y, 1), sequence())]],
    ['branch if', (x, y) => [set(x, tee(y, secret)), when(y, sequence())]],
    ['branch if', (x, y) => [when(x, set(y, secret)), when(y, sequence())]],
    ['branch if', (x, y) => [when(x, set(y, i32.value(0)), set(y, secret)), when(y, sequence())]],
    ['branch if', (x, y) => [block(sequence(set(y, secret), breakIf(x), set(y, i32.value(0)))), when(y, sequence())]],
    ['branch if', (x, y) => [loop(sequence(when(y, sequence()), set(y, secret)), x)]],
    ['branch if', (x, y) => [loop(sequence(loop(when(y, sequence()), x), set(y, secret)), x)]],
    ['branch if', (x, y) => [loop(sequence(when(y, sequence()), set(y, x), set(x, secret)), 1)]],
  ];
  it.each(reached)('%s', (violation, body) => {
    expect(violationsOf(body)).toEqual([violation]);
  });

  it.each([
    ['a variable that was overwritten', (_, y) => [set(y, secret), set(y, i32.value(1)), when(y, sequence())]],
    ['a value that is stored or filled', () => [i32.store(0, 0, secret), fill(0, secret, 1)]],
    ['a value that is shifted', (_, y) => [set(y, i32.shl(secret, 3))]],
    [
      'a path that always returns',
      (x, y) => [when(x, sequence(set(y, secret), '\x0f' as Statement)), when(y, sequence())],
    ],
  ] satisfies (readonly [string, Body])[])('not %s', (_, body) => {
    expect(violationsOf(body)).toEqual([]);
  });

  const [other, third] = [i32.load(0, 104), i32.load(0, 108)];
  const different = i32.xor(secret, other);
  it.each([
    ['the difference of words', () => [i32.eqz(different)], 'verdict'],
    ['all that words differ in', () => [i32.eqz(i32.or(different, i32.xor(third, other)))], 'verdict'],
    ['one by way of a variable', (_, y) => [set(y, i32.eqz(different)), y], 'verdict'],
    ['a number or a verdict', (x, y) => [when(x, set(y, i32.eqz(different))), y], 'verdict'],
    ['a parameter', (x) => [i32.eqz(x)], 'public'],
    ['a secret', () => [i32.eqz(secret)], 'secret'],
    ['a secret and a number', () => [i32.eqz(i32.xor(secret, 77))], 'secret'],
    ['a difference and a secret', () => [i32.eqz(i32.or(different, third))], 'secret'],
    ['a part of a difference', () => [i32.eqz(i32.and(different, 255))], 'secret'],
    ['a difference as it is', () => [different], 'secret'],
    ['a verdict and a secret', () => [i32.add(i32.eqz(different), i32.and(third, 1))], 'secret'],
    ['the opposite of a verdict', () => [i32.eqz(i32.eqz(different))], 'secret'],
    ['a verdict or a secret', (x, y) => [set(y, i32.eqz(different)), when(x, set(y, third)), y], 'secret'],
    ['words that are compared', () => [i32.eq(secret, other)], 'secret'],
  ] satisfies (readonly [string, (x: Local<'i32'>, y: Local<'i32'>) => readonly string[], string])[])(
    'a caller: %s',
    (_, body, what) => {
      const module = new Module(1);
      module.define('f', ['i32'], 'i32', (frame, x) => {
        return body(x, frame.local('i32')) as [Expression<'i32'>];
      });
      const { verdicts, secretResults } = typeModule(decode(module.bytes()));
      expect(verdicts).toEqual(what === 'verdict' ? ['f'] : []);
      expect(secretResults).toEqual(what === 'secret' ? ['f'] : []);
    },
  );

  it('callees by parameters, callers by results, and exports by results', () => {
    const module = new Module(1);
    const branches = module.define(undefined, ['i32'], 'i32', (_, x) => [when(x, giveBack(i32.value(1))), x]);
    const gives = module.define(undefined, [], 'i32', (_) => [secret]);
    module.define('public', ['i32'], 'i32', (_, x) => [branches(x)]);
    module.define('tells', [], 'i32', (_) => [gives()]);
    const before = typeModule(decode(module.bytes()));
    expect(before).toEqual({ violations: [], verdicts: [], secretResults: ['tells'] });
    module.define('passes', [], 'i32', (_) => [branches(gives())]);
    const after = typeModule(decode(module.bytes()));
    expect(after.violations).toEqual([expect.objectContaining({ kind: 'branch', op: 'if', function: 0 })]);
    // One function has one type: its result for every caller may now be secret.
    expect(after.secretResults).toEqual(['public', 'tells', 'passes']);
  });
});
