/**
 * The machine's events: each forbidden action of a kernel is noticed, at its instruction. And the modules that the
 * machine refuses to run.
 */
import { describe, expect, it } from 'vitest';
import * as control from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import * as i64 from '../../lanewise/src/wasm/i64.ts';
import { Module } from '../../lanewise/src/wasm/module.ts';
import type { Expression, Local, Statement, ValueType } from '../../lanewise/src/wasm/types.ts';
import * as v128 from '../../lanewise/src/wasm/v128.ts';
import { Machine, Stopped, type Event, type MachineOptions } from '../src/execute/machine.ts';
import { add, constant, numberOf, parts, variable, xor, zeroExtend, type Term } from '../src/terms/term.ts';
import { decode } from '../src/wasm/decode.ts';
import type { DecodedModule, Opcode } from '../src/wasm/types.ts';

type Body = (x: Local<'i32'>, y: Local<'i32'>) => readonly [...Statement[], Expression<'i32'>];

/** A module whose function `run` takes two words and gives back one. */
function moduleOf(body: Body): DecodedModule {
  const module = new Module(1);
  module.define('run', ['i32', 'i32'], 'i32', (_, x, y) => body(x, y));
  return decode(module.bytes());
}

const secret = variable(32, 'secret', true);
const hidden = variable(32, 'public', false);

const raw = <T extends ValueType>(...code: readonly string[]): Expression<T> => code.join('') as Expression<T>;

/** The place of the only instruction with this name. */
function placeOf(module: DecodedModule, op: Opcode): number {
  const found = module.functions.flatMap((f) => f.code).filter((instruction) => instruction.op === op);
  expect(found).toHaveLength(1);
  return found[0].at;
}

function stoppedBy(machine: Machine, ...parameters: readonly (number | Term)[]): Stopped {
  try {
    machine.call('run', ...parameters);
  } catch (error) {
    if (error instanceof Stopped) return error;
    throw error;
  }
  throw new Error('the machine did not stop');
}

/** For each kind of leak, an instruction that leaks the first parameter. */
const leaks: readonly [kind: string, op: Opcode, body: Body][] = [
  ['branch', 'if', (x) => [control.when(x, i32.store(0, 64, 1)), i32.value(0)]],
  ['branch', 'br_if', (x) => [control.block(control.breakIf(x)), i32.value(0)]],
  ['address', 'i32.load', (x) => [i32.load(x)]],
  ['address', 'i32.load8_u', (x) => [i32.load8_u(x, 9)]],
  ['address', 'i64.load', (x) => [i64.wrap_i64(i64.load(x))]],
  ['address', 'i64.load32_u', (x) => [i64.wrap_i64(i64.load32_u(x))]],
  ['address', 'v128.load', (x) => [v128.i32x4_extract_lane(v128.load(x), 0)]],
  ['address', 'v128.load32_splat', (x) => [v128.i32x4_extract_lane(v128.load32_splat(x), 0)]],
  ['address', 'i32.store', (x) => [i32.store(x, 0, 1), i32.value(0)]],
  ['address', 'i32.store8', (x) => [i32.store8(x, 0, 1), i32.value(0)]],
  ['address', 'i64.store', (x) => [i64.store(x, 0, 1n), i32.value(0)]],
  ['address', 'i64.store32', (x) => [i64.store32(x, 0, 1n), i32.value(0)]],
  ['address', 'v128.store', (x) => [v128.store(x, 0, v128.i32x4_splat(x)), i32.value(0)]],
  ['address', 'memory.fill', (x) => [control.fill(x, 0, 1), i32.value(0)]],
  ['length', 'memory.fill', (x) => [control.fill(64, 0, x), i32.value(0)]],
  ['address', 'memory.copy', (x) => [control.copy(x, 64, 1), i32.value(0)]],
  ['address', 'memory.copy', (x) => [control.copy(64, x, 1), i32.value(0)]],
  ['length', 'memory.copy', (x) => [control.copy(64, 128, x), i32.value(0)]],
  ['division', 'i32.div_u', (x) => [raw(i32.value(100), x, '\x6e')]],
  ['division', 'i32.div_u', (x) => [raw(x, i32.value(3), '\x6e')]],
  ['division', 'i32.rem_s', (x) => [raw(i32.value(100), x, '\x6f')]],
  ['select', 'select', (x) => [raw(i32.value(1), i32.value(2), x, '\x1b')]],
  [
    'swizzle index',
    'i8x16.swizzle',
    (x) => [v128.i32x4_extract_lane(v128.i8x16_swizzle(v128.i32x4(1, 2, 3, 4), v128.i32x4_splat(x)), 0)],
  ],
];

