/** The stack overflows in every operation, on every engine. */
// Runs in Node only: asks implementations that only Node can load.
import { describe, expect, test } from 'vitest';
import { sample } from '../support/bytes.ts';
import { engines } from '../support/engines.ts';
import { operations } from '../support/overflow-operations.ts';
import { overflowAll, overflowProperties } from '../support/properties-overflow.ts';
import { testProperties } from '../support/properties-test.ts';

testProperties(
  overflowProperties(() => undefined),
  10,
);

/** No byte is zero: none could be left and not be seen. */
const bytes = (length: number, seed: number): Uint8Array => sample(length, seed).map((byte) => byte || 1);

describe.each(operations)('$name', (operation) => {
  const given = { key: bytes(32, 821), nonce: bytes(24, 822), text: bytes(Math.min(operation.longest, 1500), 823) };

  test.each(engines)('on %s', (engine) => {
    expect(overflowAll(operation, engine, given, 24)).toBeGreaterThan(0);
  });

  // Whether an empty view is detached is found out by an error, which must not be an overflow.
  test('of nothing', () => {
    const nothing = { ...given, text: new Uint8Array(0) };
    expect(overflowAll(operation, engines[0], nothing, 24)).toBeGreaterThan(0);
  });
});
