/**
 * Somebody wrote to Object.prototype, or gives options that are not a plain object: results are what they are without it,
 * options are those that the caller's object itself has.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as blake3Module from '../src/blake3.ts';
import { blake3, subtree } from '../src/blake3.ts';
import * as chacha from '../src/chacha.ts';
import * as poly1305Module from '../src/poly1305.ts';
import { expected, key } from './support/blake3.ts';
import { expectBytes, refusal, sample } from './support/bytes.ts';
import { engines, onEachEngine } from './support/engines.ts';
import { blake3Answers, cipherAnswers, outcome, type KnownAnswer, type Library } from './support/known-answers.ts';

/** What the library's functions and its own objects have by name: a value that would be taken if it were looked at. */
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
  // Descriptors, indices and what languages ask objects for.
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
  // Each seventh of the ciphers' is enough of each kind.
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
  /** A library that was loaded and not used. */
  async function fresh() {
    vi.resetModules();
    const [a, b, c, d] = await Promise.all([
      import('../src/blake3.ts'),
      import('../src/chacha.ts'),
      import('../src/poly1305.ts'),
      import('../src/engine.ts'),
    ]);
    return { ...a, ...b, ...c, ...d };
  }
  test.each([...engines, 'auto' as const])('%s: nothing that is assembled or chosen is changed', async (engine) => {
    const mine = await fresh();
    if (engine !== 'auto') mine.select(engine);
    expectAnswers(answersOf(mine), Object.keys(POLLUTION));
    expect(mine.describe().engine).toBe(engine === 'auto' ? engines[0] : engine);
  });
});

describe('options that are no plain object', () => {
  const message = sample(2000, 71);
  const keyed = expected(message, 'keyed_hash');
  const plain = expected(message);
  const hash = (options: object): Uint8Array => blake3(message, options);

  test('own properties count, however they were made', () => {
    class Options {
      readonly key = key;
      readonly #hidden = 1;
      get hidden(): number {
        return this.#hidden;
      }
    }
    expectBytes(hash(new Options()), keyed, 'an instance');
    expectBytes(hash(Object.assign(Object.create(null) as object, { key })), keyed, 'no prototype');
    expectBytes(hash(Object.freeze({ key })), keyed, 'frozen');
    expectBytes(hash(Object.defineProperty({}, 'key', { value: key })), keyed, 'not enumerable');
    expectBytes(hash(new Proxy({ key }, {})), keyed, 'a proxy');
    expectBytes(hash(Object.assign([], { key })), keyed, 'an array');
    expectBytes(hash(Object.assign(new Map(), { key })), keyed, 'a map');
  });

  test('an own getter is asked once', () => {
    const asked: string[] = [];
    const options = {
      get key() {
        asked.push('key');
        return asked.length === 1 ? key : undefined;
      },
      get dkLen() {
        asked.push('dkLen');
        return 32;
      },
    };
    expectBytes(hash(options), keyed, 'one call');
    expect(asked.sort()).toEqual(['dkLen', 'key']);
  });

  test('what a getter throws comes out as it is, and nothing is left behind', () => {
    const thrown = new Error('mine');
    const options = {
      get key(): never {
        throw thrown;
      },
    };
    expect(() => hash(options)).toThrow(thrown);
    expect(() => blake3.create(options)).toThrow(thrown);
    expectBytes(hash({}), plain, 'afterwards');
  });

  test('of a part, too: what Object.prototype has is no option', () => {
    pollute('key', POLLUTION['key']);
    const part = subtree(message.subarray(0, 1024), { offset: 0 });
    Reflect.deleteProperty(prototype, 'key');
    expectBytes(part.chainingValue, subtree(message.subarray(0, 1024), { offset: 0 }).chainingValue, 'a part');
    pollute('offset', 0);
    expect(refusal(() => subtree(message.subarray(0, 1024), {} as never))).toBe(
      'TypeError: "offset" expected integer, got type=undefined',
    );
    // Own ones count, those too that are not enumerable.
    const options = Object.defineProperties({}, { offset: { value: 0 }, key: { value: key } }) as never;
    const keyed = subtree(message.subarray(0, 1024), { offset: 0, key });
    expectBytes(subtree(message.subarray(0, 1024), options).chainingValue, keyed.chainingValue, 'a keyed part');
  });
});
