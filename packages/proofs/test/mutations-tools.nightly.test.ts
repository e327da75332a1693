/** The tools for judging mutants: edits of modules, modules that stop, reasons, and the engine as a judge. */
import { describe, expect, it } from 'vitest';
import { loop, sequence, set, when } from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import { Module, type Frame } from '../../lanewise/src/wasm/module.ts';
import type { Local, Statement } from '../../lanewise/src/wasm/types.ts';
import * as v128 from '../../lanewise/src/wasm/v128.ts';
import { kernelOf, kernels } from '../src/kernels.ts';
import { callNames } from '../src/mutations/calls.ts';
import { difference } from '../src/mutations/difference.ts';
import { plantedIn } from '../src/mutations/faults.ts';
import { withFuel } from '../src/mutations/fuel.ts';
import { asModule, flipped } from '../src/mutations/mutants.ts';
import { edited, patched } from '../src/mutations/patch.ts';
import { reasonFor } from '../src/mutations/same.ts';
import { proofsOf } from '../src/rooms.ts';
import { decode } from '../src/wasm/decode.ts';
import { exported } from '../src/wasm/types.ts';

type Body = (x: Local<'i32'>, frame: Frame) => readonly Statement[];

function moduleOf(body: Body): Uint8Array<ArrayBuffer> {
  const module = new Module(1);
  module.define('f', ['i32'], undefined, (frame, x) => body(x, frame));
  return module.bytes();
}

describe('edits', () => {
  const kernel = kernelOf('chacha short relaxed');
  const { functions } = decode(kernel.bytes);

  it('of nothing leave the module as it was', () => {
    expect(edited(kernel.bytes, functions, [])).toEqual(kernel.bytes);
    expect(patched(kernel.bytes, functions[3].code[5].at, 0, '')).toEqual(kernel.bytes);
  });

  it('add and remove code, so that sizes stay right', () => {
    const two = [functions[0].code[0], functions[2].code[1]].map(({ at }) => ({
      at,
      removed: 0,
      code: '\x41\x05\x1a',
    }));
    const bytes = edited(kernel.bytes, functions, two);
    expect(bytes.length).toBe(kernel.bytes.length + 6);
    const changed = decode(bytes).functions;
    expect(changed[0].code.slice(0, 2)).toMatchObject([{ op: 'i32.const', value: 5 }, { op: 'drop' }]);
    expect(changed[1].code.map(({ op }) => op)).toEqual(functions[1].code.map(({ op }) => op));
    expect(changed[2].code.slice(1, 3)).toMatchObject([{ op: 'i32.const', value: 5 }, { op: 'drop' }]);
    expect(patched(bytes, changed[2].code[1].at, 3, '').length).toBe(kernel.bytes.length + 3);
  });

  it('outside of functions, or not in order, are errors', () => {
    expect(() => patched(kernel.bytes, 4, 0, '')).toThrow('edits are not in order');
    const [a, b] = [functions[0].at, functions[1].at].map((at) => ({ at, removed: 0, code: '' }));
    expect(() => edited(kernel.bytes, functions, [b, a])).toThrow('edits are not in order');
  });
});

describe('fuel', () => {
  const running = (bytes: Uint8Array<ArrayBuffer>, fuel: number): ((x: number) => void) => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(withFuel(bytes, decode(bytes), fuel)));
    return exports['f'] as (x: number) => void;
  };

  it('ends loops and calls that do not end, and no others', () => {
    const turns = moduleOf((x) => [loop(set(x, i32.sub(x, 1)), x)]);
    // One unit of fuel for the call, and one for each iteration.
    expect(() => running(turns, 101)(100)).not.toThrow();
    expect(() => running(turns, 100)(100)).toThrow(WebAssembly.RuntimeError);
    expect(() =>
      running(
        moduleOf(() => [loop('' as Statement, 1)]),
        1e6,
      )(0),
    ).toThrow(WebAssembly.RuntimeError);
    const itself = moduleOf((x) => [when(x, (x + '\x10\x00') as Statement)]);
    expect(() => running(itself, 1000)(1)).toThrow(WebAssembly.RuntimeError);
  });

  it.each(kernels)('$name does the same with it', (kernel) => {
    const bytes = withFuel(kernel.bytes, decode(kernel.bytes), 1e8);
    expect(WebAssembly.validate(bytes)).toBe(true);
    expect(WebAssembly.Module.exports(new WebAssembly.Module(bytes)).length).toBe(decode(kernel.bytes).exports.length);
  });
});

