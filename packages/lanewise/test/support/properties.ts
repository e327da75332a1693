/**
 * Properties of the public functions: things that hold for all arguments, tried with random ones. The tests try a number of
 * cases each time, `npm run fuzz` as many as there is time for; a seed repeats them.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { select } from '../../src/engine.ts';
import { STAGE_BYTES } from '../../src/keystream/map.ts';
import { expectBytes } from './bytes.ts';
import { engines } from './engines.ts';

export interface Property {
  readonly name: string;
  /** The property's weight: its share of all cases. */
  readonly share: number;
  /** Throws, with the seed and the smallest case that fast-check finds, if one is not as it should be. */
  readonly run: (cases: number, seed: number) => void;
}

export function property<T>(
  name: string,
  share: number,
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => void,
): Property {
  const run = (numRuns: number, seed: number): void => {
    try {
      fc.assert(fc.property(arbitrary, check), { numRuns, seed, includeErrorInReport: true });
    } finally {
      select('auto');
    }
  };
  return { name, share, run };
}

/** Does the same on each engine. */
export function onAllEngines(work: (engine: string) => void): void {
  for (const engine of engines) {
    select(engine);
    work(engine);
  }
}

/** Lengths: mostly short ones, those around blocks, sets and groups often, and now and then more than goes into one call. */
export const lengths = (longest = 2 * STAGE_BYTES + 1000): fc.Arbitrary<number> => {
  const edges = [64, 128, 192, 256, 512, 576, 1024, 1088, 2048, 4096, STAGE_BYTES].filter(
    (edge) => edge + 3 <= longest,
  );
  const near = fc.tuple(fc.constantFrom(...edges), fc.integer({ min: -3, max: 3 })).map(([edge, more]) => edge + more);
  return fc.oneof(
    { weight: 300, arbitrary: fc.integer({ min: 0, max: Math.min(longest, 200) }) },
    { weight: 90, arbitrary: fc.integer({ min: 0, max: Math.min(longest, 1300) }) },
    { weight: 90, arbitrary: near },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: longest }) },
  );
};

/** For `sample`: bytes that shrinking leaves alone. */
export const seeds: fc.Arbitrary<number> = fc.noShrink(fc.integer({ min: 1, max: 2 ** 31 - 1 }));

/** The place of a call's result. */
export type Place =
  | { readonly to: 'fresh' }
  | {
      /** The distance from the input's start, in the same buffer. */
      readonly to: 'out';
      readonly distance: number;
      /** The input's offset in that buffer. */
      readonly offset: number;
    };

export const places: fc.Arbitrary<Place> = fc.oneof(
  fc.constant<Place>({ to: 'fresh' }),
  fc.record({
    to: fc.constant('out' as const),
    distance: fc.oneof(fc.integer({ min: -64, max: 64 }), fc.integer({ min: -400, max: 400 })),
    offset: fc.integer({ min: 0, max: 15 }),
  }),
);

const UNTOUCHED = 0xa5;

/**
 * Calls with bytes at `place`, and compares the result with `expected`, or the error's message with it if it is a text. All
 * other bytes of the buffer must stay as they are.
 */
export function expectCall(
  what: string,
  place: Place,
  input: Uint8Array,
  outLength: number,
  expected: Uint8Array | string,
  call: (input: Uint8Array, out: Uint8Array | undefined) => Uint8Array,
): void {
  if (place.to === 'fresh') {
    const before = input.slice();
    const result = attempt(() => call(input, undefined));
    expectResult(what, result, expected);
    expectBytes(input, before, `${what}: the input`);
    return;
  }
  const at = 16 + place.offset + Math.max(0, -place.distance);
  const room = new Uint8Array(at + Math.max(input.length, place.distance + outLength) + 600).fill(UNTOUCHED);
  room.set(input, at);
  const after = room.slice();
  if (typeof expected !== 'string') after.set(expected, at + place.distance);
  const out = room.subarray(at + place.distance, at + place.distance + outLength);
  const result = attempt(() => call(room.subarray(at, at + input.length), out));
  expectResult(what, result, expected);
  if (typeof result !== 'string') expect(result, `${what} gives out`).toBe(out);
  expectBytes(room, after, `${what}: the buffer`);
}

function attempt(call: () => Uint8Array): Uint8Array | string {
  try {
    return call();
  } catch (error) {
    return String(error);
  }
}

function expectResult(what: string, result: Uint8Array | string, expected: Uint8Array | string): void {
  if (typeof expected === 'string' || typeof result === 'string') expect(result, what).toBe(expected);
  else expectBytes(result, expected, what);
}
