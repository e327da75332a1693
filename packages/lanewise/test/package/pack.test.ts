/** Packed texts of modules with everything that the format has to hold, unpacked by the module that the library publishes. */
// Runs in Node only: about the script that writes the texts.
import { describe, expect, it } from 'vitest';
import { instructionsOf, packed } from '../../scripts/pack/pack.ts';
import { CONTINUED, FIRST, MODULE, TEXT, unpackerModule } from '../../src/engine/unpacker-module.ts';
import { block, breakIf, copy, fill, giveBack, loop, sequence, set, tee, when } from '../../src/wasm/control.ts';
import * as f64 from '../../src/wasm/f64.ts';
import * as i32 from '../../src/wasm/i32.ts';
import * as i64 from '../../src/wasm/i64.ts';
import { Module } from '../../src/wasm/module.ts';
import type { Expression, Statement } from '../../src/wasm/types.ts';
import * as v128 from '../../src/wasm/v128.ts';
import { weave } from '../../src/words/weave.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The bytes of a text, by the module that unpacks the instructions of some modules. */
function unpackedBy(instructions: ReturnType<typeof instructionsOf>, text: string): Uint8Array {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(unpackerModule(instructions).bytes()));
  const { memory, unpack } = exports as unknown as { memory: WebAssembly.Memory; unpack: () => number };
  new Uint8Array(memory.buffer).set(new TextEncoder().encode(text), TEXT);
  return new Uint8Array(memory.buffer, MODULE, unpack());
}

function made(define: (module: Module) => void): Module {
  const module = new Module(1);
  define(module);
  expect(WebAssembly.validate(module.bytes())).toBe(true);
  return module;
}

/** Instructions of every kind fill the table, so that there is a place for the character that is not used. */
const everything = made((module) => {
  const part = module.define(undefined, ['i32'], 'i32', (_, x) => [
    when(x, giveBack(i32.value(-1))),
    block(sequence(breakIf(x), loop(when(x, breakIf(1, 1)), 0))),
    i32.add(i32.sub(i32.mul(x, 3), i32.and(x, 5)), i32.or(i32.xor(x, 1), i32.shl(x, i32.rotl(x, i32.rotr(x, 2))))),
  ]);
  module.define('everything', ['i32'], undefined, (frame, x) => {
    const [a, b] = frame.locals('i64', 2);
    const v = frame.local('v128');
    return [
      set(x, tee(x, part(i32.eqz(x)))),
      when(i32.lt_u(x, 2), set(x, i32.value(-0x80000000)), set(x, i32.value(0x7fffffff))),
      ...[0n, -1n, 63n, 64n, -64n, -65n, 0xffffffffn, 5n << 32n, -(2n ** 63n), 2n ** 63n - 1n].map((n) =>
        set(a, i64.value(n)),
      ),
      set(b, i64.add(i64.mul(a, a), i64.sub(i64.shl(a, a), i64.shr_u(a, i64.or(a, i64.and(b, i64.xor(a, b))))))),
      when(i64.eqz(i64.rotl(a, i64.rotr(b, i64.extend_i32_u(x)))), i32.store(0, 4, i64.wrap_i64(b))),
      i64.store(0, 65_528, i64.load(x, 8)),
      i64.store32(0, 65_532, i64.load32_u(x, 0)),
      i32.store8(x, 4, i32.load8_u(x, 4_000_000_000)),
      set(v, v128.i8x16(...Array.from({ length: 16 }, (_, i) => ((255 - i) * 17) & 255))),
      set(v, v128.shuffle32(v, v, 7, 0, 3, 4)),
      v128.store(x, 16, v128.i8x16_swizzle(v, v128.load(x, 128))),
      v128.store(x, 0, v128.i8x16_relaxed_swizzle(v128.and(v, v128.or(v, v)), v128.load32_splat(x, 4))),
      i32.store_unaligned(x, 4, v128.i32x4_extract_lane(v128.i32x4_add(v, v128.i32x4_splat(x)), 3)),
      copy(x, 4, 8),
      fill(x, 4, 300),
      when(i32.gt_u(x, i32.le_u(x, i32.ge_u(x, i32.ne(x, i32.eq(x, 0))))), set(x, i32.shr_u(i32.shr_s(x, 1), 1))),
    ];
  });
  module.data(8, [1, 2, 255]);
});