describe('reasons', () => {
  const vector = v128.load(0);
  const shuffle = (a: number, b: number, second: Local<'v128'> | undefined): Body => {
    return (_, frame) => {
      const y = frame.local('v128');
      frame.local('v128');
      return [set(y, vector), v128.store(0, 0, v128.shuffle32(y, second ?? y, a, b, 2, 3))];
    };
  };
  /** Sets one of two locals, and reads the second if asked. */
  const setting = (which: 0 | 1, read: boolean): Body => {
    return (x, frame) => {
      const pair = frame.locals('i32', 2);
      return [set(pair[which], x), i32.store(0, 0, read ? pair[1] : x)];
    };
  };
  const setTwice = (value: number, read: boolean): Body => {
    return (x, frame) => {
      const y = frame.local('i32');
      const first = [set(y, i32.add(x, value)), ...(read ? [i32.store(0, 4, y)] : [])];
      return [...first, set(y, i32.load(x, 0)), i32.store(0, 0, y)];
    };
  };
  /** The value is that of the turn before, if a turn reads it before it sets it. */
  const inLoop = (value: number, read: boolean): Body => {
    return (x, frame) => {
      const [y, z] = frame.locals('i32', 2);
      const reading = i32.store(0, 0, y);
      const setting = set(y, i32.load(x, 8));
      return [
        loop(
          sequence(
            ...(read ? [reading, setting] : [setting, reading]),
            set(z, i32.load(y, 0)),
            i32.store(z, 0, z),
            set(y, i32.add(x, value)),
          ),
          i32.load(x, 4),
        ),
      ];
    };
  };
  const setFirst = (which: 'local' | 'other local' | 'parameter', value: number): Body => {
    return (x, frame) => {
      const [y, z] = frame.locals('i32', 2);
      const set0 = set({ local: y, 'other local': z, parameter: x }[which], i32.value(value));
      return [set0, ...[x, y, z].map((local, i) => i32.store(0, 4 * i, local))];
    };
  };
  /** The same after another statement. */
  const setSecond = (...[which, value]: Parameters<typeof setFirst>): Body => {
    return (x, frame) => {
      const other = frame.local('i32');
      return [set(other, x), ...setFirst(which, value)(x, frame), i32.store(0, 16, other)];
    };
  };
  const read = (x: Local<'i32'>): Statement => i32.store(0, 0, x);
  const cases: readonly (readonly [string | undefined, Body, Body])[] = [
    ['alignment hint', (x) => [i32.store(x, 4, 1)], (x) => [i32.store_unaligned(x, 4, 1)]],
    [undefined, (x) => [i32.store(x, 4, 1)], (x) => [i32.store(x, 8, 1)]],
    ['shift count', (x) => [set(x, i32.shl(x, 5))], (x) => [set(x, i32.shl(x, 37))]],
    [undefined, (x) => [set(x, i32.shl(x, 5)), read(x)], (x) => [set(x, i32.shl(x, 6)), read(x)]],
    [undefined, (x) => [set(x, i32.add(x, 5)), read(x)], (x) => [set(x, i32.add(x, 37)), read(x)]],
    [
      'shift count',
      () => [v128.store(0, 0, v128.i32x4_shl(vector, 5))],
      () => [v128.store(0, 0, v128.i32x4_shl(vector, 37))],
    ],
    [
      undefined,
      () => [v128.store(0, 0, v128.i64x2_shl(vector, 5))],
      () => [v128.store(0, 0, v128.i64x2_shl(vector, 37))],
    ],
    ['shuffle of equal operands', shuffle(0, 1, undefined), shuffle(4, 5, undefined)],
    [undefined, shuffle(0, 1, undefined), shuffle(1, 1, undefined)],
    [undefined, shuffle(0, 1, '\x20\x02' as Local<'v128'>), shuffle(4, 5, '\x20\x02' as Local<'v128'>)],
    ['same terms', (x) => [set(x, i32.or(i32.shl(x, 8), 7))], (x) => [set(x, i32.xor(i32.shl(x, 8), 7))]],
    [
      undefined,
      (x) => [set(x, i32.or(i32.shl(x, 2), 7)), read(x)],
      (x) => [set(x, i32.xor(i32.shl(x, 2), 7)), read(x)],
    ],
    [
      'same terms',
      (x) => [i32.store(x, 4, i32.and(i32.load(x, 8), 0))],
      (x) => [i32.store(x, 4, i32.and(i32.load(x, 12), 0))],
    ],
    [undefined, (x) => [i32.store(x, 4, i32.load(x, 8))], (x) => [i32.store(x, 4, i32.load(x, 12))]],
    [undefined, (x) => [set(x, i32.or(i32.shl(x, 8), 7)), read(x)], (x) => [set(x, x), read(x)]],
    // A value that is set again before it is read, also where a loop begins again; and one that is read.
    ['same terms', setTwice(1, false), setTwice(2, false)],
    [undefined, setTwice(1, true), setTwice(2, true)],
    ['same terms', inLoop(1, false), inLoop(2, false)],
    [undefined, inLoop(1, true), inLoop(2, true)],
    // Locals are zero where a function begins, and parameters aren't.
    ['same terms', setFirst('local', 0), setFirst('other local', 0)],
    [undefined, setFirst('local', 1), setFirst('other local', 1)],
    [undefined, setFirst('local', 0), setFirst('parameter', 0)],
    ['same terms', setSecond('local', 0), setSecond('other local', 0)],
    [undefined, setSecond('local', 0), setSecond('parameter', 0)],
    ['value that is never read', setting(0, false), setting(1, false)],
    [undefined, setting(0, true), setting(1, true)],
    ['local that is not used', (x) => [set(x, x)], (x, frame) => [set((frame.local('i32'), x), x)]],
    [
      'same terms',
      (x, frame) => [set(frame.local('i32'), x), set(frame.local('i32'), x)],
      (x, frame) => [set(x, x), set((frame.local('i32'), frame.local('i32')), x)],
    ],
  ];
  it.each(cases)('%s', (reason, original, mutant) => {
    const [a, b] = [original, mutant].map((body) => decode(moduleOf(body)));
    expect(reasonFor(a, b, ['f'])).toBe(reason);
    expect(reasonFor(b, a, ['f'])).toBe(reason);
  });

  it('an argument that the function called never reads', () => {
    const calling = (value: number, read: boolean) => {
      const module = new Module(1);
      const callee = module.define(undefined, ['i32', 'i32'], undefined, (_, x, y) => [i32.store(x, 0, read ? y : x)]);
      module.define('f', ['i32'], undefined, (_, x) => [callee(x, i32.value(value))]);
      return decode(module.bytes());
    };
    expect(reasonFor(calling(1, false), calling(2, false), ['f'])).toBe('same terms');
    expect(reasonFor(calling(1, true), calling(2, true), ['f'])).toBe(undefined);
  });

  it('function that is never called', () => {
    const withIdle = (value: number, called: boolean) => {
      const module = new Module(1);
      const idle = module.define(undefined, [], undefined, () => [i32.store(0, 0, value)]);
      module.define('f', [], undefined, () => (called ? [idle()] : []));
      return decode(module.bytes());
    };
    expect(reasonFor(withIdle(1, false), withIdle(2, false), ['f'])).toBe('function that is never called');
    expect(reasonFor(withIdle(1, true), withIdle(2, true), ['f'])).toBe(undefined);
    expect(reasonFor(withIdle(1, true), withIdle(2, true), ['g'])).toBe('function that is never called');
    expect(reasonFor(withIdle(1, false), withIdle(1, true), ['f'])).toBe(undefined);
  });

  it.each(kernels)('$name: mutants that have one are the same to the engine', (kernel) => {
    const original = decode(kernel.bytes);
    // The places where reasons apply: immediates of loads and stores, counts of shifts, lanes of shuffles.
    const places = original.functions.flatMap(({ code }) =>
      code.flatMap((step, k) => {
        const has = 'align' in step || 'lanes' in step || /\.(shl|shr_u|rotl)$/.test(code[k + 1]?.op ?? '');
        return has
          ? Array.from({ length: 8 * (code[k + 1].at - step.at) }, (_, b) => ({ at: step.at + (b >> 3), bit: b & 7 }))
          : [];
      }),
    );
    const flips = places.filter((_, k) => k % (Math.ceil(places.length / 150) | 1) === 0);
    let excused = 0;
    for (const [seed, flip] of flips.entries()) {
      const mutant = flipped(kernel.bytes, flip);
      const module = asModule(mutant);
      if (typeof module === 'string' || reasonFor(original, module, callNames(kernel)) === undefined) continue;
      excused++;
      expect(difference(kernel, mutant, module, 1, seed)).toBe(undefined);
    }
    expect(excused).toBeGreaterThan(2);
  });
});

describe.each(kernels)('$name: the engine', (kernel) => {
  it('sees no difference from itself', () => {
    expect(difference(kernel, kernel.bytes, decode(kernel.bytes), 3, 1)).toBe(undefined);
  });

  it.each(plantedIn(kernel))(
    'sees $found.as: $planted, unless it is the backdoor',
    ({ found: { as }, kernel: { bytes } }) => {
      const found = difference(kernel, bytes, decode(bytes), 10, 1);
      if (as === 'backdoor') expect(found).toBe(undefined);
      else expect(found?.what).toMatch(/ leaves another byte at /);
    },
  );

  it('sees every other mutant of an output', () => {
    const module = decode(kernel.bytes);
    // Where the exported one only calls others, in the first of those.
    const functions = [exported(module, proofsOf(kernel.family).mutations.constantIn), ...module.functions];
    const constant = functions.flatMap(({ code }) => code.find(({ op }) => op === 'i32.const') ?? [])[0];
    const mutant = flipped(kernel.bytes, { at: constant.at + 1, bit: 3 });
    expect(difference(kernel, mutant, asModule(mutant) as ReturnType<typeof decode>, 20, 1)).toBeDefined();
  });
});
