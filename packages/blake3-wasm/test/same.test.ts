/** The package has the paths and names of the original, and does the same in every call, however wrong. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytes, folders, load, noted, pairs, require, type Call, type Library, type Methods } from './pairs.ts';

const { ours, theirs } = folders;

/** All names, with kinds, the lengths of functions, and the members of classes. */
function shapeOf(value: unknown, depth = 0): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return String(value);
  if (depth > 2) return typeof value;
  const its = value as Record<string, unknown>;
  const prototype = typeof value === 'function' ? (value as { prototype?: object }).prototype : undefined;
  return [
    typeof value === 'function' ? value.length : 'object',
    Object.keys(value)
      .sort()
      .map((name) => [name, shapeOf(its[name], depth + 1)]),
    prototype && Object.getOwnPropertyNames(prototype).sort(),
  ];
}

describe('paths', () => {
  /** Made for the original's workshop, not for users. */
  const workshop = /^(?:dist|esm)\/build\/|\.test\.|test-helpers|\.map$|^benchmark|\.md$|^targets\.json$|^LICENSE$/;
  const files = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));

  test('every file is there, and all but our modules are the same', () => {
    const changed: string[] = [];
    for (const path of files(theirs).filter((its) => !workshop.test(its))) {
      expect(existsSync(join(ours, path)), path).toBe(true);
      const [mine, its] = [ours, theirs].map((folder) =>
        readFileSync(join(folder, path), 'latin1').replace(/\/\/# sourceMappingURL.*\n?/, ''),
      );
      if (mine !== its) changed.push(path);
    }
    const wasm = ['browser', 'nodejs', 'web'].map((name) => `dist/wasm/${name}/blake3_js.js`);
    // They import files that do not exist.
    const mended = ['esm/index.js', 'esm/node/hash-instance.js', 'esm/node/wasm.js'];
    expect(changed.sort()).toEqual([...wasm, ...mended, 'package.json']);
  });

  test('the manifest leads to the same files', () => {
    const [mine, its] = [ours, theirs].map((folder) => require(join(folder, 'package.json')) as Library);
    for (const field of ['main', 'module', 'browser', 'types', 'type', 'exports', 'sideEffects'])
      expect(mine[field], field).toEqual(its[field]);
  });

  test.each(['dist', 'dist/base', 'dist/node', 'dist/base/hash-reader', 'dist/node/hash-fn', 'dist/node/wasm'])(
    'names of %s',
    (path) => {
      expect(shapeOf(require(join(ours, path)))).toEqual(shapeOf(require(join(theirs, path))));
    },
  );

  test.each(['browser-async.js', 'esm/browser/index.js', 'esm/browser/wasm.js', 'esm/browser/hash.js'])(
    'names of %s, an ES module',
    async (path) => {
      expect(shapeOf({ ...(await load(ours, path)) })).toEqual(shapeOf({ ...(await load(theirs, path)) }));
    },
  );

  test('names of the modules that are ours', async () => {
    const node = ['hash', 'create_hasher', 'create_keyed', 'create_derive', 'Blake3Hash', 'HashReader'];
    const names = async (folder: string): Promise<string[]> =>
      Object.keys(await load(folder, 'dist/wasm/web/blake3_js.js'));
    expect(Object.keys(require(join(ours, 'dist/wasm/nodejs/blake3_js')) as Library).sort()).toEqual(node.sort());
    expect((await names(ours)).sort()).toEqual((await names(theirs)).sort());
    expect((await names(ours)).sort()).toEqual([...node, 'default'].sort());
  });

  test('the ES modules for Node, which cannot be loaded from the original', async () => {
    await expect(load(theirs, 'esm/index.js')).rejects.toThrow(/Cannot find module/);
    const module = await load(ours, 'esm/index.js');
    expect(shapeOf({ ...module })).toEqual(shapeOf(require(theirs)));
    expect(noted(() => (module.createKeyed(bytes(32)) as Methods).digest())).toBe(
      noted(() => ((require(theirs) as Library).createKeyed(bytes(32)) as Methods).digest()),
    );
  });

  test('Node finds the names where an ES module imports them', async () => {
    const module = await load(ours, 'dist/index.js');
    for (const name of Object.keys(require(ours) as Library)) expect(module, name).toHaveProperty(name);
  });
});

