import { describe, expect, it } from 'vitest';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import { set } from '../../lanewise/src/wasm/control.ts';
import { Module } from '../../lanewise/src/wasm/module.ts';
import type { Expression, Local, Statement } from '../../lanewise/src/wasm/types.ts';
import * as v128 from '../../lanewise/src/wasm/v128.ts';
import { kernelOf, kernels } from '../src/kernels.ts';
import { lint, type Linted, type LintRule } from '../src/lints/lint.ts';
import { patched } from '../src/mutations/patch.ts';
import { decode } from '../src/wasm/decode.ts';
import { OPCODES } from '../src/wasm/opcodes.ts';

it.each(kernels)('$name has no findings', (kernel) => {
  expect(lint(kernel)).toEqual([]);
});

/** A module of one page, with an exported function of this body. */
function linted(body: (x: Local<'i32'>) => readonly Statement[], form: Linted['form'] = 'scalar'): Linted {
  const module = new Module(1);
  module.define('f', ['i32'], undefined, (_, x) => body(x));
  return {
    bytes: module.bytes(),
    form,
    memoryBytes: 65536,
    mostMemoryBytes: 65536,
    map: [{ name: 'MASKS', from: 0, to: 32 }],
  };
}
const rulesOf = (kernel: Linted): LintRule[] => lint(kernel).map(({ rule }) => rule);

describe('instructions', () => {
  const emitted = new Set([...OPCODES.values()].filter((entry) => entry.emitted).map(({ op }) => op));
  const refused = [...OPCODES]
    .filter(([, { op, takes, leaves }]) => !emitted.has(op) && takes.length === 2 && leaves.length === 1)
    .map(([code, { op, takes }]) => [op, code, takes[0]] as const);

  it.each(refused)('%s', (op, code, type) => {
    const operand = type === 'i32' ? '\x41\x01' : '\x42\x01';
    const statement = (operand + operand + String.fromCharCode(code) + '\x1a') as Statement;
    const messages = lint(linted(() => [statement])).map(({ message }) => message);
    expect(messages).toEqual([expect.stringMatching(`^${op}: `), expect.stringMatching(/^drop: /)]);
  });

  it.each([
    ['unreachable', '\x00'],
    ['br', '\x0c\x00'],
    ['memory.size', '\x3f\x00\x1a'],
    ['memory.grow', '\x20\x00\x40\x00\x1a'],
    ['select', '\x20\x00\x20\x00\x20\x00\x1b\x1a'],
    ['f64.const', '\x44' + '\x00'.repeat(8) + '\x1a'],
    ['i32.shr_s', i32.shr_s(1, 1) + '\x1a'],
    ['i32.trunc_f64_s', '\x44' + '\x00'.repeat(8) + '\xaa\x1a'],
  ])('%s', (op, code) => {
    const kernel = linted(() => [code as Statement]);
    expect(WebAssembly.validate(kernel.bytes)).toBe(true);
    expect(lint(kernel).some(({ rule, message }) => rule === 'instruction' && message.startsWith(`${op}: `))).toBe(
      true,
    );
  });

  it('vectors and relaxed instructions only in their forms', () => {
    const plain = () => [v128.store(0, 0, v128.load(0))];
    expect(rulesOf(linted(plain, 'scalar'))).toEqual(['instruction', 'instruction']);
    expect(rulesOf(linted(plain, 'swizzle'))).toEqual([]);
    const relaxed = () => [v128.store(0, 0, v128.i8x16_relaxed_swizzle(v128.load(0), v128.load(0)))];
    expect(rulesOf(linted(relaxed, 'swizzle'))).toEqual(['instruction']);
    expect(rulesOf(linted(relaxed, 'relaxed'))).toEqual([]);
  });

  it('a comparison with a sign, planted in a real kernel', () => {
    const kernel = kernelOf('chacha long relaxed');
    const { at } = decode(kernel.bytes)
      .functions.flatMap(({ code }) => code)
      .find(({ op }) => op === 'i32.lt_u')!;
    const bytes = patched(kernel.bytes, at, 1, '\x48');
    expect(WebAssembly.validate(bytes)).toBe(true);
    expect(lint({ ...kernel, bytes })).toEqual([
      { rule: 'instruction', at, message: 'i32.lt_s: signed, where numbers are lengths' },
    ]);
  });
});

