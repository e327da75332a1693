/** Objects that look like keyrings: none is taken, and that is said before any work. */
import { createBox, createKeyring, type Keyring, loadKeyring, sealKeyring } from 'lanewise/box.js';
import { describe, expect, test } from 'vitest';

const ring = createKeyring();
const methods = {
  primary: 5,
  ids: [5],
  rotate: () => 5,
  remove: () => undefined,
  save: () => new Uint8Array(41),
  destroy: () => undefined,
};
const Made = ring.constructor as new () => Keyring;

const rings: Readonly<Record<string, unknown>> = {
  'an object with its methods': methods,
  'an object of its class': Object.create(Made.prototype as object) as unknown,
  'an object of its class with its methods': Object.assign(Object.create(null) as object, methods),
  'a Proxy of a ring': new Proxy(ring, {}),
  'a ring without keys, from the constructor': new Made(),
  'an object whose prototype is a ring': Object.create(ring) as unknown,
  'an array of a ring': [ring],
  'a class': Made,
  'a promise of a ring': Promise.resolve(ring),
  'a Map': new Map([[5, new Uint8Array(32)]]),
  'saved bytes': ring.save(),
  null: null,
};

describe.each(Object.keys(rings))('%s', (name) => {
  test('createBox', () => {
    expect(() => createBox(rings[name] as Keyring)).toThrow(
      /^"key" expected (Keyring or )?Uint8Array of length 32, got (type=\w+|length=41)/,
    );
  });
  test('sealKeyring', () => {
    expect(() => sealKeyring(rings[name] as Keyring, 'a passphrase', { logN: 1 })).toThrow(
      /^"ring" expected Keyring, got type=\w+/,
    );
  });
});

test('a class that claims all objects gets none in', () => {
  const [before] = [Object.getOwnPropertyDescriptor(Made, Symbol.hasInstance)];
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
  const saved = ring.save();
  const changed = (change: (bytes: Uint8Array) => void, length = saved.length): Uint8Array => {
    const bytes = new Uint8Array(length);
    bytes.set(saved.subarray(0, length));
    change(bytes);
    return bytes;
  };
  const twice = (): Uint8Array => changed((bytes) => bytes.set(saved.subarray(5), 41), 77);
  test.each([
    ['an id twice', twice()],
    ['an id of 0', changed((bytes) => bytes.fill(0, 1, 9))],
    ['another primary id', changed((bytes) => (bytes[1] ^= 1))],
    ['another version', changed((bytes) => (bytes[0] = 2))],
    ['a key of 31 bytes', changed(() => undefined, 40)],
    ['a key of 33 bytes', changed(() => undefined, 42)],
    ['no key', changed(() => undefined, 5)],
  ])('%s', (_, bytes) => {
    expect(() => loadKeyring(bytes)).toThrow('"saved" expected the bytes of a keyring, which save() made, got others');
  });
  test('changes after loading change nothing', () => {
    const bytes = saved.slice();
    const box = createBox(loadKeyring(bytes));
    const sealed = createBox(ring).sealText('hello');
    bytes.fill(0);
    expect(box.openText(sealed)).toBe('hello');
  });
});
