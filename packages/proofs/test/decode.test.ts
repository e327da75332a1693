/** The decoder against the assembler, the engine, and bytes that are no module. */
import { describe, expect, it } from 'vitest';
import * as control from '../../lanewise/src/wasm/control.ts';
import * as f64 from '../../lanewise/src/wasm/f64.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import * as i64 from '../../lanewise/src/wasm/i64.ts';
import { Module } from '../../lanewise/src/wasm/module.ts';
import type { Local, Statement } from '../../lanewise/src/wasm/types.ts';
import * as v128 from '../../lanewise/src/wasm/v128.ts';
import { kernels } from '../src/kernels.ts';
import { decode } from '../src/wasm/decode.ts';
import { accessBytes, OPCODES } from '../src/wasm/opcodes.ts';
import { DecodeError, exported, type Instruction } from '../src/wasm/types.ts';

const TYPES = { i32: 0x7f, i64: 0x7e, f64: 0x7c, v128: 0x7b } as const;
type Type = keyof typeof TYPES;

/** Local 0 is an i32, 1 an i64, 2 an f64, 3 a v128. */
const [a, b, c, d] = ['\x20\x00', '\x20\x01', '\x20\x02', '\x20\x03'] as unknown as [
  Local<'i32'>,
  Local<'i64'>,
  Local<'f64'>,
  Local<'v128'>,
];

/** The code as the body of a function that has these locals; instructions without the locals' own. */
function bodyOf(code: string): readonly Instruction[] {
  const module = new Module(1);
  module.define('f', ['i32', 'i64', 'f64', 'v128'], undefined, () => [code as Statement]);
  return exported(decode(module.bytes()), 'f').code;
}

