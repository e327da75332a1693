/**
 * Options of every call that has any: unknown names are refused and known ones are taken, from plain objects only, so that
 * an inherited option is not lost without an error; Object.prototype is never read.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { expectBytes, refusal } from '../support/bytes.ts';
import { calls } from '../support/calls.ts';
import { optionsCalls } from '../support/options.ts';
import { otherRealm } from '../support/realm.ts';

const prototype = Object.prototype as unknown as Record<string, unknown>;
const polluted: string[] = [];
function pollute(name: string, value: unknown, enumerable: boolean): void {
  polluted.push(name);
  Object.defineProperty(prototype, name, { value, enumerable, configurable: true, writable: true });
}
/** Called before any other code looks at objects. */
function clean(): void {
  for (const name of polluted.splice(0)) Reflect.deleteProperty(prototype, name);
}
afterEach(clean);

/** An instance of a class with getters. */
function classOf(values: Readonly<Record<string, unknown>>): object {
  class Options {
    readonly #secret = 'not an option';
    describe(): string {
      return this.#secret;
    }
  }
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(Options.prototype, name, { get: () => value, configurable: true });
  return new Options();
}

/** The same options, made in other ways. */
const forms: Readonly<Record<string, (values: Readonly<Record<string, unknown>>) => object>> = {
  'a literal': (values) => ({ ...values }),
  'an object without a prototype': (values) => Object.assign(Object.create(null) as object, values),
  'a frozen object': (values) => Object.freeze({ ...values }),
  'properties that are not enumerable': (values) =>
    Object.defineProperties<object>(
      {},
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
    ),
  'an object of another realm': (values) => Object.assign(new (otherRealm().Object)(), values),
  'a proxy': (values) => new Proxy({ ...values }, {}),
  'a literal with a symbol': (values) => ({ ...values, [Symbol('mine')]: 1 }),
};

/** Objects that inherit options, or could: some libraries ignore these without an error. */
const heirs: typeof forms = {
  'properties of a prototype': (values) => Object.create(values) as object,
  'properties of a prototype of a prototype': (values) => Object.create(Object.create(values) as object) as object,
  'properties of a prototype without a prototype': (values) =>
    Object.create(Object.assign(Object.create(null) as object, values)) as object,
  'properties of a prototype of another realm': (values) =>
    Object.create(Object.assign(new (otherRealm().Object)(), values)) as object,
  'fields of an instance': (values) => Object.setPrototypeOf({ ...values }, classOf({})) as object,
  'getters of a class': classOf,
  'getters of a class above': (values) => Object.create(classOf(values)) as object,
};

/** Values that aren't options. */
const others: Readonly<Record<string, unknown>> = {
  Uint8Array: new Uint8Array(32),
  Array: [],
  Map: new Map(),
  Set: new Set(),
  Promise: Promise.resolve({}),
  Date: new Date(),
  ArrayBuffer: new ArrayBuffer(32),
  string: 'options',
  number: 8,
  bigint: 8n,
  boolean: true,
  null: null,
  symbol: Symbol('options'),
};

