/** Every call of the library refuses surplus arguments: in another call they may have a meaning. */
import { describe, expect, test } from 'vitest';
import { refusal } from '../support/bytes.ts';
import { calls } from '../support/calls.ts';

describe.each(Object.entries(calls))('%s', (_, entry) => {
  const { most, passed } = entry;
  const call = (...extra: readonly unknown[]): unknown => entry.call(...extra);
  test('takes as many as it has', () => {
    expect(() => call()).not.toThrow();
    // An explicit `undefined` is allowed, as for other arguments: wrappers that pass their own arguments on keep working.
    if (passed === undefined) expect(() => call(undefined)).not.toThrow();
  });
  test(passed === undefined ? 'refuses one more' : `takes more: ${passed}`, () => {
    for (const [extra, kind] of [
      [new Uint8Array(32), 'Uint8Array'],
      [{ dkLen: 32 }, 'Object'],
      ['hex', 'string'],
      [0, 'number'],
      [false, 'boolean'],
      [null, 'null'],
    ] as const) {
      const wanted = `TypeError: "arguments" expected at most ${most}, got another of type=${kind}`;
      if (passed === undefined) {
        expect(refusal(() => call(extra))).toContain(wanted);
        // An undefined argument before it hides none.
        expect(refusal(() => call(undefined, extra))).toContain(wanted);
      } else if (!passed.includes('any number')) expect(() => call(extra)).not.toThrow();
    }
  });
});
