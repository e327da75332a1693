/** The flow of lengths and counts: code that selects by a length without a branch is found, however it is written. */
import { describe, expect, it } from 'vitest';
import * as blake3 from '../../lanewise/src/blake3/map.ts';
import * as disk from '../../lanewise/src/disk/map.ts';
import * as stream from '../../lanewise/src/keystream/map.ts';
import * as poly1305 from '../../lanewise/src/poly1305/map.ts';
import * as serpent from '../../lanewise/src/serpent/map.ts';
import { fill, loop, sequence, set, tee, when } from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import * as i64 from '../../lanewise/src/wasm/i64.ts';
import { Module, type Frame } from '../../lanewise/src/wasm/module.ts';
import type { Expression, Local, Statement } from '../../lanewise/src/wasm/types.ts';
import * as v128 from '../../lanewise/src/wasm/v128.ts';
import { texts } from '../src/javascript/texts.ts';
import { kernelOf, kernels } from '../src/kernels.ts';
import { functionOf, inserted, parameter, start } from '../src/mutations/plant.ts';
import { checkNumbers, describeUse } from '../src/public-numbers/check.ts';
import { nameOfUse, usesOf, type Flowing, type UseKind } from '../src/public-numbers/flow.ts';
import { proofsOf, rooms } from '../src/rooms.ts';
import { masked, numberFrom, shiftedDown, shiftedUp, type Spread } from '../src/public-numbers/value.ts';

const numbers = rooms.flatMap(({ modules }) => Object.values(modules).map((proofs) => proofs.numbers));
const permitted = numbers.flatMap((of) => of.permitted);
const thresholds = numbers.flatMap((of) => of.thresholds);

const modulesOfTexts: readonly Flowing[] = texts.map((text) => ({ ...text, bytes: text.moduleBytes() }));

describe('the kernels', () => {
  const all = [...kernels, ...modulesOfTexts];

  it.each(all)('$name does nothing that is in no list', (kernel) => {
    expect(checkNumbers(kernel).violations.map(describeUse)).toEqual([]);
  });

  it('need every entry of the lists', () => {
    const needed = new Set(all.flatMap((kernel) => [...checkNumbers(kernel).needed]));
    expect([...permitted, ...thresholds].filter((entry) => !needed.has(entry))).toEqual([]);
  });
});

type I32 = Expression<'i32'>;
type Make = (n: Local<'i32'>, frame: Frame) => readonly Statement[];

/** The uses in a function f of a number n that the caller passes. */
function usesIn(make: Make, longest = 10): string[] {
  const module = new Module(1);
  module.define('f', ['i32'], undefined, (frame, n) => make(n, frame));
  const bytes = module.bytes();
  expect(WebAssembly.validate(bytes)).toBe(true);
  const kernel = { name: 'made', family: 'chacha', bytes, map: [{ name: 'STATE', from: 100, to: 200 }] } as const;
  const periods = { 'parameter 0 of f': longest };
  return [...new Set(usesOf(kernel, {}, { periods, renamed: {} }).map(nameOfUse))];
}

describe('a number', () => {
  const secret = i32.load(0, 148);

  it.each<readonly [string, Make]>([
    ['is an address, with an offset', (n) => [i32.store(i32.add(n, 64), 4, 0)]],
    ['is shifted, masked and added to another', (n) => [set(n, i32.add(i32.shl(i32.shr_u(n, 4), 6), i32.and(n, 15)))]],
    ['is the difference of two', (n, frame) => [set(frame.local('i32'), i32.sub(n, i32.and(n, -16)))]],
    ['is a condition', (n) => [when(n, sequence())]],
    ['is a length', (n) => [fill(0, 0, n)]],
  ])('%s', (_, make) => {
    expect(usesIn(make)).toEqual([]);
  });

  it.each<readonly [string, Make]>([
    ['compare i32.eq 700', (n) => [when(i32.eq(n, 700), sequence())]],
    ['compare i32.eqz 0', (n) => [when(i32.eqz(n), sequence())]],
    ['subtract i32.sub 700', (n) => [when(i32.sub(n, 700), sequence())]],
    ['subtract i32.add 700', (n) => [when(i32.add(n, -700), sequence())]],
    ['subtract i32.sub from 700', (n) => [when(i32.sub(700, n), sequence())]],
    ['multiply i32.mul 3', (n) => [set(n, i32.mul(n, 3))]],
    ['multiply i32.mul', (n) => [set(n, i32.mul(n, n))]],
    ['operate i32.xor 1', (n) => [set(n, i32.xor(n, 1))]],
    ['operate i32.or', (n) => [set(n, i32.or(n, n))]],
    ['operate i32.and', (n) => [set(n, i32.and(n, i32.add(n, 1)))]],
    ['operate i32.shl 1', (n) => [set(n, i32.shl(1, n))]],
    ['operate i32.rotl 3', (n) => [set(n, i32.rotl(n, 3))]],
    ['mix i32.add STATE+48', (n) => [i32.store(0, 0, i32.add(secret, n))]],
    ['mix i32.shl STATE+48', (n) => [i32.store(0, 0, i32.shl(secret, n))]],
    ['mix i64.add STATE+20', (n) => [i64.store(0, 0, i64.add(i64.load(0, 120), i64.extend_i32_u(n)))]],
    ['store i32.store STATE+8', (n) => [i32.store(0, 108, n)]],
    ['store memory.fill', (n) => [fill(0, n, 1)]],
    ['store v128.store STATE+16', (n) => [v128.store(0, 116, v128.i32x4_splat(n))]],
    ['select i32.sub', (n) => [set(n, i32.sub(n, i32.lt_u(0, n)))]],
  ])('%s is taken down', (use, make) => {
    expect(usesIn(make)).toContain(use);
  });

  it('is followed into callees, through variables, loops and results', () => {
    const module = new Module(1);
    const inner = module.define(undefined, ['i32'], 'i32', (frame, x) => {
      const y = frame.local('i32');
      return [loop(set(y, i32.add(y, x)), tee(x, i32.sub(x, 1))), y];
    });
    module.define('f', ['i32'], 'i32', (_, n) => [inner(n)]);
    const kernel = { name: 'made', family: 'chacha', bytes: module.bytes(), map: [] } as const;
    const uses = usesOf(kernel, {}, { periods: {}, renamed: {} });
    expect(uses.map((use) => `${nameOfUse(use)} of ${use.of.join(' ')}`)).toEqual([
      'subtract i32.sub 1 of loop parameter 0 of f',
      'result return of loop parameter 0 of f',
    ]);
  });
});

