/** The text of the JavaScript engine: it is current, it holds no selection by a value, and unsupported instructions are refused. */
// Runs in Node only: about the committed text, and the script that writes it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { byteFiles, folder, generated, manifest, sources, withExports } from '../../scripts/generate.ts';
import { rooms, src } from '../../scripts/rooms.ts';
import { byOpcode } from '../../scripts/transliterate/instructions.ts';
import { transliterate } from '../../scripts/transliterate/print.ts';
import { decoded, unpacked } from '../../src/engine/bytes.ts';
import { makePlain } from '../../src/engine/plain.ts';
import { lanesOf } from '../../src/engine/description.ts';
import { block, breakIf, loop, sequence, set, tee, when } from '../../src/wasm/control.ts';
import * as i32 from '../../src/wasm/i32.ts';
import { Module, type Frame } from '../../src/wasm/module.ts';
import type { Expression, Local, Statement } from '../../src/wasm/types.ts';
import * as v128 from '../../src/wasm/v128.ts';

const naming = { name: 'made', type: 'object', intrinsics: './intrinsics.ts' };
const textOf = (module: Module): string => transliterate(module.bytes(), naming);

describe.each(sources)('src/js/generated/$file', (source) => {
  const text = readFileSync(join(folder, source.file), 'utf8');

  it('is what npm run generate makes', () => {
    expect(generated(source) === text, 'run `npm run generate`').toBe(true);
    expect(generated(source)).toBe(generated(source));
  });

  it('takes nothing from the language but what the library took when it was loaded', () => {
    const known = 'Bytes|Words|fillBytes|imul|moveBytes';
    expect(text).toMatch(
      new RegExp(`^import \\{ (?:(?:${known})(?:, )?)+ \\} from '../../engine/intrinsics.ts';$`, 'm'),
    );
    // Neither a method nor a global: all that is called is an intrinsic or a function of the text.
    const body = text.slice(text.indexOf('export function'));
    const called = new Set([...body.matchAll(/([\w.]+)\(/g)].map(([, name]) => name));
    const defined = new Set([...body.matchAll(/(?:function|const) (\w+)/g)].map(([, name]) => name));
    const others = [...called].filter((name) => !defined.has(name) && !['if', 'while', 'for'].includes(name));
    expect(others.join()).toMatch(new RegExp(`^(?:(?:${known}),?)+$`));
  });

  it('makes no code at run time', () => {
    expect(text).not.toMatch(/\beval\b|\bFunction\b|import\s*\(/);
  });

  it('has no choice but the conditions of `if` and loops, and no operation whose time depends on a value', () => {
    const body = text.slice(text.indexOf('export function'));
    expect(body).not.toMatch(/\?|&&|\|\||switch|\*\*|[/%]|\.[a-z]/i);
    const comparison = /[=!]==|[^<]<[^<]|[^>=]>[^>]|[^>]>=/;
    const conditions = body.split('\n').filter((line) => comparison.test(line));
    expect(conditions.length).toBeGreaterThan(0);
    for (const line of conditions)
      expect(line).toMatch(/^ *(if \(.*\) \{|\} while \(.*\);|for \(let i = 0; i < 4; i\+\+\) .*)$/);
  });
});

describe('refuses', () => {
  /** A module of one function, which is exported. */
  const body = (make: (frame: Frame, a: Local<'i32'>, b: Local<'i32'>) => Statement[]): Module => {
    const module = new Module(1);
    module.define('f', ['i32', 'i32'], undefined, (frame, a, b) => make(frame, a, b) as [Statement]);
    return module;
  };
  const code = (...bytes: number[]): Statement => String.fromCharCode(...bytes) as Statement;

  it('every opcode that is not listed, with its place', () => {
    for (let opcode = 0; opcode < 256; opcode++) {
      if (byOpcode.has(opcode) || opcode === 0xfc) continue;
      const module = body(() => [code(opcode, 0, 0)]);
      const at = module.bytes().lastIndexOf(opcode, -4);
      expect(() => textOf(module)).toThrow(`opcode 0x${opcode.toString(16)} at ${at} has no form`);
    }
    for (let second = 0; second < 32; second++)
      if (!byOpcode.has(0xfc00 + second))
        expect(() => textOf(body(() => [code(0xfc, second, 0, 0)]))).toThrow(/opcode 0xfc\w\w at \d+ has no form/);
  });

  it('types that JavaScript lacks', () => {
    const wide = new Module(1);
    wide.define('f', ['i64'], undefined, () => ['' as Statement]);
    expect(() => textOf(wide)).toThrow(/type 0x7e at \d+/);
    const vector = body((frame, a) => [set(frame.local('v128'), v128.load(a))]);
    expect(() => textOf(vector)).toThrow(/type 0x7b at \d+/);
  });

  it('constants in memory', () => {
    const module = body(() => ['' as Statement]);
    module.data(0, [1]);
    expect(() => textOf(module)).toThrow(/section 11 at \d+/);
  });

  it('what is no module, or ends too early', () => {
    expect(() => transliterate(new Uint8Array(8), naming)).toThrow(/not a module/);
    const bytes = body((_, a) => [i32.store(a, 0, 1)]).bytes();
    for (let length = 9; length < bytes.length; length++)
      expect(() => transliterate(bytes.subarray(0, length), naming)).toThrow();
  });

  it.each(['eq', 'ne', 'lt_u', 'gt_u', 'le_u', 'ge_u'] as const)('i32.%s as a value', (name) => {
    expect(() => textOf(body((_, a, b) => [i32.store(0, 0, i32[name](a, b))]))).toThrow('it would become a choice');
    expect(() => textOf(body((_, a, b) => [when(i32.add(1, i32[name](a, b)), set(a, b))]))).toThrow('a choice');
    expect(textOf(body((_, a, b) => [when(i32[name](a, b), set(a, b))]))).toContain('if (');
  });

  it('an assignment to what waits on the stack', () => {
    expect(() => textOf(body((_, a) => [i32.store(0, 0, i32.add(a, tee(a, i32.value(1))))]))).toThrow(
      /the old value waits/,
    );
    const early = body((_, a, b) => [i32.store(0, 0, (a + set(a, b) + '\x01'.slice(1)) as Expression<'i32'>)]);
    expect(() => textOf(early)).toThrow(/a value waits on the stack: local.set/);
    const store = body((_, a, b) => [set(a, (i32.load(0) + i32.store(0, 0, b)) as Expression<'i32'>)]);
    expect(() => textOf(store)).toThrow(/a value waits on the stack: i32.store/);
  });

  it('branches other than the end of a loop', () => {
    const leave = body((_, a) => [loop((breakIf(a) + set(a, i32.value(1))) as Statement, a)]);
    expect(() => textOf(leave)).toThrow(/not at the end of a loop/);
    const outer = body((_, a) => [loop(when(a, breakIf(a, 1)), a)]);
    expect(() => textOf(outer)).toThrow(/unexpected: br_if/);
    expect(() => textOf(body((_, a) => [block(breakIf(a))]))).toThrow(/opcode 0x2 at/);
  });

  it('a word at a constant address that is no multiple of four', () => {
    expect(() => textOf(body(() => [i32.store(2, 0, 1)]))).toThrow(/a word at 2/);
    expect(textOf(body(() => [i32.store_unaligned(2, 0, 1)]))).toContain('writeWord(2, 1)');
  });

  it('to write twice what has effects', () => {
    const module = body((_, a, b) => [
      ((tee(a, b) as string) + i32.value(0) + i32.value(1) + '\xfc\x0b\x00') as Statement,
    ]);
    expect(() => textOf(module)).toThrow(/written twice/);
  });

  it('rotations by a variable', () => {
    expect(() => textOf(body((_, a, b) => [set(a, i32.rotl(a, b))]))).toThrow(/rotation by a variable/);
  });
});

describe('reads well', () => {
  it('locals declared by their first assignment, if that is in the block of all others', () => {
    const module = new Module(1);
    module.define('f', ['i32'], undefined, (frame, a) => {
      const [once, inside, counter, early] = frame.locals('i32', 4);
      return [
        set(once, i32.load(a)),
        when(once, sequence(set(inside, i32.load(a, 4)), i32.store(a, 8, inside))),
        set(counter, i32.value(3)),
        loop(set(early, i32.add(early, once)), tee(counter, i32.sub(counter, 1))),
        i32.store(0, 4, i32.add(i32.load(0, 4), early)),
      ];
    });
    expect(textOf(module)).toBe(`import { Words } from './intrinsics.ts';

export function made(memory: ArrayBuffer): object {
  const words = new Words(memory);
  function f(p0: number): void {
    let x3 = 0;
    let x0 = words[p0 >> 2];
    if (x0 !== 0) {
      let x1 = words[(p0 + 4) >> 2];
      words[(p0 + 8) >> 2] = x1;
    }
    let x2 = 3;
    do {
      x3 = (x3 + x0) | 0;
    } while ((x2 = (x2 - 1) | 0) !== 0);
    words[1] += x3;
  }
  return { f };
}
`);
  });

  it('constants folded into places, rotations of variables in place, unused functions left out', () => {
    const module = new Module(1);
    module.define(undefined, [], undefined, () => [i32.store(0, 4, 5)]);
    module.define('f', ['i32', 'i32'], 'i32', (frame, a, b) => {
      const x = frame.local('i32');
      return [
        i32.store(0, 64, i32.load(a, 12)),
        i32.store8(i32.add(8, a), 1, b),
        set(x, i32.xor(a, b)),
        set(x, i32.rotl(x, 7)),
        set(x, i32.xor(x, -1)),
        set(x, i32.xor(x, i32.add(a, b))),
        i32.eqz(x),
      ];
    });
    expect(textOf(module)).toBe(`import { Bytes, Words } from './intrinsics.ts';

export function made(memory: ArrayBuffer): object {
  const words = new Words(memory);
  const bytes = new Bytes(memory);
  const isZero = (x: number): number => ((x | (0 - x)) >>> 31) ^ 1;
  function f(p0: number, p1: number): number {
    words[16] = words[(p0 + 12) >> 2];
    bytes[p0 + 9] = p1;
    let x0 = p0 ^ p1;
    x0 = (x0 << 7) | (x0 >>> 25);
    x0 = ~x0;
    x0 ^= p0 + p1;
    return isZero(x0);
  }
  return { f };
}
`);
  });
});

describe('the bytes of modules', () => {
  it.each(Object.entries(byteFiles))('src/%s is what npm run generate makes', (file, text) => {
    expect(readFileSync(join(src, file), 'utf8') === text, 'run `npm run generate`').toBe(true);
  });

  const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const published = async (room: string): Promise<Record<string, string>> =>
    (await import(join(src, room, 'generated-bytes.ts'))) as Record<string, string>;
  const named = rooms.flatMap((room) => room.modules.map((module) => ({ room: room.name, ...module })));
  const constantOf = (name: string, part: string): string =>
    name.replace(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase()) + part;

  it.each(named)("of $name are the assembler's in every form", async ({ room, name, forms, make, hexadecimal }) => {
    const texts = await published(room);
    for (const form of forms) {
      const text = texts[constantOf(name, form === 'scalar' ? 'Scalar' : 'Vectors')];
      const bytes = hexadecimal ? decoded(text) : unpacked(text);
      if (form === 'swizzle') makePlain(bytes, bytes.length);
      expect(hexOf(bytes) === hexOf(make(lanesOf(form)).bytes()), form).toBe(true);
    }
  });

  it('are decoded without the host in the same way', async () => {
    const Host = Uint8Array as { fromHex?: unknown };
    const own = Object.getOwnPropertyDescriptor(Host, 'fromHex')!;
    expect(own).toBeDefined();
    delete Host.fromHex;
    try {
      vi.resetModules();
      const { decoded: byHand } = await import('../../src/engine/bytes.ts');
      const all = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0')).join('');
      for (const text of ['', 'ff', '0180', '7f80ff', '00ff00ff01', all]) expect(hexOf(byHand(text))).toBe(text);
    } finally {
      Object.defineProperty(Host, 'fromHex', own);
    }
  });
});

it('package.json exports the doors', () => {
  const text = readFileSync(manifest, 'utf8');
  expect(withExports(text), 'run `npm run generate`').toBe(text);
});