/** The expected decoding of each function of the assembler: the name of its last instruction. */
const emitted: readonly (readonly [object, string, string])[] = [
  [control.set, 'local.set', control.set(a, i32.value(1))],
  [control.tee, 'local.tee', control.tee(a, i32.value(1))],
  [control.giveBack, 'return', control.giveBack(a)],
  [control.breakIf, 'br_if', control.breakIf(a)],
  [control.fill, 'memory.fill', control.fill(1, 2, 3)],
  [control.copy, 'memory.copy', control.copy(1, 2, 3)],
  [i32.value, 'i32.const', i32.value(-1)],
  [i64.value, 'i64.const', i64.value(-1n)],
  [f64.value, 'f64.const', f64.value(0.1)],
  [v128.i8x16, 'v128.const', v128.i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)],
  [v128.i32x4, 'v128.const', v128.i32x4(1, 2, 3, 4)],
  [v128.shuffle32, 'i8x16.shuffle', v128.shuffle32(d, d, 0, 5, 2, 7)],
  [v128.i32x4_extract_lane, 'i32x4.extract_lane', v128.i32x4_extract_lane(d, 3)],
  [v128.i64x2_extract_lane, 'i64x2.extract_lane', v128.i64x2_extract_lane(d, 1)],
  [v128.load, 'v128.load', v128.load(a, 16)],
  [v128.load32_splat, 'v128.load32_splat', v128.load32_splat(a, 16)],
  [v128.load64_splat, 'v128.load64_splat', v128.load64_splat(a, 16)],
  [v128.store, 'v128.store', v128.store(a, 16, d)],
  [v128.i32x4_splat, 'i32x4.splat', v128.i32x4_splat(a)],
  [v128.i64x2_splat, 'i64x2.splat', v128.i64x2_splat(b)],
  ...(['i32x4_shl', 'i32x4_shr_u', 'i64x2_shl', 'i64x2_shr_u'] as const).map(
    (name) => [v128[name], name.replace('_', '.'), v128[name](d, a)] as const,
  ),
  [v128.load_marked, 'v128.load', v128.load_marked(a)],
  [v128.load_marked_apart, 'v128.load', v128.load_marked_apart(a)],
  [v128.f64x2_extract_lane, 'f64x2.extract_lane', v128.f64x2_extract_lane(d, 1)],
  [v128.f64x2_replace_lane, 'f64x2.replace_lane', v128.f64x2_replace_lane(d, 1, c)],
  ...(['and', 'andnot', 'or', 'xor'] as const).map((name) => [v128[name], `v128.${name}`, v128[name](d, d)] as const),
  ...(
    [
      'i8x16_swizzle',
      'i8x16_relaxed_swizzle',
      'i32x4_lt_u',
      'i32x4_add',
      'i32x4_sub',
      'i32x4_mul',
      'i64x2_add',
      'i64x2_sub',
      'i64x2_extmul_low_i32x4_u',
      'i64x2_extmul_high_i32x4_u',
    ] as const
  ).map((name) => [v128[name], name.replace('_', '.'), v128[name](d, d)] as const),
  ...(['eqz', 'load', 'load8_u'] as const).map((name) => [i32[name], `i32.${name}`, i32[name](a)] as const),
  [i32.load_unaligned, 'i32.load', i32.load_unaligned(a)],
  ...(
    'eq ne lt_u gt_u le_u ge_u add sub mul and or xor shl shr_s shr_u rotl rotr'.split(' ') as (
      'eq' | 'ne' | 'lt_u' | 'gt_u' | 'le_u' | 'ge_u' | 'add' | 'sub' | 'mul' | 'and' | 'or' | 'xor'
    )[]
  ).map((name) => [i32[name], `i32.${name}`, i32[name](a, 1)] as const),
  ...(['store', 'store8'] as const).map((name) => [i32[name], `i32.${name}`, i32[name](a, 4, 1)] as const),
  [i32.store_unaligned, 'i32.store', i32.store_unaligned(a, 4, 1)],
  [i64.eqz, 'i64.eqz', i64.eqz(b)],
  ...(
    'eq ne lt_u add sub mul and or xor shl shr_u rotl rotr'.split(' ') as ('eq' | 'ne' | 'lt_u' | 'add' | 'sub')[]
  ).map((name) => [i64[name], `i64.${name}`, i64[name](b, 1n)] as const),
  [i64.extend_i32_u, 'i64.extend_i32_u', i64.extend_i32_u(a)],
  [i64.wrap_i64, 'i32.wrap_i64', i64.wrap_i64(b)],
  ...(['load', 'load32_u'] as const).map((name) => [i64[name], `i64.${name}`, i64[name](a)] as const),
  ...(['store', 'store32'] as const).map((name) => [i64[name], `i64.${name}`, i64[name](a, 8, 1n)] as const),
  [i64.store32_unaligned, 'i64.store32', i64.store32_unaligned(a, 8, 1n)],
  [f64.floor, 'f64.floor', f64.floor(c)],
  ...(['add', 'sub', 'mul'] as const).map((name) => [f64[name], `f64.${name}`, f64[name](c, 2)] as const),
  [f64.convert_i32_s, 'f64.convert_i32_s', f64.convert_i32_s(a)],
  [f64.convert_i32_u, 'f64.convert_i32_u', f64.convert_i32_u(a)],
  [f64.trunc_i32_s, 'i32.trunc_f64_s', f64.trunc_i32_s(c)],
  [f64.load, 'f64.load', f64.load(a)],
  [f64.store, 'f64.store', f64.store(a, 8, 1)],
];
/** Functions that put several instructions together, or none. Their tests are those of structure, below. */
const structural: readonly object[] = [control.sequence, control.loop, control.when, control.block];

describe('every instruction of the assembler', () => {
  it('is in this table', () => {
    const all = [control, i32, i64, f64, v128].flatMap((file) => Object.values<object>(file));
    const listed = new Set([...emitted.map(([of]) => of), ...structural]);
    expect(all.filter((f) => !listed.has(f))).toEqual([]);
  });

  it.each(emitted)('%o is read as %s', (_, name, code) => {
    const body = bodyOf(code);
    expect(body.at(-1)).toMatchObject({ op: 'end', opens: -1 });
    expect(body.at(-2)?.op).toBe(name);
  });

  it('makes up the first part of the white-list, and nothing else does', () => {
    const names = new Set([
      ...emitted.map(([, name]) => name),
      'block',
      'loop',
      'if',
      'else',
      'end',
      'call',
      'local.get',
    ]);
    const white = [...OPCODES.values()].filter((entry) => entry.emitted).map((entry) => entry.op);
    expect([...names].sort()).toEqual(white.sort());
  });
});

