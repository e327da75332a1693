/** `offerNative` takes native code or a reason, whole, and nothing else; a refused one changes nothing. */
import { describe as suite, expect, it } from 'vitest';
import { describe, offerNative } from '../../src/engine.ts';
import { refusal } from '../support/bytes.ts';

const instanceOf = (): undefined => undefined;

suite('offerNative refuses', () => {
  const wrong: [name: string, code: unknown, got: string][] = [
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a function', instanceOf, 'function'],
    ['an object without anything', {}, 'Object'],
    ['code without its lanes', { instructions: 'AVX2', instanceOf }, 'Object'],
    ['code without its instructions', { lanes: 8, instanceOf }, 'Object'],
    ['code without its kernels', { lanes: 8, instructions: 'AVX2' }, 'Object'],
    ['code and a reason', { lanes: 8, instructions: 'AVX2', instanceOf, reason: 'both' }, 'Object'],
    ['lanes of another type', { lanes: '8', instructions: 'AVX2', instanceOf }, 'Object'],
    ['a reason that is no text', { reason: 7 }, 'Object'],
    ['a reason that it inherits', Object.create({ reason: 'inherited' }), 'Object'],
  ];
  it.each(wrong)('%s', (_, code, got) => {
    const before = describe();
    expect(refusal(() => offerNative(code as never))).toBe(
      `TypeError: "code" expected native code of @lanewise/native, or a reason, got type=${got}`,
    );
    expect(describe()).toEqual(before);
  });
});
