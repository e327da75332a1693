/**
 * Something is thrown in the midst of a call: the stack overflows, memory cannot be had, a getter throws. Then the object is as it was
 * before the call, or refuses every later one. It never goes on with other bytes.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { select } from 'lanewise/engine.js';
import { overflowing } from '../../lanewise/test/support/stack.ts';
import type { Machine } from './machine.ts';
import { machines } from './machines.ts';

const plain = <T>(value: T): T => value;
const shown = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value);

/** Results with and without the call; the call's own belongs to the first. */
function expectedOf({ make, work, rest, ends }: Machine): { with: string; without: string } {
  const machine = make() as never;
  const made = work(machine, plain);
  const all = `${made instanceof Uint8Array ? shown(made) : ''} ${shown(rest(machine))}`;
  try {
    return { with: all, without: ends ? '' : shown(rest(make() as never)) };
  } catch {
    // It refuses: the call that is left out was needed.
    return { with: all, without: 'refused' };
  }
}

/** The faults of a machine after something was thrown in a call of it; every second one is asked for the same again. */
function verdict(
  { work, rest, ends }: Machine,
  machine: never,
  again: boolean,
  expected: { with: string; without: string },
): string {
  try {
    if (again || ends) {
      const made = work(machine, plain);
      const all = `${made instanceof Uint8Array ? shown(made) : ''} ${shown(rest(machine))}`;
      return all === expected.with ? '' : 'the same call again gives other bytes';
    }
    return shown(rest(machine)) === expected.without ? '' : 'the next call gives other bytes';
  } catch (error) {
    return error instanceof Error ? '' : `thrown: ${String(error)}`;
  }
}

/** The functions of the language that the packages call while they handle bytes; each may throw. */
const prototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const names = ['set', 'fill', 'subarray', 'slice', 'copyWithin'] as const;
const originals = Object.getOwnPropertyDescriptors(prototype) as unknown as Record<string, PropertyDescriptor>;
const PLANTED = new RangeError('planted');

/** Runs `work`, in which that step throws, and all that follow; whether there was such a step. */
function throwingFrom(step: number, work: () => unknown): boolean {
  let count = 0;
  const does = function (name: string) {
    const original = originals[name].value as (...values: unknown[]) => unknown;
    return function (this: unknown, ...values: unknown[]): unknown {
      if (++count >= step) throw PLANTED;
      return Reflect.apply(original, this, values);
    };
  };
  for (const name of names) Object.defineProperty(prototype, name, { ...originals[name], value: does(name) });
  try {
    work();
  } catch (error) {
    if (error !== PLANTED && (error as Error).cause !== PLANTED) return count >= step;
  } finally {
    for (const name of names) Object.defineProperty(prototype, name, originals[name]);
  }
  return count >= step;
}

beforeAll(() => select('auto'));
afterAll(() => vi.restoreAllMocks());

describe.each(machines)('$title', (machine) => {
  const { make, work } = machine;

  test('the stack overflows', () => {
    const expected = expectedOf(machine);
    const wrong: string[] = [];
    let again = false;
    const overflows = overflowing({
      make: () => make() as never,
      work: (its) => work(its, plain),
      step: 16,
      check(its, what) {
        again = !again;
        const found = verdict(machine, its, again, expected);
        if (found) wrong.push(`${what}: ${found}`);
      },
    });
    expect(wrong).toEqual([]);
    expect(overflows).toBeGreaterThan(3);
  });

  test('a function of the language throws', () => {
    const expected = expectedOf(machine);
    const wrong: string[] = [];
    for (let step = 1; step < 400; step += 1 + (step >> 3)) {
      const found = [false, true].map((again) => {
        const its = make() as never;
        return throwingFrom(step, () => work(its, plain)) ? verdict(machine, its, again, expected) : undefined;
      });
      if (found[0] === undefined) break;
      wrong.push(...found.filter((each) => each).map((each) => `step ${step}: ${each!}`));
    }
    expect(wrong).toEqual([]);
  });

  test('a getter of its options throws', () => {
    const expected = expectedOf(machine);
    for (const again of [false, true]) {
      const its = make() as never;
      let thrown = false;
      const throwing = <T extends object>(value: T): T => {
        const names_ = Object.keys(value);
        const last = names_[names_.length - 1];
        return Object.defineProperty({ ...value }, last, {
          enumerable: true,
          get() {
            thrown = true;
            throw PLANTED;
          },
        });
      };
      try {
        work(its, throwing);
      } catch {
        expect(verdict(machine, its, again, expected)).toBe('');
      }
      if (!thrown) return;
    }
  });
});