function detached(): Uint8Array {
  const view = bytes(32);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}
const shared = (): Uint8Array => new Uint8Array(new SharedArrayBuffer(40), 3, 32).fill(5);

/** Not among them: a class that gives another length than it has, with which the original overwrites its memory. See `lying` below. */
const WRONG: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  null: () => null,
  text: () => 'text of no length in particular',
  digits: () => '1'.repeat(32),
  'a lone surrogate': () => '\ud800',
  'a number': () => 7,
  true: () => true,
  'an array': () => [1, 2, 300, -1, 'x'],
  '32 numbers': () => Array<number>(32).fill(9),
  'an object': () => ({}),
  'an object with a length': () => ({ length: 32, 3: 9 }),
  words: () => Uint16Array.of(1, 2, 770),
  floats: () => new Float64Array(32),
  'a view': () => new DataView(new ArrayBuffer(32)),
  'an ArrayBuffer': () => bytes(32).buffer,
  'no bytes': () => bytes(0),
  '31 bytes': () => bytes(31),
  '33 bytes': () => bytes(33),
  'a Buffer': () => Buffer.from(bytes(32)),
  'shared bytes': shared,
  'a detached array': detached,
};
/** A name for lint, which takes `reader.toString()` for that of Object. */
const TEXT: string = 'toString';
const OPTIONS: readonly unknown[] = [
  null,
  5,
  'text',
  { length: 0 },
  { length: 1 },
  { length: 200 },
  { length: 20_000 },
  { length: 1.5 },
  { length: -1 },
  { length: NaN },
  { length: '5' },
  { length: undefined },
  { dispose: false },
  { dispose: 0, length: 40 },
];

function calls(library: Library, isNode: boolean): string[] {
  const found: string[] = [];
  const note = (title: string, call: () => unknown): unknown => found.push(`${title}: ${noted(call)}`);
  const key = (): Uint8Array => (isNode ? Buffer.from(bytes(32)) : bytes(32));
  const hasher = (): Methods => library.createHash() as Methods;
  const reader = (): Methods => (hasher().update('abc') as Methods).reader() as Methods;
  for (const [name, make] of Object.entries(WRONG)) {
    note(`hash of ${name}`, () => library.hash(make()));
    note(`keyedHash by ${name}`, () => library.keyedHash(make(), 'abc'));
    note(`keyedHash of ${name}`, () => library.keyedHash(key(), make()));
    note(`createKeyed by ${name}`, () => ((library.createKeyed(make()) as Methods).update('abc') as Methods).digest());
    note(`deriveKey of ${name}`, () => library.deriveKey('context', make()));
    note(`update of ${name}`, () => (hasher().update(make()) as Methods).digest());
    note(`encoding ${name}`, () => hasher().digest(make()));
    note(`reading into ${name}`, () => {
      const [its, target] = [reader(), make()];
      its.readInto(target);
      return [target, its.position].join();
    });
    note(`reading ${name} bytes`, () => reader().read(make()));
    note(`position ${name}`, () => {
      const its = reader();
      its.position = make();
      return its.read(5);
    });
    // The browsers' module derives no key from a context that isn't a string: see README.
    const context = make();
    if (isNode || typeof context === 'string' || context === undefined || context === null) {
      note(`deriveKey by ${name}`, () => library.deriveKey(context, 'abc'));
      if (isNode)
        note(`createDeriveKey by ${name}`, () =>
          ((library.createDeriveKey(context) as Methods).update('abc') as Methods).digest(),
        );
    }
  }
  for (const options of OPTIONS) {
    const name = JSON.stringify(options);
    note(`hash, ${name}`, () => library.hash('abc', options));
    note(`keyedHash, ${name}`, () => library.keyedHash(key(), 'abc', options));
    note(`deriveKey, ${name}`, () => library.deriveKey('context', 'abc', options));
    note(`digest, ${name}`, () => hasher().digest(options));
    note(`digest in hex, ${name}`, () => hasher().digest('hex', options));
    note(`digest, then, ${name}`, () => {
      const its = hasher();
      its.digest(options);
      return (its.update('abc') as Methods).digest();
    });
    note(`reader, then, ${name}`, () => {
      const its = hasher();
      const first = (its.reader(options) as Methods).read(3);
      return [first, its.digest('hex')].join(' ');
    });
  }
  for (const encoding of ['hex', 'base64', 'utf8', 'latin1', 'nope', '', 5]) {
    note(`digest in ${encoding}`, () => hasher().digest(encoding));
    note(`reader in ${encoding}`, () => reader()[TEXT](encoding));
  }
  for (const position of [0n, 1n, 63n, 64n, 65n, -1n, 2n ** 32n * 64n - 3n, 2n ** 64n - 41n, 2n ** 64n - 1n, 2n ** 64n])
    note(`position ${position}`, () => {
      const its = reader();
      its.position = position;
      return [its.read(40), its.position].join(' ');
    });
  for (const method of ['update', 'digest', 'reader'])
    for (const end of ['dispose', 'digest', 'reader'])
      note(`${method} after ${end}`, () => {
        const its = hasher();
        its[end]();
        its.dispose();
        return its[method]('hex');
      });
  for (const method of ['read', 'readInto', 'toString', isNode ? 'toBuffer' : 'toArray', 'dispose'])
    note(`${method} after dispose`, () => {
      const its = reader();
      its.dispose();
      return its[method](bytes(3));
    });
  const { using } = library as { using: Call };
  note('using', () =>
    using(hasher(), (its: Methods) => (its.update('abc') as Methods).digest('hex', { dispose: false })),
  );
  note('using, thrown', () =>
    using(hasher(), () => {
      throw new Error('thrown');
    }),
  );
  return found;
}