describe('memory', () => {
  const kernel = linted((x) => [set(x, i32.load(x))]);
  /** Section 5 is `5 4 1 1 1 1`: its size, one memory, with a maximum, minimum 1, maximum 1. */
  const at = kernel.bytes.findIndex((_, i) => [5, 4, 1, 1, 1, 1].every((byte, j) => kernel.bytes[i + j] === byte)) + 2;
  const withLimits = (...limits: readonly number[]): Linted => {
    const section = [5, limits.length + 1, 1, ...limits];
    return {
      ...kernel,
      bytes: Uint8Array.of(...kernel.bytes.slice(0, at - 2), ...section, ...kernel.bytes.slice(at + 4)),
    };
  };

  it('has one size, that of the map', () => {
    expect(lint(withLimits(1, 1, 1))).toEqual([]);
    expect(lint(withLimits(1, 1, 2))).toMatchObject([{ rule: 'memory', message: 'from 1 to 2 pages: it can grow' }]);
    expect(lint(withLimits(0, 1))).toMatchObject([
      { rule: 'memory', message: expect.stringMatching(/it can grow/) as string },
    ]);
    expect(lint(withLimits(1, 2, 2))).toMatchObject([
      { rule: 'memory', message: expect.stringMatching(/2 pages where the map has 65536/) as string },
    ]);
  });

  it('is not reached beyond its end by an offset alone', () => {
    expect(rulesOf(linted((x) => [set(x, i32.load(x, 65532))]))).toEqual([]);
    expect(rulesOf(linted((x) => [set(x, i32.load(x, 65533))]))).toEqual(['offset']);
    expect(rulesOf(linted((x) => [v128.store(x, 65521, v128.load(x))], 'swizzle'))).toEqual(['offset']);
  });

  it('starts with constants in MASKS only', () => {
    const withData = (offset: number): Linted => {
      const module = new Module(1);
      module.data(offset, [1, 2]);
      return { ...kernel, bytes: module.bytes() };
    };
    expect(rulesOf(withData(30))).toEqual([]);
    expect(rulesOf(withData(31))).toEqual(['data']);
  });
});

describe('functions', () => {
  const statements = (count: number) => Array.from({ length: count }, () => i32.store(0, 0, 0));

  it('are small', () => {
    // Seven bytes each, two for the locals and the end.
    expect(rulesOf(linted(() => statements(2142)))).toEqual([]);
    expect(rulesOf(linted(() => statements(2143)))).toEqual(['size']);
  });

  it('have numbers of 32 bits for parameters and results', () => {
    const module = new Module(1);
    module.define('f', ['i64'], undefined, () => []);
    module.define('g', [], 'v128', (_) => [v128.load(0)]);
    expect(rulesOf({ ...linted(() => [], 'swizzle'), bytes: module.bytes() })).toEqual(['interface', 'interface']);
  });

  it('do not call themselves or what comes later', () => {
    const module = new Module(1);
    const later = '\x10\x01' as Statement;
    module.define('f', [], undefined, () => [later]);
    module.define('g', [], undefined, () => [later]);
    expect(rulesOf({ ...linted(() => []), bytes: module.bytes() })).toEqual(['calls', 'calls']);
  });

  it('that are not understood are one finding, with the offset', () => {
    const kernel = linted((x) => [set(x, '\x20\x00\x67' as string as Expression<'i32'>)]);
    expect(WebAssembly.validate(kernel.bytes)).toBe(true);
    expect(lint(kernel)).toMatchObject([
      { rule: 'form', message: expect.stringMatching(/instruction 0x67 is not one/) as string },
    ]);
    const imported = Uint8Array.of(...kernel.bytes.slice(0, 8), 2, 1, 0, ...kernel.bytes.slice(8));
    expect(lint({ ...kernel, bytes: imported })).toMatchObject([
      { rule: 'form', at: 8, message: expect.stringMatching(/no imports/) as string },
    ]);
  });
});