describe('periods', () => {
  const N = numberFrom('n').number!;
  const only = (spreads: ReadonlyMap<string, Spread>): Spread => spreads.get('n')!;
  // f(n + 2^period) = f(n) + d for the multiple d of 2^step that is left; tried on numbers.
  it.each<readonly [string, Spread, (n: number) => number]>([
    ['n >>> 6', only(shiftedDown(N, 6)), (n) => n >>> 6],
    ['n & 15', only(masked(N, 15)), (n) => n & 15],
    ['n & -16', only(masked(N, -16)), (n) => n & -16],
    ['n & 0x2bc', only(masked(N, 0x2bc)), (n) => n & 0x2bc],
    ['(n >>> 6) & -8', only(masked(shiftedDown(N, 6), -8)), (n) => (n >>> 6) & -8],
    ['((n >>> 6) & -8) >>> 3', only(shiftedDown(masked(shiftedDown(N, 6), -8), 3)), (n) => ((n >>> 6) & -8) >>> 3],
    ['(n << 4) >>> 6', only(shiftedDown(shiftedUp(N, 4), 6)), (n) => (n << 4) >>> 6],
    ['n >>> 10 & 3', only(masked(shiftedDown(N, 10), 3)), (n) => (n >>> 10) & 3],
  ])('%s', (_, { period, step }, f) => {
    const differences = new Set(Array.from({ length: 5000 }, (_, n) => f(n + 2 ** period) - f(n)));
    expect(differences.size).toBe(1);
    const [d] = differences;
    expect(step === Infinity ? d : d % 2 ** step).toBe(0);
    // No shorter one would do.
    if (period > 0)
      expect(new Set(Array.from({ length: 5000 }, (_, n) => f(n + 2 ** (period - 1)) - f(n))).size).toBeGreaterThan(1);
  });
});