describe.each(pairs)('calls in $title', ({ title, ours, theirs }) => {
  test('of every function and method', () => {
    const [mine, its] = [ours, theirs].map((library) => calls(library, title === 'Node'));
    expect(its.length).toBeGreaterThan(300);
    expect(mine).toEqual(its);
  });
});

test('an error for a key of another length has its reason', () => {
  for (const { ours } of pairs) {
    const error = ((): unknown => {
      try {
        return ours.createKeyed(bytes(31));
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(WebAssembly.RuntimeError);
    expect((error as Error).cause).toEqual(new RangeError('"key" expected 32 bytes, got length=31'));
  }
});

test('browsers derive no key from a context that is not a string', () => {
  const [, { ours }] = pairs;
  for (const context of [5, ['abc'], bytes(3), { length: 0 }, true])
    expect(() => ours.deriveKey(context, 'abc')).toThrow(TypeError);
});

test('a read that fails changes nothing', () => {
  for (const { ours } of pairs) {
    const reader = (ours.createHash() as Methods).reader() as Methods;
    expect(() => reader.readInto([0, 0, 0])).toThrow('bytes.set is not a function');
    const first = (ours.hash('') as Uint8Array).slice(0, 3);
    expect([...(reader.read(3) as Uint8Array)]).toEqual([...first]);
  }
});

/** Arrays of a class that gives another length than they have. The original writes past the place in its memory that it asked for. */
function lying(length: number): Uint8Array {
  class Lying extends Uint8Array {
    override get length(): number {
      return length;
    }
  }
  const its = new Lying(64);
  Uint8Array.prototype.fill.call(its, 7);
  return its;
}

test.each([0, 5, 32, 64, 70])('a class that says %d: all its bytes are taken, and so many given', (length) => {
  for (const { ours } of pairs) {
    const message = new Uint8Array(64).fill(7);
    const shown = (digest: unknown): string => Buffer.from(digest as Uint8Array).toString('hex');
    const lie = lying(length);
    expect(shown(ours.hash(lie))).toBe(shown(ours.hash(message)));
    expect(shown(((ours.createHash() as Methods).update(lie) as Methods).digest())).toBe(shown(ours.hash(message)));
    expect(new Uint8Array(lie.buffer)).toEqual(new Uint8Array(64).fill(7));
    if (length > 64) continue;
    const reader = (ours.createHash() as Methods).reader() as Methods;
    reader.readInto(lie);
    const output = Buffer.from(ours.hash('', { length }) as Uint8Array);
    expect(shown(new Uint8Array(lie.buffer))).toBe(output.toString('hex') + '07'.repeat(64 - length));
    expect(reader.position).toBe(BigInt(length));
  }
});