describe('what is packed is unpacked', () => {
  const table = instructionsOf([everything.bytes()]);
  const roundTrip = (module: Module): string => {
    const text = packed(module, table);
    expect(hex(unpackedBy(table, text)) === hex(module.bytes())).toBe(true);
    return text;
  };

  it('in characters that no string has to escape', () => {
    const text = roundTrip(everything);
    expect(text).toMatch(/^[#-[\]-~ ]+$/);
    expect(text.match(/ /g)).toHaveLength(10);
    expect([FIRST, CONTINUED]).toEqual(['#'.charCodeAt(0), '\\'.charCodeAt(0) + 1]);
  });

  it.each([1, 127, 128, 300])('%i locals', (count) => {
    roundTrip(
      made((module) => {
        module.define('f', [], undefined, (frame) => {
          const locals = frame.locals('i64', count);
          return [set(locals[count - 1], locals[0]), set(locals[0], locals[count - 1])];
        });
      }),
    );
  });

  it.each([1, 20, 3000])('a body of %i stores, without data after it', (count) => {
    const stores = Array.from({ length: count }, (_, i) => i32.store(0, 4 * (i % 99), i));
    const bytes = made((module) => module.define('f', [], undefined, () => stores));
    roundTrip(bytes);
  });

  describe('lists of steps that were merged', () => {
    const steps = (count: number, of: (i: number) => Statement): Statement[] =>
      Array.from({ length: count }, (_, i) => of(i));
    it.each([
      [1, 1],
      [7, 7],
      [9, 4],
      [4, 9],
      [30, 1],
    ])('%i and %i', (first, second) => {
      const bytes = made((module) =>
        module.define('f', [], undefined, (frame) => {
          const [x, y] = frame.locals('i64', 2);
          return [
            loop(
              weave(
                // Steps of one statement and of two.
                steps(first, (i) => (i % 3 ? i64.store(0, 8 * i, x) : sequence(set(x, i64.load(0, 8 * i)), set(y, x)))),
                steps(second, (i) => set(y, i64.value(BigInt(i)))),
              ),
              0,
            ),
          ];
        }),
      );
      const [code, , , , , otherCode] = roundTrip(bytes).split(' ');
      expect(code).toContain(String.fromCharCode(FIRST + Object.values(table).flat().length));
      expect(otherCode).toHaveLength(2 * second);
    });
  });

  it('what it has no form for is refused', () => {
    const module = (statement: Statement): Module => made((each) => each.define('f', [], undefined, () => [statement]));
    expect(() => packed(module(i32.store8(0, 0, i32.load8_u(0, 3))), table)).toThrow(
      'an offset of 3, which is no multiple of four',
    );
    const double = made((each) => each.define('f', [], 'f64', (): [Expression<'f64'>] => [f64.value(1)]));
    expect(() => instructionsOf([double.bytes()])).toThrow(/^no packed form for opcode 0x44 at \d+$/);
    const without = { ...table, others: table.others.filter((code) => code !== '\x77') };
    expect(() => packed(module(i32.store(0, 0, i32.rotl(1, 1))), without)).toThrow(
      'an instruction that is not in the table: 77',
    );
    const long = Array.from({ length: 9000 }, (_, i) => i32.store(0, 4 * i, i));
    const longModule = made((each) => each.define('f', [], undefined, () => long));
    expect(() => packed(longModule, table)).toThrow('a module that is too long to be packed');
  });
});
