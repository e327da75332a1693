/** Parameters that are unknown addresses: the accesses through them, and the uses that end the run. */
import { describe, expect, it } from 'vitest';
import * as control from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import { Module } from '../../lanewise/src/wasm/module.ts';
import type { Expression, Local, Statement } from '../../lanewise/src/wasm/types.ts';
import { baseTerm, type Base } from '../src/execute/bases.ts';
import { Machine } from '../src/execute/machine.ts';
import { JavaScriptMachine } from '../src/javascript/runner.ts';
import { parse } from '../src/javascript/parse.ts';
import { constant, variable } from '../src/terms/term.ts';
import { decode } from '../src/wasm/decode.ts';

const from: Base = { name: 'from', home: 256, length: 32 };
const to: Base = { name: 'to', home: 512, length: 16 };
const bases = [from, to];
const byte = variable(8, 'byte', true);

describe('in a module', () => {
  const run = (body: (x: Local<'i32'>, y: Local<'i32'>) => readonly Statement[]): Machine => {
    const module = new Module(1);
    module.define('run', ['i32', 'i32'], undefined, (_, x, y) => body(x, y));
    const machine = new Machine(decode(module.bytes()), { bases });
    machine.write(
      from.home,
      Array.from({ length: from.length }, () => byte),
    );
    machine.call('run', baseTerm(from), baseTerm(to));
    return machine;
  };
  const store = (x: Expression<'i32'>, offset: number): Statement => i32.store8(x, offset, 1);

  it('finds what lies behind a base and a constant', () => {
    const machine = run((x, y) => [
      control.set(x, i32.add(x, 16)),
      i32.store8(i32.add(y, 4), 7, i32.load8_u(i32.sub(x, 3), 2)),
      control.copy(y, i32.add(x, 8), 8),
      i32.store8(0, 300 + 300, 1),
    ]);
    expect(machine.read(to.home + 11, 1)).toEqual([byte]);
    expect(machine.read(to.home, 8)).toEqual(Array.from({ length: 8 }, () => byte));
    expect(machine.events).toEqual([]);
  });

  it.each<[what: string, body: Parameters<typeof run>[0], message: RegExp]>([
    ['a byte behind its own', (x) => [store(x, 32)], /1 bytes at 32 from from on, which has 32/],
    ['a byte in front of them', (x) => [store(i32.sub(x, 1), 0)], /1 bytes at -1 from from on/],
    ['a word that leaves its own', (_, y) => [i32.store(y, 13, 1)], /4 bytes at 13 from to on/],
    ['bytes that a constant may meet', () => [store(i32.value(0), 271)], /271 is where something else may lie/],
    ['many that end there', () => [control.fill(200, 0, 57)], /200 is where something else may lie/],
    ['a sum of two', (x, y) => [store(i32.add(x, y), 0)], /a address that is not constant/],
    ['twice one', (x) => [store(i32.shl(x, 1), 0)], /a address that is not constant/],
    ['a branch', (x) => [control.when(i32.eq(x, from.home), store(x, 0))], /a branch that is not constant/],
    ['a length', (x) => [control.fill(0, 0, x)], /a length that is not constant/],
  ])('ends the run at %s', (_, body, message) => {
    expect(() => run(body)).toThrow(message);
  });

  it('has no such parameters unless it is told', () => {
    const module = new Module(1);
    module.define('run', ['i32'], undefined, (_, x) => [i32.store8(x, 0, 1)]);
    const machine = new Machine(decode(module.bytes()));
    expect(() => machine.call('run', baseTerm(from))).toThrow(/a address that is not constant/);
  });
});

describe('in a text', () => {
  const run = (body: string): JavaScriptMachine => {
    const text = `import { Bytes, Words, fillBytes, moveBytes } from '../../engine/intrinsics.ts';
    export function make(memory: ArrayBuffer): Functions {
      const words = new Words(memory);
      const bytes = new Bytes(memory);
      function run(p0: number, p1: number): void { ${body} }
      return { run };
    }`;
    const machine = new JavaScriptMachine(parse(text), { memoryBytes: 1024, bases });
    machine.write(
      from.home,
      Array.from({ length: from.length }, () => byte),
    );
    machine.call('run', baseTerm(from), baseTerm(to));
    return machine;
  };

  it('finds what lies behind a base and a constant', () => {
    const machine = run(`
      p0 = (p0 + 16) | 0;
      bytes[p1 + 3] = bytes[p0 + 5];
      words[(p1 + 8) >> 2] = words[(p0 + 4) >> 2];
      words[p1 >> 2] = 7;
      bytes[300 + 300] = 1;`);
    expect(machine.read(to.home + 3, 1)).toEqual([constant(8, 0)]);
    expect(machine.read(to.home + 8, 4)).toEqual(Array.from({ length: 4 }, () => byte));
    expect(machine.events).toEqual([]);
  });

  it.each([
    ['a byte behind its own', 'bytes[p0 + 32] = 1;', /may be something else's/],
    ['a word behind them', 'words[(p1 + 16) >> 2] = 1;', /may be something else's/],
    ['a word that begins within another', 'words[(p1 + 2) >> 2] = 1;', /an index is not known/],
    ['an element of another size', 'words[p1] = 1;', /may be something else's|not known/],
    ['a byte beyond 2^32', 'bytes[p1 + 4294967296] = 1;', /an index is not known/],
    ['an element beyond 2^32', 'words[(p1 >> 2) + 4294967296] = 1;', /an index is not known/],
    ['bytes that a constant may meet', 'bytes[271] = 1;', /may be something else's/],
    ['many that end there', 'fillBytes(bytes, 0, 200, 257);', /may be something else's/],
    ['a copy from there', 'moveBytes(bytes, 0, 250, 257);', /may be something else's/],
    ['a copy to there', 'moveBytes(bytes, 511, 0, 2);', /may be something else's/],
    ['a sum of two', 'bytes[p0 + p1] = 1;', /an index is not known/],
    ['a condition', 'if (p0 !== 256) { bytes[0] = 1; }', /a condition is not known/],
  ])('ends the run at %s', (_, body, message) => {
    expect(() => run(body)).toThrow(message);
  });
});