test('the table has every call that takes options', () => {
  const names = Object.entries(calls)
    .filter(([, { takesOptions }]) => takesOptions)
    .map(([name]) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(optionsCalls.map(({ title }) => title)).toEqual(expect.arrayContaining(names));
});

describe.each(optionsCalls)('$title', (call) => {
  const { name, all, required, others: foreign } = call;
  const use = (options: unknown): Uint8Array => call.use(options as never);
  const plain = use({ ...required });
  const wanted = `"${name}" expected ${name === 'tweak' ? 'dm-crypt, dm-crypt-large, offset64, index64, function or ' : ''}plain object { ${Object.keys(all).join(', ')} }`;

  /** The result of a call, or its error. */
  const outcome = (options: unknown): string => {
    try {
      return Buffer.from(use(options)).toString('hex');
    } catch (error) {
      return String(error);
    }
  };
  const without = (option: string): object => {
    const rest = { ...required };
    Reflect.deleteProperty(rest, option);
    return rest;
  };

  test('each option makes a difference', () => {
    for (const [option, value] of Object.entries(all))
      expect(Buffer.compare(use({ ...required, [option]: value }), plain), option).not.toBe(0);
  });

  test.each(Object.entries(forms))('takes %s', (_, form) => {
    expectBytes(use(form(required)), plain, 'what is required');
    for (const [option, value] of Object.entries(all)) {
      const values = { ...required, [option]: value };
      expectBytes(use(form(values)), use(values), option);
    }
  });

  test.each(Object.entries(heirs))('refuses options that are inherited, or could be: %s', (_, form) => {
    for (const [option, value] of Object.entries(all)) {
      const options = form({ ...required, [option]: value });
      expect(refusal(() => use(options))).toBe(`TypeError: ${wanted}, got type=Object`);
    }
  });

  test('asks a getter once', () => {
    for (const [option, value] of Object.entries(all)) {
      let asked = 0;
      const options = {
        ...required,
        get [option]() {
          return ++asked === 1 ? value : 'asked again';
        },
      };
      expectBytes(use(options), use({ ...required, [option]: value }), option);
      expect([option, asked]).toEqual([option, 1]);
    }
  });

  test('takes an option that is undefined for one that is not given', () => {
    for (const option of Object.keys(all))
      expect(outcome({ ...required, [option]: undefined }), option).toBe(outcome(without(option)));
  });

  test('refuses options that there are not', () => {
    const names = Object.keys(all)
      .flatMap((option) => [
        option[0].toUpperCase() + option.slice(1),
        option.toLowerCase() === option ? `${option}s` : option.toLowerCase(),
        option.slice(1),
      ])
      .filter((name) => !(name in all));
    for (const wrong of [...names, 'length', 'outputLength', 'constructor', 'toString', 'hasOwnProperty', '0', ''])
      for (const values of [
        { ...required, [wrong]: 1 },
        { ...required, [wrong]: undefined },
        Object.assign(Object.create(null) as object, required, { [wrong]: 1 }),
      ])
        expect(
          refusal(() => use(values)),
          wrong,
        ).toBe(`TypeError: ${wanted}, got { ${wrong} }`);
  });

  test('refuses options that there are not, in an object of another realm', () => {
    const options = Object.assign(new (otherRealm().Object)(), required, { length: 1 });
    expect(refusal(() => use(options))).toBe(`TypeError: ${wanted}, got { length }`);
  });

  test('says where options of other calls go', () => {
    for (const [option, advice] of Object.entries(foreign))
      expect(refusal(() => use({ ...required, [option]: 1 }))).toBe(
        `TypeError: ${wanted}, got { ${option} }: ${advice}`,
      );
  });

  test.each(Object.keys(others))('refuses what is no object of options: %s', (kind) => {
    const text = refusal(() => use(others[kind]));
    if (name === 'tweak' && kind === 'string') expect(text).toBe(`TypeError: ${wanted}, got options`);
    else
      expect(text).toBe(`TypeError: ${wanted}, got type=${kind}${kind === 'Promise' ? '; did you forget await?' : ''}`);
    if (typeof others[kind] === 'object' && others[kind] !== null)
      // They are refused with the right properties, too.
      expect(refusal(() => use(Object.assign(others[kind] as object, required)))).toBe(text);
  });

  test('refuses a function', () => {
    if (name !== 'tweak') expect(refusal(() => use(() => required))).toBe(`TypeError: ${wanted}, got type=function`);
  });

  test('never reads Object.prototype', () => {
    for (const enumerable of [false, true])
      for (const [option, value] of Object.entries({ ...all, surprise: 1, offset: 1024, iv: 1 })) {
        const given = [{ ...required }, Object.assign(Object.create(null) as object, required), without(option)];
        const expected = given.map(outcome);
        pollute(option, value, enumerable);
        const results = given.map(outcome);
        clean();
        expect(results, `${option} in Object.prototype`).toEqual(expected);
      }
  });

  test('gives what a getter throws', () => {
    const mine = new Error('mine');
    for (const option of Object.keys(all)) {
      const options = Object.defineProperty({ ...required }, option, {
        get() {
          throw mine;
        },
        enumerable: true,
      });
      expect(() => use(options)).toThrow(mine);
    }
    expectBytes(use({ ...required }), plain, 'afterwards');
  });
});
