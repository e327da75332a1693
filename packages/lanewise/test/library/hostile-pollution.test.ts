/**
 * Object.prototype has been written to, and results are unchanged. `library/options.test.ts` tests the options of every call.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as blake3Module from '../../src/blake3.ts';
import { subtree, subtreeFrom } from '../../src/blake3.ts';
import * as chacha from '../../src/chacha.ts';
import * as poly1305Module from '../../src/poly1305.ts';
import { expectBytes, refusal, sample } from '../support/bytes.ts';
import { engines, onEachEngine, ready } from '../support/engines.ts';
import { blake3Answers, cipherAnswers, outcome, type KnownAnswer, type Library } from '../support/known-answers.ts';

/** For each property name that the library uses, a value that would change the result if the library read it. */
const POLLUTION: Readonly<Record<string, unknown>> = {
  // Options and parameters.
  key: new Uint8Array(32).fill(0xee),
  context: 'polluted',
  dkLen: 7,
  offset: 1024,
  nonce: new Uint8Array(24).fill(0xee),
  counter: 9,
  AAD: new Uint8Array(9),
  out: new Uint8Array(9),
  // Ciphers, kernels and how they are made.
  rounds: 8,
  shortKeys: true,
  counterBits: 64,
  nonceLength: 8,
  short: true,
  lanes: { relaxed: true },
  relaxed: true,
  larger: () => ({}),
  arithmetic: {},
  simd: 'polluted',
  scalar: 'polluted',
  js: 'polluted',
  auto: 'polluted',
  // Properties that the language itself reads: of descriptors, indices, and conversions.
  value: 1,
  writable: false,
  enumerable: true,
  configurable: true,
  0: 'polluted',
  1: 'polluted',
  2: 'polluted',
  flags: 16,
  then: undefined,
  toJSON: undefined,
};

const prototype = Object.prototype as unknown as Record<string, unknown>;
function pollute(name: string, value: unknown): void {
  Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true, enumerable: false });
}
afterEach(() => {
  for (const name of Object.keys(POLLUTION)) Reflect.deleteProperty(prototype, name);
});

interface Given {
  readonly results: readonly unknown[];
  readonly errors: readonly string[];
}
/** Makes all calls while names are polluted, and compares afterwards. */
function expectAnswers(answers: readonly KnownAnswer[], names: readonly string[]): void {
  const given = ((): Given => {
    const results: unknown[] = answers.map(() => undefined);
    const errors: string[] = answers.map(() => '');
    for (const name of names) pollute(name, POLLUTION[name]);
    answers.forEach(({ call }, i) => {
      try {
        results[i] = call();
      } catch (error) {
        errors[i] = String(error);
      }
    });
    for (const name of names) Reflect.deleteProperty(prototype, name);
    return { results, errors };
  })();
  answers.forEach(({ name, answer }, i) => {
    const what = `${name}, with ${names.join(', ')} in Object.prototype`;
    if (typeof answer === 'string') expect(outcome(given.errors[i]), what).toBe(answer);
    else if (given.errors[i]) expect.fail(`${what}: ${given.errors[i]}`);
    else expectBytes(given.results[i] as Uint8Array, answer, what);
  });
}

const answersOf = (library: Library): KnownAnswer[] => [
  // Every seventh answer of the ciphers includes enough of each kind.
  ...cipherAnswers(library).filter((_, i) => i % 7 === 0),
  ...blake3Answers(library).filter((_, i) => i % 3 === 0),
];

onEachEngine(() => {
  const answers = answersOf({ ...blake3Module, ...chacha, ...poly1305Module });
  test.each(Object.keys(POLLUTION))('%s in Object.prototype changes no answer', (name) => {
    expectAnswers(answers, [name]);
  });
  test('a short key stays refused where no short keys are', () => {
    pollute('shortKeys', true);
    const short = () => chacha.chacha20(sample(16, 1), sample(12, 2), sample(10, 3));
    expect(refusal(short)).toBe('RangeError: "key" expected Uint8Array of length 32, got length=16');
  });
  test('nor do all of them', () => expectAnswers(answers, Object.keys(POLLUTION)));
});

describe('from the first use on', () => {
  /** A new copy of the library, without a first use. */
  async function fresh() {
    vi.resetModules();
    const [a, b, c, d] = await Promise.all([
      import('../../src/blake3.ts'),
      import('../../src/chacha.ts'),
      import('../../src/poly1305.ts'),
      import('../../src/engine.ts'),
    ]);
    return ready({ ...a, ...b, ...c, ...d });
  }
  test.each([...engines, 'auto' as const])('%s: nothing that is assembled or chosen is changed', async (engine) => {
    const mine = await fresh();
    if (engine !== 'auto') mine.select(engine);
    expectAnswers(answersOf(mine), Object.keys(POLLUTION));
    expect(mine.describe().engine).toBe(engine === 'auto' ? engines[0] : engine);
  });
});

test('a part from elsewhere has what it has itself', () => {
  const { chainingValue, offset, length } = subtree(sample(1024, 71), { offset: 1024 });
  for (const [name, part] of Object.entries({
    chainingValue: { offset, length },
    offset: { chainingValue, length },
    length: { chainingValue, offset },
  })) {
    pollute(name, { chainingValue, offset, length }[name]);
    const error = refusal(() => subtreeFrom(part as never));
    Reflect.deleteProperty(prototype, name);
    expect(error).toMatch(`TypeError: "${name}" expected`);
  }
});