describe('leaks', () => {
  it.each(leaks)('a %s by %s that depends on a secret', (kind, op, body) => {
    const module = moduleOf(body);
    const expected: Event = { kind: 'leak', what: kind, op, at: placeOf(module, op), function: 0 };

    const machine = new Machine(module);
    const stopped = stoppedBy(machine, secret, 0);
    expect(machine.events).toEqual([expected]);
    expect([stopped.reason, stopped.at]).toEqual(['leak', expected.at]);

    // With a value to follow, the run goes on, and the event is still recorded.
    const following = new Machine(module, { follow: () => 4 });
    following.call('run', secret, 0);
    expect(following.events.length).toBeGreaterThan(0);
    for (const event of following.events) expect(event).toEqual(expected);
  });

  it.each(leaks)('none of a %s by %s that is public; but the run cannot go on', (_, __, body) => {
    const machine = new Machine(moduleOf(body));
    expect(stoppedBy(machine, hidden, 0).reason).toBe('unknown');
    expect(machine.events).toEqual([]);
  });

  it.each(leaks)('none of a %s by %s that is constant', (_, __, body) => {
    const machine = new Machine(moduleOf(body));
    machine.call('run', 4, 0);
    expect(machine.events).toEqual([]);
  });

  const shifts: readonly [Opcode, Body][] = [
    ['i32.shl', (x, y) => [i32.shl(y, x)]],
    ['i32.rotr', (x, y) => [i32.rotr(y, x)]],
    ['i64.shr_u', (x, y) => [i64.wrap_i64(i64.shr_u(i64.extend_i32_u(y), i64.extend_i32_u(x)))]],
    ['i32x4.shl', (x, y) => [v128.i32x4_extract_lane(v128.i32x4_shl(v128.i32x4_splat(y), x), 1)]],
    ['i64x2.shr_u', (x, y) => [v128.i32x4_extract_lane(v128.i64x2_shr_u(v128.i32x4_splat(y), x), 1)]],
  ];
  it.each(shifts)('a shift count of %s that depends on a secret: the run goes on', (op, body) => {
    const module = moduleOf(body);
    const machine = new Machine(module);
    machine.call('run', secret, 5);
    expect(machine.events).toEqual([{ kind: 'leak', what: 'shift count', op, at: placeOf(module, op), function: 0 }]);
    const others = new Machine(module);
    others.call('run', 3, secret);
    others.call('run', hidden, secret);
    expect(others.events).toEqual([]);
  });

  it('names the function that leaks', () => {
    const module = new Module(1);
    const inner = module.define(undefined, ['i32'], 'i32', (_, x) => [i32.load8_u(x)]);
    module.define('run', ['i32'], 'i32', (_, x) => [i32.add(inner(x), i32.load8_u(x))]);
    const machine = new Machine(decode(module.bytes()), { follow: () => 7 });
    machine.call('run', secret);
    expect(machine.events.map((event) => event.function)).toEqual([0, 1]);
  });

  it('stays with a value that arithmetic keeps, and goes with it', () => {
    const machine = new Machine(moduleOf((x, y) => [control.when(i32.xor(i32.xor(x, y), x), i32.store(0, 64, 1)), x]));
    machine.call('run', secret, 1);
    expect(machine.events).toEqual([]);
    expect(numberOf(machine.readWords(64, 1)[0])).toBe(1);
  });
});