/** A module of one function with this type and body, written without the assembler. */
function moduleOf(takes: readonly Type[], leaves: readonly Type[], body: readonly number[]): Uint8Array<ArrayBuffer> {
  const list = (items: readonly number[]) => [items.length, ...items];
  const section = (id: number, ...content: number[]) => [id, content.length, ...content];
  const parameters = takes.map((type) => TYPES[type]);
  return Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    0x01,
    0x00,
    0x00,
    0x00,
    ...section(1, 1, 0x60, ...list(parameters), ...list(leaves.map((type) => TYPES[type]))),
    ...section(3, 1, 0),
    ...section(5, 1, 0x01, 1, 1),
    ...section(10, 1, body.length + 2, 0, ...body, 0x0b),
  ]);
}

/** A number below 2^14. */
const leb = (n: number): number[] => (n < 128 ? [n] : [(n & 127) | 128, n >> 7]);
const opcodeBytes = (code: number): number[] => (code > 0xffff ? [code >> 16, ...leb(code & 0xffff)] : [code]);

describe('the table of opcodes', () => {
  const immediates: Readonly<Record<string, readonly number[]>> = {
    none: [],
    label: [0],
    memory: [0, 0],
    i32: [0],
    i64: [0],
    f64: Array<number>(8).fill(0),
    v128: Array<number>(16).fill(0),
    shuffle: Array<number>(16).fill(0),
    lane: [0],
  };
  const plain = [...OPCODES].filter(([, { op, takes, leaves }]) => takes.length + leaves.length > 0 && op !== 'if');

  it.each(plain)('%i takes and leaves what the engine says', (code, { op, takes, leaves, immediates: kind }) => {
    const memories = [0, ...(op === 'memory.copy' ? [0] : [])];
    const operands = takes.flatMap((_, i) => [0x20, i]);
    const body = [...operands, ...opcodeBytes(code), ...(immediates[kind] ?? memories)];
    const bytes = moduleOf(takes as Type[], leaves as Type[], body);
    expect(WebAssembly.validate(bytes), op).toBe(true);
    expect(decode(bytes).functions[0].code.at(-2)?.op).toBe(op);
  });

  it.each(plain.filter(([, entry]) => entry.immediates === 'memory'))(
    'the access of %i is as wide as the largest alignment that the engine takes',
    (code, { op, takes, leaves }) => {
      const width = accessBytes(op as 'i32.load');
      const withAlign = (align: number) =>
        moduleOf(takes as Type[], leaves as Type[], [
          ...takes.flatMap((_, i) => [0x20, i]),
          ...opcodeBytes(code),
          align,
          0,
        ]);
      const most = Math.log2(width);
      expect([most, most + 1].map((align) => WebAssembly.validate(withAlign(align)))).toEqual([true, false]);
      expect(() => decode(withAlign(most))).not.toThrow();
      expect(() => decode(withAlign(most + 1))).toThrow('the alignment is larger than the access');
    },
  );

  it('is a white-list: every other opcode is an error with its offset', () => {
    const codes = [
      ...Array.from({ length: 256 }, (_, code) => code).filter((code) => code !== 0xfc && code !== 0xfd),
      ...[0xfc, 0xfd].flatMap((prefix) => Array.from({ length: 0x180 }, (_, n) => prefix * 0x10000 + n)),
    ].filter((code) => !OPCODES.has(code));
    expect(codes.length).toBeGreaterThan(500);
    for (const code of codes) {
      const bytes = moduleOf([], [], [...opcodeBytes(code), ...Array<number>(20).fill(0)]);
      expect(() => decode(bytes), code.toString(16)).toThrow(
        /^offset 29: instruction .* is not one that kernels are made of$/,
      );
    }
  });
});

