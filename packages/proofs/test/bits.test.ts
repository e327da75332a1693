/** The executor of bits: it computes the same results as the engine, and a value that it cannot know is a Failure. */
import { describe, expect, it } from 'vitest';
import { MIDDLE, ROUND, ROUND_BYTES, SLICED, SLICED_BYTES, SLICES } from '../../lanewise/src/disk/map.ts';
import { Module } from '../../lanewise/src/wasm/module.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import * as v128 from '../../lanewise/src/wasm/v128.ts';
import type { Statement } from '../../lanewise/src/wasm/types.ts';
import { input, outputOf, Sums, tables } from '../src/bits/domain.ts';
import { BitMachine } from '../src/bits/machine.ts';
import { kernelOf } from '../src/kernels.ts';
import { decode } from '../src/wasm/decode.ts';

const random = (length: number): number[] => Array.from({ length }, () => Math.floor(Math.random() * 256));
const bitsOf = (sums: Sums, bytes: Iterable<number>) =>
  Array.from(bytes, (byte) => Array.from({ length: 8 }, (_, i) => ((byte >> i) & 1 ? sums.one : sums.zero)));

describe.each(['disk relaxed', 'disk swizzle', 'disk scalar'])('%s', (name) => {
  const { bytes } = kernelOf(name);

  it.each([
    ['expandKey', []],
    ['sliceKeys', []],
    ['substitute', []],
    ['encryptBlocks', [MIDDLE]],
    ['decryptBlocks', [MIDDLE]],
  ] as const)('%s as in the engine', (call, parameters) => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
    const memory = new Uint8Array((exports['memory'] as WebAssembly.Memory).buffer);
    const sums = new Sums();
    const machine = new BitMachine(decode(bytes), sums);
    const places = [
      [MIDDLE, 128],
      [SLICES, 128],
      [ROUND, ROUND_BYTES],
      [SLICED, SLICED_BYTES],
    ] as const;
    for (const [address, length] of places) {
      const values = random(length);
      memory.set(values, address);
      machine.write(address, bitsOf(sums, values));
    }
    (exports[call] as (...values: readonly number[]) => void)(...parameters);
    machine.call(call, ...parameters);
    for (const [address, length] of places)
      expect(machine.read(address, length)).toEqual(bitsOf(sums, memory.subarray(address, address + length)));
  });
});

/** A module with one function of these statements. */
function machineOf<B>(bits: ConstructorParameters<typeof BitMachine<B>>[1], ...code: readonly Statement[]) {
  const module = new Module(1);
  module.define('run', [], undefined, () => code);
  return new BitMachine(decode(module.bytes()), bits);
}

describe('what is not known', () => {
  const sums = new Sums();
  const word = [0, 1, 2, 3].map((i) => Array.from({ length: 8 }, (_, bit) => sums.atom(`${i}.${bit}`)));

  it.each([
    ['an address', i32.store(i32.load(0, 0), 8, 1), /not known/],
    ['a product', i32.store(0, 8, i32.and(i32.load(0, 0), i32.load(0, 0))), /a product of bits/],
    ['a sum', i32.store(0, 8, i32.add(i32.load(0, 0), 1)), /not known/],
    ['an or', i32.store(0, 8, i32.or(i32.load(0, 0), i32.load(0, 0))), /\| of bits/],
    ['what nobody wrote', i32.store(0, 8, i32.load(0, 4)), /nothing was written/],
    [
      'another difference',
      v128.store(0, 16, v128.i32x4_sub(v128.i32x4_splat(1), v128.i32x4_splat(2))),
      /nothing that bit slices need/,
    ],
  ])('%s', (_, code, message) => {
    const machine = machineOf(sums, code);
    machine.write(0, word);
    expect(() => {
      machine.call('run');
    }).toThrow(message);
  });

  it('bits of two columns', () => {
    expect(() => tables.xor(input(0, 1), input(1, 1))).toThrow(/meet/);
    expect(tables.and(input(3, 1), tables.one)).toEqual(input(3, 1));
  });

  it('a difference that is none of lowest bits', () => {
    const load = v128.load(0);
    const machine = machineOf(sums, v128.store(0, 16, v128.i32x4_sub(v128.i32x4_shl(load, 8), load)));
    machine.write(0, [...word, ...word, ...word, ...word]);
    expect(() => {
      machine.call('run');
    }).toThrow(/lowest bits/);
  });
});

it('sums and tables', () => {
  const sums = new Sums();
  const [x, y] = [sums.atom('x'), sums.atom('y')];
  expect(sums.xor(sums.xor(x, y), sums.xor(y, sums.one))).toBe(sums.xor(sums.one, x));
  expect(sums.and(sums.xor(x, y), sums.one)).toBe(sums.xor(y, x));
  expect(sums.and(sums.zero, x)).toBe(sums.zero);
  const majority = Array.from({ length: 256 }, (_, row) => (row & 7) * 32);
  expect(outputOf(majority, 6)).toBe(input(0, 1).table);
});
