/**
 * Something is thrown in the midst of a call, as when the stack overflows or memory is short. Linear memory holds nothing
 * secret afterwards, whatever else fails too; and an object is as it was before, or it refuses.
 */
// Runs in Node only: replaces built-in functions before the library is loaded.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { chacha20, xchacha20 } from '../../src/chacha.ts';
import { poly1305 } from '../../src/poly1305.ts';
import { xsalsa20 } from '../../src/salsa.ts';
import { LENGTHS } from '../support/byte-call.ts';
import { callsOf } from '../support/byte-calls.ts';
import { expectBytes, refusal, sample } from '../support/bytes.ts';
import { engines, onEachEngine } from '../support/engines.ts';
import { expectNoSecrets, instances, watchMemories, type Found } from '../support/memories.ts';
import { overflowing } from '../support/stack.ts';

const { eachStep, restoreLanguage } = await vi.hoisted(() => import('../support/steps.ts'));
restoreLanguage();

const PLANTED = new RangeError('planted');
const OVERFLOW = new RangeError('Maximum call stack size exceeded');
const UNUSED = 0xa7;
/** At least this number of calls must throw, or the test has tried nothing. */
const FEW = 3;

/** Makes each function of each kernel call `does` first; returns a function that undoes this. */
function beforeKernels(does: () => void): () => void {
  const plain = instances().map((instance) => ({ instance, run: instance.run }));
  for (const { instance, run } of plain) {
    const functions = Object.entries(run as Record<string, (...operands: unknown[]) => unknown>).flatMap(
      ([name, each]) => {
        if (typeof each !== 'function') return [];
        const call = (...operands: unknown[]): unknown => {
          does();
          return each(...operands);
        };
        return [[name, call] as const];
      },
    );
    Object.assign(instance, { run: Object.fromEntries(functions) });
  }
  return () => {
    for (const { instance, run } of plain) Object.assign(instance, { run });
  };
}

/**
 * Runs `work`, whose step of this number throws, and all steps that follow: no function can be called any more. Returns whether
 * there was such a step.
 */
function throwingFrom(step: number, work: () => unknown): boolean {
  let count = 0;
  const does = (): void => {
    if (++count >= step) throw PLANTED;
  };
  const restore = beforeKernels(does);
  try {
    eachStep(does, work);
  } catch (error) {
    // Where it stands for a memory that cannot be had, the library says so, and names it as the cause.
    if (error !== PLANTED && (error as Error).cause !== PLANTED) throw error;
  } finally {
    restore();
  }
  return count >= step;
}

/** If the stack overflows in one of Vitest's getters for imports, the getter gives undefined, and its use throws another error. */
function asOverflow<T>(work: () => T): T {
  try {
    return work();
  } catch {
    throw OVERFLOW;
  }
}

/** `instances` are of the engine that is selected before each test. */
let found: () => Found;
onEachEngine((engine) => {
  beforeEach(() => {
    found = watchMemories(UNUSED);
  });

  // Long messages take the same paths on each engine and are slow, so one engine is enough.
  describe.each(engine === engines[0] ? LENGTHS : LENGTHS.slice(0, 2))('%i bytes', (length) => {
    test.each(callsOf(length).map((call) => ({ call, title: call.title })))(
      '$title: nothing is left when a step throws, and all that follow',
      ({ call }) => {
        const expected = call.run((bytes) => bytes);
        let thrown = 0;
        while (throwingFrom(thrown + 1, () => call.run((bytes) => bytes)))
          expectNoSecrets(found(), `step ${++thrown} throws`);
        expect(thrown).toBeGreaterThan(FEW);
        expectBytes(
          call.run((bytes) => bytes),
          expected,
          'afterwards',
        );
      },
    );
  });

  test.each(callsOf(100).map((call) => ({ call, title: call.title })))(
    '$title: nothing is left when the stack overflows',
    ({ call }) => {
      const expected = call.run((bytes) => bytes);
      const overflows = overflowing({
        make: () => call,
        work: () => asOverflow(() => call.run((bytes) => bytes)),
        check(_, what) {
          expectNoSecrets(found(), what);
          expectBytes(
            call.run((bytes) => bytes),
            expected,
            `after ${what}`,
          );
        },
      });
      expect(overflows).toBeGreaterThan(FEW);
    },
  );

  describe.each([100, 130_000])('objects and %i bytes', (length) => {
    const [key, nonce, first, second] = [sample(32, 1), sample(24, 2), sample(50, 3), sample(length, 4)];
    const update = (object: { update(bytes: Uint8Array): unknown }): unknown => object.update(second);

    /** The result of an object for the second part if nothing throws. */
    const subjects: Readonly<
      Record<string, { make: () => { update(bytes: Uint8Array): unknown }; rest: (object: never) => Uint8Array }>
    > = {
      'chacha20.stream': {
        make() {
          const stream = chacha20.stream(key, nonce.subarray(0, 12));
          stream.update(first);
          return stream;
        },
        rest: (stream: ReturnType<typeof chacha20.stream>) => stream.update(second),
      },
      'xchacha20.stream': {
        make() {
          const stream = xchacha20.stream(key, nonce);
          stream.update(first);
          return stream;
        },
        rest: (stream: ReturnType<typeof chacha20.stream>) => stream.update(second),
      },
      'xsalsa20.stream': {
        make() {
          const stream = xsalsa20.stream(key, nonce);
          stream.update(first);
          return stream;
        },
        rest: (stream: ReturnType<typeof chacha20.stream>) => stream.update(second),
      },
      'poly1305.create': {
        make: () => poly1305.create(key).update(first),
        rest: (mac: ReturnType<typeof poly1305.create>) => mac.update(second).digest(),
      },
    };

    test.each(Object.keys(subjects))('%s: whole, or refuses', (name) => {
      const { make, rest } = subjects[name];
      const expected = rest(make() as never);
      let refused = 0;
      const check = (object: { update(bytes: Uint8Array): unknown }, what: string): void => {
        const answer = refusal(() => expectBytes(rest(object as never), expected, what));
        if (answer === 'nothing was refused') return;
        expect(answer, what).toMatch(/^Error: cannot use \w+( \w+)? after a call that threw half-way/);
        refused++;
      };
      for (let step = 1, object = make(); throwingFrom(step, () => update(object)); step++, object = make())
        check(object, `step ${step} throws`);
      expect(overflowing({ make, work: (object) => asOverflow(() => update(object)), check })).toBeGreaterThan(5);
      expect(refused).toBeGreaterThan(5);
    });
  });
});