/** Ways to have 1, or all ones, at one length (or from one on) and 0 at others, without a branch. */
const SELECTIONS: Readonly<Record<string, (n: Local<'i32'>, at: number) => I32>> = {
  'n == T': (n, at) => i32.eq(n, at),
  'n >= T': (n, at) => i32.ge_u(n, at),
  '!(n ^ T)': (n, at) => i32.eqz(i32.xor(n, at)),
  '!(n - T)': (n, at) => i32.eqz(i32.sub(n, at)),
  '((n ^ T) - 1) >>> 31': (n, at) => i32.shr_u(i32.sub(i32.xor(n, at), 1), 31),
  '(n - T - 1 >>> 31) - (n - T >>> 31)': (n, at) =>
    i32.sub(i32.shr_u(i32.sub(n, at + 1), 31), i32.shr_u(i32.sub(n, at), 31)),
  '(n + (2^31 - T)) >>> 31': (n, at) => i32.shr_u(i32.add(n, 2 ** 31 - at), 31),
  'n + c >>> 20, shifted in steps': (n, at) => i32.shr_u(i32.shr_u(i32.add(n, 2 ** 20 - at), 10), 10),
  '(n + c >>> 14) - (n + c - 1 >>> 14)': (n, at) => {
    const c = 2 ** 17 - at;
    return i32.sub(i32.shr_u(i32.add(n, c), 14), i32.shr_u(i32.add(n, c - 1), 14));
  },
  'one bit of n + c': (n, at) => i32.and(i32.shr_u(i32.add(n, 2 ** 17 - at), 17), 1),
  'the top bit of n << k': (n, at) => i32.shr_u(i32.shl(i32.add(n, 2 ** 17 - at), 14), 31),
  '1 - ((n - T | T - n) >>> 31)': (n, at) => i32.sub(1, i32.shr_u(i32.or(i32.sub(n, at), i32.sub(at, n)), 31)),
  '~(n ^ T) & (n ^ T) - 1 >>> 31': (n, at) =>
    i32.shr_u(i32.and(i32.xor(i32.xor(n, at), -1), i32.sub(i32.xor(n, at), 1)), 31),
  '((n - T)² - 1) >>> 31': (n, at) => i32.shr_u(i32.sub(i32.mul(i32.sub(n, at), i32.sub(n, at)), 1), 31),
  '1 << n - T, one bit of it': (n, at) => i32.and(i32.shl(1, i32.sub(n, at)), 1),
  '1 rotated by n': (n) => i32.and(i32.rotl(1, n), 1),
  'the high word of n + c, 64 bits': (n, at) =>
    i64.wrap_i64(i64.shr_u(i64.add(i64.extend_i32_u(n), BigInt(2 ** 32 - at)), 32n)),
  'the sign of n - T, 64 bits': (n, at) => i64.wrap_i64(i64.shr_u(i64.sub(i64.extend_i32_u(n), BigInt(at)), 63n)),
  '64 bits compared': (n, at) => i64.eq(i64.extend_i32_u(n), BigInt(at)),
  'a lane compared': (n, at) =>
    v128.i32x4_extract_lane(v128.i32x4_lt_u(v128.i32x4(at, at, at, at), v128.i32x4_splat(n)), 0),
  'a lane shifted': (n, at) =>
    v128.i32x4_extract_lane(v128.i32x4_shr_u(v128.i32x4_sub(v128.i32x4_splat(n), v128.i32x4(at, at, at, at)), 31), 0),
};
/** The purposes that a selection may have. */
const PURPOSES: Readonly<Record<string, (selected: I32, n: Local<'i32'>, key: number) => Statement>> = {
  'a shorter length': (selected, n) => set(n, i32.sub(n, selected)),
  'another address': (selected, _, key) => i32.store(i32.shl(selected, 4), key, i32.load(0, key)),
};
/** The operations that are forbidden with every number. */
const FORBIDDEN: typeof PURPOSES = {
  'a word of the key is masked': (selected, _, key) =>
    i32.store(0, key, i32.and(i32.load(0, key), i32.sub(selected, 1))),
  'a word of the key is added': (selected, _, key) => i32.store(0, key, i32.add(i32.load(0, key), selected)),
  'it is stored': (selected, _, key) => i32.store(0, key, selected),
};

/** A kernel of each family, an address in it, and functions with a parameter that is a length or a count. */
const PLANTED = [
  ['chacha long scalar', stream.STATE + 16, ['seal length', 'open aadLength', 'xor blocks']],
  ['salsa long scalar', stream.STATE + 16, ['seal length', 'absorb length']],
  ['poly1305 scalar', poly1305.STATE + 32, ['absorb blocks', 'mac length']],
  ['blake3 scalar', blake3.KEY, ['hash length', 'many count', 'output blocks']],
  ['serpent scalar', serpent.KEY, ['seal length', 'open aadLength', 'cbcDecrypt blocks']],
  ['serpent-ctr scalar', serpent.KEY, ['ctr blocks']],
  ['disk scalar', disk.KEY, ['pages pageLength', 'pages headLength', 'pages count', 'absorb length']],
] as const;

describe.each(PLANTED)('planted in %s', (name, key, places) => {
  const kernel = kernelOf(name);

  it.each(places)('a selection by %s', (place) => {
    const [f, wanted] = place.split(' ');
    const n = parameter(proofsOf(kernel.family).numbers.parameters[f].split(' ').indexOf(wanted));
    const violations = (code: Statement): number => {
      const planted = inserted(functionOf(f), start, code)(kernel);
      expect(WebAssembly.validate(planted.bytes)).toBe(true);
      return checkNumbers(planted).violations.length;
    };
    for (const [selection, select] of Object.entries(SELECTIONS))
      for (const [purpose, use] of Object.entries(PURPOSES))
        expect(violations(use(select(n, 700), n, key)), `${selection}: ${purpose}`).toBeGreaterThan(0);
    for (const [purpose, use] of Object.entries(FORBIDDEN))
      expect(violations(use(n, n, key)), purpose).toBeGreaterThan(0);
    // It is not the planting that is found.
    expect(violations(PURPOSES['another address'](n, n, key))).toBe(0);
  });
});

const KINDS: readonly UseKind[] = [
  'compare',
  'select',
  'mix',
  'store',
  'subtract',
  'multiply',
  'operate',
  'period',
  'result',
];
it('every kind of use is in the lists', () => {
  const named = [...permitted.flatMap(({ uses }) => uses), ...thresholds.map(({ use }) => use)];
  expect([...new Set(named.map((use) => use.split(' ')[0]))].sort()).toEqual([...KINDS].sort());
});