describe('immediates', () => {
  it('offsets, alignments, constants, lanes', () => {
    expect(bodyOf(i32.load(a, 65535))[1]).toMatchObject({ op: 'i32.load', align: 2, offset: 65535 });
    expect(bodyOf(i64.store32_unaligned(a, 300, b))[2]).toMatchObject({ align: 0, offset: 300 });
    for (const value of [0, 1, -1, 63, 64, -64, -65, 0x7fffffff, -0x80000000])
      expect(bodyOf(control.set(a, i32.value(value)))[0]).toMatchObject({ value });
    for (const value of [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)])
      expect(bodyOf(control.set(b, i64.value(value)))[0]).toMatchObject({ value });
    expect(bodyOf(control.set(c, f64.value(-0.1)))[0]).toMatchObject({ value: -0.1 });
    expect(bodyOf(control.set(d, v128.i32x4(1, -1, 0, 0x01020304)))[0]).toMatchObject({
      bytes: Uint8Array.of(1, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 4, 3, 2, 1),
    });
    expect(bodyOf(v128.shuffle32(d, d, 0, 5, 2, 7))[2]).toMatchObject({
      lanes: Uint8Array.of(0, 1, 2, 3, 20, 21, 22, 23, 8, 9, 10, 11, 28, 29, 30, 31),
    });
    expect(bodyOf(v128.i32x4_extract_lane(d, 3))[1]).toMatchObject({ lane: 3 });
  });

  it('blocks know where they are closed, and branches what they leave or repeat', () => {
    const then = control.set(a, i32.value(1));
    const code = bodyOf(
      control.block(
        control.sequence(
          control.loop(control.sequence(control.breakIf(a, 1), control.when(a, then, then)), a),
          control.when(a, then),
        ),
      ),
    );
    const at = (op: string, nth = 0) => code.flatMap((instruction, i) => (instruction.op === op ? [i] : []))[nth];
    const blockEnd = code.length - 2;
    expect(code[0]).toMatchObject({ op: 'block', end: blockEnd });
    expect(code[1]).toMatchObject({ op: 'loop', end: at('end', 1) });
    expect(code[at('br_if')]).toMatchObject({ depth: 1, opens: 0 });
    expect(code[at('br_if', 1)]).toMatchObject({ depth: 0, opens: 1 });
    expect(code[at('if')]).toMatchObject({ otherwise: at('else'), end: at('end') });
    expect(code[at('else')]).toMatchObject({ end: at('end') });
    expect(code[at('if', 1)]).toMatchObject({ otherwise: at('end', 2), end: at('end', 2) });
    expect(code[blockEnd]).toMatchObject({ op: 'end', opens: 0 });
    expect(code[code.length - 1]).toMatchObject({ op: 'end', opens: -1 });
  });

  it('offsets are those of opcodes in the module', () => {
    const module = new Module(1);
    module.define('f', ['i32'], 'i32', (_, x) => [i32.mul(x, 7)]);
    const bytes = module.bytes();
    const code = exported(decode(bytes), 'f').code;
    expect(code.map(({ at }) => bytes[at])).toEqual([0x20, 0x41, 0x6c, 0x0b]);
  });
});

describe('modules', () => {
  it('types, locals, memory, data, exports', () => {
    const module = new Module(3);
    module.data(70, [1, 2, 3]);
    const g = module.define(undefined, ['i64', 'v128'], 'i64', (frame, x) => {
      frame.local('f64');
      return [x];
    });
    module.define('f', [], undefined, (frame) => [control.set(frame.local('i64'), g(0n, v128.i32x4(0, 0, 0, 0)))]);
    const decoded = decode(module.bytes());
    expect(decoded.memory).toEqual({ minimum: 3, maximum: 3 });
    expect(decoded.data).toEqual([{ offset: 70, bytes: Uint8Array.of(1, 2, 3) }]);
    expect(decoded.exports).toEqual([
      { name: 'memory', kind: 'memory', index: 0 },
      { name: 'f', kind: 'function', index: 1 },
    ]);
    const [first, second] = decoded.functions;
    expect(first).toMatchObject({ index: 0, name: undefined, locals: ['i64', 'v128', 'f64'] });
    expect(first.type).toEqual({ parameters: ['i64', 'v128'], results: ['i64'] });
    expect(second).toMatchObject({ index: 1, name: 'f', locals: ['i64'] });
    expect(second.code.map(({ op }) => op)).toEqual(['i64.const', 'v128.const', 'call', 'local.set', 'end']);
    expect(second.code[2]).toMatchObject({ callee: 0 });
  });

  it.each(kernels)('$name: instructions, sizes and offsets fill each body without a gap', ({ bytes }) => {
    const module = decode(bytes);
    for (const { at, byteLength, code } of module.functions) {
      expect(code[code.length - 1].at).toBe(at + byteLength - 1);
      for (const [i, { at: here }] of code.entries()) if (i) expect(here).toBeGreaterThan(code[i - 1].at);
    }
    const exports = WebAssembly.Module.exports(new WebAssembly.Module(bytes));
    expect(module.exports.map(({ name, kind }) => ({ name, kind }))).toEqual(exports);
  });
});