describe('memory', () => {
  const reads: Body = (x) => [i32.load_unaligned(x, 2)];
  const copies: Body = (x, y) => [control.copy(x, y, 8), i32.value(0)];
  const within = (options: Pick<MachineOptions<Term>, 'ranges'>, body: Body): Machine =>
    new Machine(moduleOf(body), options);

  it('records reads of what nothing was written to, outside of the ranges', () => {
    const machine = within({ ranges: { reads: [{ from: 100, to: 108 }] } }, reads);
    for (const address of [98, 102]) machine.call('run', address, 0);
    expect(machine.events).toEqual([]);
    for (const address of [97, 103]) machine.call('run', address, 0);
    expect(machine.events.map(({ kind, what }) => [kind, what])).toEqual([
      ['over-read', 'address 99'],
      ['over-read', 'address 108'],
    ]);
  });

  it('allows reads of what was written, by the harness, data or an instruction', () => {
    const module = new Module(1);
    module.data(300, [1, 2, 3, 4]);
    const sum = i32.add(i32.load(0, 400), i32.add(i32.load(0, 300), i32.load(0, 200)));
    module.define('run', [], 'i32', (): [Statement, Expression<'i32'>] => [i32.store(0, 400, 9), sum]);
    const machine = new Machine(decode(module.bytes()), { ranges: { reads: [] } });
    machine.write(200, [secret]);
    expect(machine.call('run')).toBe(add(secret, constant(32, 0x04030201 + 9)));
    expect(machine.events).toEqual([]);
  });

  it('records writes outside of the ranges, also those of a copy, and copies reads', () => {
    const machine = within({ ranges: { reads: [{ from: 0, to: 50 }], writes: [{ from: 64, to: 80 }] } }, copies);
    machine.call('run', 64, 42);
    machine.call('run', 72, 0);
    expect(machine.events).toEqual([]);
    machine.call('run', 73, 43);
    expect(machine.events.map(({ kind, what }) => [kind, what])).toEqual([
      ['over-read', 'address 50'],
      ['stray-write', 'address 80'],
    ]);
    expect(machine.written()).toEqual(Array.from({ length: 17 }, (_, i) => 64 + i));
  });

  it('takes new ranges between calls', () => {
    const machine = within({ ranges: { writes: [] } }, copies);
    machine.ranges = { writes: [{ from: 8, to: 16 }] };
    machine.call('run', 8, 0);
    expect(machine.events).toEqual([]);
  });

  it('has a variable for every byte of which nothing is known', () => {
    const machine = within({}, copies);
    machine.call('run', 20, 16);
    // Overlapping copies: the copied bytes are those from before the copy.
    expect(machine.read(20, 8)).toEqual(Array.from({ length: 8 }, (_, i) => variable(8, `memory[${16 + i}]`, false)));
  });

  it('lists the bytes that depend on secrets, and no others', () => {
    const machine = within({}, (x) => [i32.store_unaligned(0, 65, x), i32.store8(0, 66, 0), i32.value(0)]);
    machine.write(0, [secret, hidden]);
    machine.write(8, parts(xor(secret, secret), 8));
    machine.call('run', secret, 0);
    expect(machine.secretBytes()).toEqual([0, 1, 2, 3, 65, 67, 68]);
    machine.call('run', hidden, 0);
    expect(machine.secretBytes()).toEqual([0, 1, 2, 3]);
  });

  it('is all that a harness can read and write', () => {
    const machine = within({}, reads);
    machine.write(65532, [secret]);
    expect(machine.readWords(65532, 1)).toEqual([secret]);
    expect(() => machine.write(65533, [secret])).toThrow('4 bytes at 65533 are not in memory');
    expect(() => machine.read(65535, 2)).toThrow('2 bytes at 65535 are not in memory');
    expect(() => machine.readWords(-4, 1)).toThrow('4 bytes at -4 are not in memory');
    expect(() => machine.write(0, [zeroExtend(secret, 64)])).toThrow('only terms of 8 and 32 bits');
    expect(() => machine.call('run', 1)).toThrow('run has other parameters');
    expect(() => machine.call('walk')).toThrow('the module exports no function walk');
  });

  it('traps at its end, as the engine does', () => {
    const machine = within({}, reads);
    machine.call('run', 65536 - 6, 0);
    for (const address of [65536 - 5, 65536, -1]) expect(stoppedBy(machine, address, 0).reason).toBe('trap');
    expect(stoppedBy(within({}, copies), 65529, 0).reason).toBe('trap');
    expect(stoppedBy(within({}, copies), 0, 65529).reason).toBe('trap');
  });
});

describe('what cannot be run', () => {
  it('stops at a relaxed swizzle whose index engines read differently', () => {
    const lanes =
      (n: number): Body =>
      () => [v128.i32x4_extract_lane(v128.i8x16_relaxed_swizzle(v128.i32x4(1, 2, 3, 4), v128.i32x4(n, 0, 0, 0)), 0)];
    expect(numberOf(new Machine(moduleOf(lanes(15))).call('run', 0, 0)!)).toBe(0x01010100);
    expect(stoppedBy(new Machine(moduleOf(lanes(16))), 0, 0).reason).toBe('unsupported');
  });

  it('stops at doubles, growing memory, traps and endless loops', () => {
    const stopped = (body: Body): string => stoppedBy(new Machine(moduleOf(body), { mostSteps: 1000 }), 0, 0).reason;
    expect(stopped(() => [raw('\x44' + '\0'.repeat(8), '\xaa')])).toBe('unsupported');
    expect(stopped(() => [raw(i32.value(1), '\x40\x00')])).toBe('unsupported');
    expect(stopped(() => ['\x00' as string as Statement, i32.value(0)])).toBe('trap');
    expect(stopped((x) => [raw(i32.value(1), x, '\x6e')])).toBe('trap');
    expect(stopped(() => [control.loop(control.sequence(), 1), i32.value(0)])).toBe('limit');
  });
});
