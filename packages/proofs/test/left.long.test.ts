/**
 * The secrets that calls may leave in memory: declared for every function; secrets that are left elsewhere, or not
 * wiped, are found.
 */
import { describe, expect, it } from 'vitest';
import { Failure } from '../src/claims/claim.ts';
import { drawn } from '../src/claims/drawn.ts';
import { flowText } from '../src/claims/flow-code.ts';
import { covers } from '../src/claims/left.ts';
import { leftBy, leftClaims, leftTextClaims } from '../src/claims/left-lengths.ts';
import { requireWiped, slotsOf, usesOn, type Use } from '../src/claims/wiping.ts';
import { textOf } from '../src/javascript/texts.ts';
import { kernelOf, kernels, type Family } from '../src/kernels.ts';
import { plantedIn } from '../src/mutations/faults.ts';
import { proofsOf } from '../src/rooms.ts';
import { decode } from '../src/wasm/decode.ts';
import { ENTRIES, type OpcodeEntry } from '../src/wasm/opcodes.ts';
import type { DecodedFunction, Opcode } from '../src/wasm/types.ts';

// First of all: the recorder has to be there before the library is.
const uses = await usesOn('simd');

it.each(kernels)('$name: every function that is exported', (kernel) => {
  for (const { name, type } of decode(kernel.bytes).functions)
    if (name !== undefined && !proofsOf(kernel.family).inner?.includes(name))
      expect(
        () =>
          leftBy(
            kernel.family,
            name,
            type.parameters.map(() => 1),
          ),
        name,
      ).not.toThrow();
});

it('nothing is known of other functions', () => {
  expect(() => leftBy('chacha', 'wipeAll', [])).toThrow('nothing is known of what wipeAll of chacha leaves');
});

describe('what a kernel leaves elsewhere is found', () => {
  const small = ['chacha short relaxed', 'chacha short scalar', 'salsa short scalar', 'poly1305 scalar'];
  it.each(small)('%s', async (name) => {
    const kernel = kernelOf(name);
    for (const claim of leftClaims(kernel)) await claim.prove();
    const [{ kernel: faulty }] = plantedIn(kernel).filter(({ found }) => found.as === 'unwiped');
    const failures: unknown[] = [];
    for (const claim of leftClaims(faulty))
      try {
        await claim.prove();
      } catch (error) {
        failures.push(error);
      }
    expect(failures.some((error) => error instanceof Failure)).toBe(true);
  });

  it('poly1305 js', async () => {
    const text = textOf('poly1305');
    for (const claim of leftTextClaims(text)) await claim.prove();
    const [before, behind] = text.text.split('function mac(p0: number): void {');
    const leaky = { ...text, text: `${before}function mac(p0: number): void {\n    words[8] = words[48];${behind}` };
    expect(() => {
      for (const claim of leftTextClaims(leaky)) void claim.prove();
    }).toThrow(Failure);
  });
});

describe('what public modules do not wipe is found', () => {
  const families = [...new Map(kernels.map((kernel) => [kernel.family, kernel])).values()];
  const ownOf = (slots: readonly string[]): Use[] =>
    uses.filter(({ slot, operations }) => slots.includes(slot) && operations.some(({ op }) => op === 'wipe'));

  it.each(families)('$family', (kernel) => {
    const own = ownOf(slotsOf(kernel));
    // Argon2's module is called in slices, and wiped once after all of them.
    expect(own.length).toBeGreaterThan(kernel.family === 'argon2' ? 10 : 20);
    const changed = (use: Use, change: (wipe: { from: number; to: number }) => object): Use => ({
      ...use,
      operations: use.operations.map((x) => (x.op === 'wipe' ? { ...x, ...change(x) } : x)),
    });
    const notices = (family: Family, use: Use): boolean => {
      try {
        requireWiped(use, family, kernel.memoryBytes);
        return false;
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
        return true;
      }
    };
    const called = own.filter((use) => use.operations.some(({ op }) => op === 'call') && !use.name.includes('failing'));
    const late = called.filter((use) =>
      notices(
        kernel.family,
        changed(use, ({ from }) => ({ from: from + 1 })),
      ),
    );
    const early = called.filter((use) =>
      notices(
        kernel.family,
        changed(use, ({ from }) => ({ to: from + 1 })),
      ),
    );
    expect(own.filter((use) => notices(kernel.family, use)).map(({ name }) => name)).toEqual([]);
    // Some wipe from further on than they have to.
    expect(late.length).toBeGreaterThan(0);
    expect(early.length).toBe(called.length);
  });
});

it('places cover a range only together', () => {
  const places = [
    { from: 4, to: 8 },
    { from: 0, to: 5 },
  ];
  expect(covers(places, { from: 0, to: 8 })).toBe(true);
  expect(covers(places, { from: 0, to: 9 })).toBe(false);
  expect(covers(places, { from: 9, to: 9 })).toBe(true);
  expect(
    covers(
      [
        { from: 0, to: 4 },
        { from: 5, to: 8 },
      ],
      { from: 0, to: 8 },
    ),
  ).toBe(false);
});

it('lengths that are drawn are the same in every run, in order and within bounds', () => {
  const lengths = drawn(100, 16, 2048);
  expect(lengths).toEqual(drawn(100, 16, 2048));
  expect(lengths).toEqual([...lengths].sort((x, y) => x - y));
  expect(new Set(lengths).size).toBeGreaterThan(80);
  expect(lengths[0]).toBeGreaterThanOrEqual(16);
  expect(lengths.at(-1)).toBeLessThanOrEqual(2048);
});

it('a run without values takes no instruction of three operands, or of an unknown number, for one of two', () => {
  const entries = ENTRIES as Map<Opcode, OpcodeEntry>;
  const entry = ENTRIES.get('select')!;
  const constant = { op: 'i32.const', at: 3, value: 1 };
  const type = { parameters: [], results: [] };
  const code = [constant, constant, { op: 'select', at: 7 }, { op: 'end', opens: -1, at: 8 }];
  const definition = { code, type, locals: [] } as unknown as DecodedFunction;
  const text = (): string => flowText(definition, { functions: [definition] });
  expect(text).toThrow('select at offset 7 of the module is not for kernels');
  const emitted = { ...entry, emitted: true };
  try {
    for (const known of [emitted, { ...emitted, takes: ['i32', 'i32', 'i32'], leaves: ['i32'] }]) {
      entries.set('select', known);
      expect(text).toThrow('select at offset 7 of the module does not take one operand or two');
    }
    entries.set('select', { ...emitted, takes: ['i32', 'i32'], leaves: ['i32'] });
    expect(text()).toContain('s0 = s0 === true || s1 === true;');
  } finally {
    entries.set('select', entry);
  }
});
