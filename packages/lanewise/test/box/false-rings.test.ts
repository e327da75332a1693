/** Objects that look like keyrings: none is taken, and that is said before any work. */
import { createBox, createKeyring, type Keyring, loadKeyring, sealKeyring } from 'lanewise/box.js';
import { describe, expect, test } from 'vitest';

const methods = {
  primary: 5,
  ids: [5],
  rotate: () => 5,
  remove: () => undefined,
  save: () => new Uint8Array(41),
  destroy: () => undefined,
};
const classOf = (ring: Keyring) => ring.constructor as new () => Keyring;

/** Made in a test: workerd gives no random bytes before. */
const rings: Readonly<Record<string, (ring: Keyring) => unknown>> = {
  'an object with its methods': () => methods,
  'an object of its class': (ring) => Object.create(classOf(ring).prototype as object) as unknown,
  'an object of its class with its methods': () => Object.assign(Object.create(null) as object, methods),
  'a Proxy of a ring': (ring) => new Proxy(ring, {}),
  'a ring without keys, from the constructor': (ring) => new (classOf(ring))(),
  'an object whose prototype is a ring': (ring) => Object.create(ring) as unknown,
  'an array of a ring': (ring) => [ring],
  'a class': classOf,
  'a promise of a ring': (ring) => Promise.resolve(ring),
  'a Map': () => new Map([[5, new Uint8Array(32)]]),
  'saved bytes': (ring) => ring.save(),
  null: () => null,
};

describe.each(Object.keys(rings))('%s', (name) => {
  test('createBox', () => {
    expect(() => createBox(rings[name](createKeyring()) as Keyring)).toThrow(
      /^"key" expected (Keyring or )?Uint8Array of length 32, got (type=\w+|length=41)/,
    );
  });
  test('sealKeyring', () => {
    expect(() => sealKeyring(rings[name](createKeyring()) as Keyring, 'a passphrase', { t: 1, m: 8, p: 1 })).toThrow(
      /^"ring" expected Keyring, got type=\w+/,
    );
  });
});

test('a class that claims all objects gets none in', () => {
  const Made = classOf(createKeyring());
  const before = Object.getOwnPropertyDescriptor(Made, Symbol.hasInstance);
  Object.defineProperty(Made, Symbol.hasInstance, { configurable: true, value: () => true });
  try {
    expect(() => createBox(methods as unknown as Keyring)).toThrow(
      '"key" expected Keyring or Uint8Array of length 32, got type=Object',
    );
  } finally {
    if (before) Object.defineProperty(Made, Symbol.hasInstance, before);
    else Reflect.deleteProperty(Made, Symbol.hasInstance);
  }
});

describe('saved bytes that are wrong', () => {
  const changed =
    (change: (bytes: Uint8Array, saved: Uint8Array) => unknown, length?: number) =>
    (saved: Uint8Array): Uint8Array => {
      const bytes = new Uint8Array(length ?? saved.length);
      bytes.set(saved.subarray(0, bytes.length));
      change(bytes, saved);
      return bytes;
    };
  test.each([
    ['an id twice', changed((bytes, saved) => bytes.set(saved.subarray(5), 41), 77)],
    ['an id of 0', changed((bytes) => bytes.fill(0, 1, 9))],
    ['another primary id', changed((bytes) => (bytes[1] ^= 1))],
    ['another version', changed((bytes) => (bytes[0] = 2))],
    ['a key of 31 bytes', changed(() => undefined, 40)],
    ['a key of 33 bytes', changed(() => undefined, 42)],
    ['no key', changed(() => undefined, 5)],
  ])('%s', (_, made) => {
    expect(() => loadKeyring(made(createKeyring().save()))).toThrow(
      '"saved" expected the bytes of a keyring, which save() made, got others',
    );
  });
  test('changes after loading change nothing', () => {
    const ring = createKeyring();
    const bytes = ring.save();
    const box = createBox(loadKeyring(bytes));
    const sealed = createBox(ring).sealText('hello');
    bytes.fill(0);
    expect(box.openText(sealed)).toBe('hello');
  });
});