describe('bytes that are no module', () => {
  const { bytes } = kernels[3];

  it('truncations are errors, except where the engine finds a whole module too, and so is a byte more', () => {
    let whole = 0;
    for (let length = 0; length < bytes.length; length++) {
      const start = bytes.slice(0, length);
      if (!WebAssembly.validate(start)) expect(() => decode(start), `${length}`).toThrow(DecodeError);
      else whole += decode(start).exports.length ? 0 : 1;
    }
    // After the header, and after the types.
    expect(whole).toBe(2);
    expect(() => decode(Uint8Array.of(...bytes, 1))).toThrow(DecodeError);
  });

  it('any damage ends in a module or in an error of the decoder', () => {
    let seed = 1;
    const random = (below: number) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % below;
    let refused = 0;
    for (let round = 0; round < 3000; round++) {
      const damaged = bytes.slice();
      for (let i = 0; i < 3; i++) damaged[random(round % 2 ? 160 : bytes.length)] = random(256);
      try {
        decode(damaged);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(500);
  });

  const i32s: readonly (readonly [string, readonly number[], boolean])[] = [
    ['padded', [0xff, 0xff, 0xff, 0xff, 0x7f], true],
    ['with a bit above the sign', [0xff, 0xff, 0xff, 0xff, 0x4f], false],
    ['of six bytes', [0x80, 0x80, 0x80, 0x80, 0x80, 0x00], false],
  ];
  it.each(i32s)('a signed number %s', (_, number, valid) => {
    const module = moduleOf([], ['i32'], [0x41, ...number]);
    expect(WebAssembly.validate(module)).toBe(valid);
    if (valid) expect(decode(module).functions[0].code[0]).toMatchObject({ value: -1 });
    else expect(() => decode(module)).toThrow('no signed number of 32 bits');
  });

  const u32s: readonly (readonly [string, readonly number[], boolean])[] = [
    ['padded', [0x81, 0x80, 0x80, 0x80, 0x00], true],
    ['of 33 bits', [0x80, 0x80, 0x80, 0x80, 0x10], false],
    ['of six bytes', [0x80, 0x80, 0x80, 0x80, 0x80, 0x00], false],
  ];
  it.each(u32s)('an unsigned number %s', (_, number, valid) => {
    const module = moduleOf(['i64', 'i32'], ['i32'], [0x20, ...number]);
    expect(WebAssembly.validate(module)).toBe(valid);
    if (valid) expect(decode(module).functions[0].code[0]).toMatchObject({ local: 1 });
    else expect(() => decode(module)).toThrow('no unsigned number of 32 bits');
  });

  const wrong: readonly (readonly [string, readonly number[]])[] = [
    ['there is no local 1', [0x20, 0x01]],
    ['there is no function 1', [0x10, 0x01]],
    ['there is no block 1', [0x0d, 0x01]],
    ['else without if', [0x02, 0x40, 0x05, 0x0b]],
    ['a block that is not of the empty type', [0x02, 0x7f, 0x0b]],
    ['there is no lane 32', [0xfd, 0x0d, 32, ...Array<number>(15).fill(0)]],
    ['there is no lane 4', [0xfd, 0x1b, 4]],
    ['there is no memory 1', [0xfc, 0x0b, 1]],
    ['more bytes than were announced', [0x0b]],
    ['the bytes end too early', [0x02, 0x40]],
  ];
  it.each(wrong)('%s', (message, code) => {
    expect(() => decode(moduleOf(['i32'], [], code))).toThrow(message);
  });

  const sections: readonly (readonly [string, readonly number[]])[] = [
    ['kernels have no imports', [2, 1, 0]],
    ['kernels have no tables', [4, 1, 0]],
    ['kernels have no globals', [6, 1, 0]],
    ['kernels have no a start function', [8, 1, 0]],
    ['kernels have no element segments', [9, 1, 0]],
    ['section 14 is unknown', [14, 0]],
    ['section 1 is unknown, or not in its place', [3, 1, 0, 1, 1, 0]],
    ['a size is larger than what is there', [1, 5, 0]],
    ['a memory that is shared or of 64-bit addresses', [5, 3, 1, 3, 1]],
  ];
  it.each(sections)('%s', (message, section) => {
    expect(() => decode(Uint8Array.of(...bytes.slice(0, 8), ...section))).toThrow(message);
  });

  it('custom sections are skipped', () => {
    expect(decode(Uint8Array.of(...bytes.slice(0, 8), 0, 3, 1, 0x61, 0xff)).functions).toEqual([]);
  });
});
