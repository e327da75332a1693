/** The bytes around the instructions: integers, locals, functions, memory, data. Read by wabt, binaryen and the engine. */
// Needs WebAssembly: runs the assembler's output.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakIf, giveBack, loop, sequence, set, tee, when } from '../../src/wasm/control.ts';
import * as f64 from '../../src/wasm/f64.ts';
import * as i32 from '../../src/wasm/i32.ts';
import * as i64 from '../../src/wasm/i64.ts';
import { Module } from '../../src/wasm/module.ts';
import { signed, unsigned, type Expression, type ValueType } from '../../src/wasm/types.ts';
import * as v128 from '../../src/wasm/v128.ts';
import { bodyOf, bytesOf, codeOf, disassembled, localsOf, readLeb, roundTrip, sectionsOf } from '../support/wasm.ts';

type Functions = Record<string, (...values: (number | bigint)[]) => number | bigint>;

const run = (bytes: Uint8Array<ArrayBuffer>): Functions =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as Functions;

describe('integers (LEB128)', () => {
  const around = (power: number): bigint[] => [-1n, 0n, 1n].map((d) => 2n ** BigInt(power) + d);
  const sevens = Array.from({ length: 9 }, (_, i) => 7 * (i + 1));
  /** The shortest encoding has seven bits in each byte, and no longer one may be written. */
  const unsignedBytes = (n: bigint): number => Math.max(1, Math.ceil(n.toString(2).length / 7));
  const signedBytes = (n: bigint): number =>
    Math.ceil(((n < 0n ? ~n : n).toString(2).replace(/^0$/, '').length + 1) / 7);

  const decoded = (code: string, isSigned: boolean): { value: bigint; length: number } => {
    const bytes = bytesOf(code);
    const { value, next } = readLeb(bytes, 0, isSigned);
    expect(next, 'bytes behind the integer').toBe(bytes.length);
    return { value, length: bytes.length };
  };
  const checkUnsigned = (n: bigint): void => {
    expect(decoded(unsigned(Number(n)), false)).toEqual({ value: n, length: unsignedBytes(n) });
  };
  const checkSigned = (n: bigint): void => {
    expect(decoded(signed(n), true)).toEqual({ value: n, length: signedBytes(n) });
  };
  const checkSignedNumber = (n: number): void => {
    expect(decoded(signed(n), true)).toEqual({ value: BigInt(n), length: signedBytes(BigInt(n)) });
  };

  it('unsigned, at every byte length', () => {
    const most = 2n ** 32n - 1n;
    for (const n of [0n, 1n, most, ...[...sevens, 31, 32].flatMap(around)].filter((x) => x <= most)) checkUnsigned(n);
    fc.assert(fc.property(fc.bigInt(0n, most), checkUnsigned));
  });

  it('signed as numbers, at every byte length', () => {
    const least = -(2n ** 31n);
    const values = [0n, ...[6, 13, 20, 27, 30, 31, ...sevens].flatMap(around)].flatMap((n) => [n, -n]);
    for (const n of values.filter((x) => x >= least && x < -least)) checkSignedNumber(Number(n));
    fc.assert(fc.property(fc.integer(), checkSignedNumber));
  });

  it('signed as bigints, at every byte length and at the extremes of 64 bits', () => {
    const least = -(2n ** 63n);
    const values = [0n, ...[...sevens.map((bits) => bits - 1), ...sevens, 31, 32, 63].flatMap(around)];
    for (const n of values.flatMap((x) => [x, -x]).filter((x) => x >= least && x < -least)) checkSigned(n);
    fc.assert(fc.property(fc.bigInt(least, -least - 1n), checkSigned));
  });

  it('takes the low 32 or 64 bits of what is larger', () => {
    expect(decoded(signed(0xffffffff), true).value).toBe(-1n);
    expect(decoded(signed(0x80000000), true).value).toBe(-(2n ** 31n));
    expect(decoded(signed(2n ** 64n - 1n), true).value).toBe(-1n);
    expect(decoded(signed(2n ** 63n), true).value).toBe(-(2n ** 63n));
  });

  it('as wabt and the engine read constants', () => {
    const bits = [6, 7, 13, 14, 20, 21, 27, 28, 31, 34, 35, 41, 48, 55, 62, 63];
    const values = [...new Set(bits.flatMap(around).flatMap((n) => [n, -n].map((x) => BigInt.asIntN(64, x))))];
    const module = new Module(1);
    for (const n of values) module.define(`long ${n}`, [], 'i64', (_frame) => [i64.value(n)]);
    for (const n of values)
      module.define(`short ${n}`, [], 'i32', (_frame) => [i32.value(Number(BigInt.asIntN(32, n)))]);
    const text = disassembled(module.bytes());
    const functions = run(module.bytes());
    values.forEach((n, i) => {
      expect(bodyOf(text, i)).toEqual([`i64.const ${n}`]);
      expect(bodyOf(text, values.length + i)).toEqual([`i32.const ${BigInt.asIntN(32, n)}`]);
      expect(functions[`long ${n}`]()).toBe(n);
      expect(functions[`short ${n}`]()).toBe(Number(BigInt.asIntN(32, n)));
    });
  });
});

describe('local variables', () => {
  it('are declared with their types, in order', () => {
    const module = new Module(1);
    module.define('f', ['i32', 'v128'], undefined, (frame) => {
      frame.locals('v128', 3);
      frame.local('i32');
      frame.locals('i64', 200);
      frame.locals('f64', 0);
      frame.locals('v128', 1);
      frame.local('v128');
      return [];
    });
    module.define('g', ['i64'], undefined, () => []);
    const [f, g] = codeOf(module.bytes()).map(localsOf);
    const many = (type: number, count: number): number[] => Array.from({ length: count }, () => type);
    expect(f).toEqual([...many(0x7b, 3), 0x7f, ...many(0x7e, 200), 0x7b, 0x7b]);
    expect(g).toEqual([]);
    expect(disassembled(module.bytes())).toContain(`(local v128 v128 v128 i32 ${'i64 '.repeat(200)}v128 v128)`);
  });

  it.each([1, 126, 127, 128, 129, 300])('%i beside a parameter are all told apart', (count) => {
    const module = new Module(1);
    module.define('f', ['i32'], 'i32', (frame, x) => {
      const locals = frame.locals('i32', count);
      return [
        ...locals.map((local, i) => set(local, i32.mul(x, i + 1))),
        // A value in base 31 shows the order.
        locals.reduce<Expression<'i32'>>((sum, local) => i32.add(i32.mul(sum, 31), local), i32.value(0)),
      ];
    });
    const expected = Array.from({ length: count }, (_, i) => Math.imul(7, i + 1)).reduce(
      (sum, n) => (Math.imul(sum, 31) + n) | 0,
      0,
    );
    disassembled(module.bytes());
    expect(run(module.bytes())['f'](7)).toBe(expected);
  });
});

/** Functions that call each other, with parameters and results of every type, loops, branches and data. */
function program(): Module {
  const module = new Module(2);
  const byType = {
    i32: module.define(undefined, ['i32'], 'i32', (_, x) => [i32.add(x, 1)]),
    i64: module.define(undefined, ['i64'], 'i64', (_, x) => [i64.mul(x, 3n)]),
    f64: module.define(undefined, ['f64'], 'f64', (_, x) => [f64.mul(x, 0.5)]),
    v128: module.define(undefined, ['v128'], 'v128', (_, x) => [v128.i32x4_add(x, v128.i32x4(1, 2, 3, 4))]),
  };
  const mixed = module.define('mixed', ['i64', 'i32', 'f64', 'v128'], 'i64', (_, a, b, c, d) => [
    i64.add(
      i64.add(byType.i64(a), i64.extend_i32_u(byType.i32(b))),
      i64.extend_i32_u(i32.add(f64.trunc_i32_s(byType.f64(c)), v128.i32x4_extract_lane(byType.v128(d), 2))),
    ),
  ]);
  module.define('withLiterals', ['f64'], 'i64', (_, c) => [mixed(2n ** 40n, -1, c, v128.i32x4(0, 0, 7, 0))]);
  module.define('factorial', ['i64'], 'i64', (frame, n) => {
    const product = frame.local('i64');
    return [
      set(product, i64.value(1n)),
      loop(
        sequence(when(i64.eqz(n), giveBack(product)), set(product, i64.mul(product, n))),
        i64.ne(tee(n, i64.sub(n, 1n)), -1n),
      ),
      product,
    ];
  });
  const store = module.define(undefined, ['i32', 'i32'], undefined, (_, at, x) => [i32.store(at, 1000, x)]);
  module.define('remember', ['i32', 'i32'], undefined, (_, at, x) => [store(at, x)]);
  module.define('recall', ['i32'], 'i32', (_, at) => [i32.load(at, 1000)]);
  module.define('sum', ['i32', 'i32'], 'i32', (frame, at, count) => {
    const total = frame.local('i32');
    return [
      when(
        count,
        loop(
          sequence(
            breakIf(i32.eqz(count), 1),
            set(total, i32.add(total, i32.load8_u(at))),
            set(at, i32.add(at, 1)),
            set(count, i32.sub(count, 1)),
          ),
          1,
        ),
      ),
      total,
    ];
  });
  module.data(16, [1, 2, 3, 255]);
  module.data(
    65536 + 100,
    Uint8Array.from({ length: 200 }, (_, i) => i),
  );
  return module;
}

function behaviour(functions: Functions): unknown[] {
  functions['remember'](2000, -5);
  return [
    functions['withLiterals'](9.5),
    functions['factorial'](20n),
    functions['factorial'](0n),
    functions['recall'](2000),
    functions['sum'](16, 4),
    functions['sum'](65536 + 100, 200),
    functions['sum'](16, 0),
  ];
}
const expectedBehaviour = [3n * 2n ** 40n + 0n + 4n + 10n, 2432902008176640000n, 1n, -5, 261, 19900, 0];

describe('modules', () => {
  it('do what their functions say', () => {
    disassembled(program().bytes());
    expect(behaviour(run(program().bytes()))).toEqual(expectedBehaviour);
  });

  it('are the same after a round trip through binaryen', () => {
    const again = roundTrip(program().bytes());
    disassembled(again);
    expect(behaviour(run(again))).toEqual(expectedBehaviour);
  });

  it('are the same bytes each time', () => {
    expect(program().bytes()).toEqual(program().bytes());
    const module = program();
    expect(module.bytes()).toEqual(module.bytes());
  });

  it('have each section once, in the order of the specification', () => {
    expect(sectionsOf(program().bytes()).map(({ id }) => id)).toEqual([1, 3, 5, 7, 10, 11]);
    expect(sectionsOf(new Module(1).bytes()).map(({ id }) => id)).toEqual([1, 3, 5, 7, 10]);
    disassembled(new Module(1).bytes());
  });

  it('list each type once', () => {
    const module = new Module(1);
    const types: ValueType[] = ['i32', 'i64', 'f64', 'v128'];
    for (let round = 0; round < 2; round++)
      for (const type of types) module.define(undefined, [type, 'i32'], undefined, () => []);
    expect(disassembled(module.bytes()).match(/\(type \(;\d+;\) \(func/g)).toHaveLength(types.length);
  });

  it.each([1, 2, 127, 128, 200, 65535])('have a memory of exactly %i pages', (pages) => {
    const bytes = new Module(pages).bytes();
    expect(disassembled(bytes)).toContain(`(memory (;0;) ${pages} ${pages})`);
    expect(disassembled(bytes)).toContain('(export "memory" (memory 0))');
  });

  it('cannot grow', () => {
    const { memory } = run(new Module(1).bytes()) as unknown as { memory: WebAssembly.Memory };
    expect(memory.buffer.byteLength).toBe(65536);
    expect(() => memory.grow(1)).toThrow(RangeError);
  });

  it('export what has a name, and nothing else', () => {
    const module = new Module(1);
    module.define(undefined, [], undefined, () => []);
    module.define('shown', [], 'i32', (_frame) => [i32.value(5)]);
    module.define('x'.repeat(200), [], undefined, () => []);
    disassembled(module.bytes());
    expect(Object.keys(run(module.bytes()))).toEqual(['memory', 'shown', 'x'.repeat(200)]);
  });

  it('put constants where they belong', () => {
    const { memory } = run(program().bytes()) as unknown as { memory: WebAssembly.Memory };
    const bytes = new Uint8Array(memory.buffer);
    expect([...bytes.subarray(15, 21)]).toEqual([0, 1, 2, 3, 255, 0]);
    expect([...bytes.subarray(65636, 65836)]).toEqual([...Array(200).keys()]);
    expect(bytes.reduce((count, byte) => count + Number(byte !== 0), 0)).toBe(4 + 199);
  });

  it('may have hundreds of functions, and bodies of any length', () => {
    const module = new Module(1);
    const first = module.define(undefined, ['i32'], 'i32', (_, x) => [i32.add(x, 1)]);
    let last = first;
    for (let i = 0; i < 300; i++) {
      const previous = last;
      last = module.define(i === 299 ? 'last' : undefined, ['i32'], 'i32', (_, x) => [previous(x)]);
    }
    module.define('long', ['i32'], 'i32', (_, x) => [...Array.from({ length: 9000 }, () => set(x, i32.add(x, 1))), x]);
    disassembled(module.bytes());
    expect(codeOf(module.bytes()).at(-1)!.length).toBeGreaterThan(2 ** 14);
    expect(run(module.bytes())['last'](41)).toBe(42);
    expect(run(module.bytes())['long'](1)).toBe(9001);
  });
});
