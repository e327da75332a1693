/** Both lines have the names of the originals, and BLAKE3 does the same in every call: digests, refusals, and outputs in pieces. */
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { outcomeOf, pairsOf, shapeOf } from '../../drop-ins/src/compare.ts';
import { distOf, folderOf } from '../../drop-ins/src/folders.ts';
import { lines } from '../../drop-ins/src/lines.ts';

const its = lines.filter((line) => line.package === 'noble-hashes');
const pairs = (await Promise.all(its.map((line) => pairsOf(line)))).flat();

test.each(pairs)('$title: names', ({ module, ours, theirs }) => {
  expect(shapeOf(ours)).toEqual(shapeOf(theirs));
  // Only the root is not there to be imported.
  expect('thrown' in theirs).toBe(module === 'index');
});

type Any = (...values: unknown[]) => unknown;
interface Hasher {
  update(data: unknown): Hasher;
  digest(): Uint8Array;
  digestInto: Any;
  xof: Any;
  xofInto: Any;
  clone(): Hasher;
  destroy: Any;
}
type Blake3 = Any & { create(options?: unknown): Hasher };

const bytes = (length: number, first = 1): Uint8Array => Uint8Array.from({ length }, (_, i) => (first + i) % 251);
const WRONG: readonly unknown[] = [undefined, null, 'text', 7, [1, 2], {}, new Uint16Array(32), new ArrayBuffer(32)];
const OPTIONS: readonly unknown[] = [
  undefined,
  {},
  { dkLen: 0 },
  { dkLen: 5 },
  { dkLen: 200 },
  { dkLen: -1 },
  { dkLen: 1.5 },
  { dkLen: '5' },
  { key: bytes(32) },
  { key: bytes(32), dkLen: 100 },
  { key: bytes(31) },
  { key: 'k'.repeat(32) },
  { context: bytes(10) },
  { context: bytes(0) },
  { context: 'context' },
  { context: bytes(10), dkLen: 64 },
  { key: bytes(32), context: bytes(3) },
  { key: null },
  { unknown: 1 },
  null,
  5,
  'options',
  [],
];

function detached(): Uint8Array {
  const view = bytes(32);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

function whole(blake3: Blake3): string[] {
  const found: string[] = [];
  for (const options of OPTIONS)
    for (const data of [...[0, 1, 64, 65, 1024, 1025, 5000].map((size) => bytes(size)), ...WRONG, detached()])
      found.push(outcomeOf(() => blake3(data, options)));
  return found;
}

/** Pieces around the sizes of blocks, chunks and subtrees. */
const CUTS: readonly (readonly number[])[] = [
  [],
  [0, 5],
  [2048],
  [2049],
  [3000, 3000],
  [1024, 4096, 1],
  [1, 5000, 64, 3000],
  [100, 2972, 8192, 8193],
  [65_536, 65_536, 20_000],
  [1023, 70_000, 1025],
  [4096, 1024, 100_000],
];

function pieces(blake3: Blake3): string[] {
  const found: string[] = [];
  const note = (call: () => unknown): unknown => found.push(outcomeOf(call));
  for (const options of OPTIONS) {
    note(() => blake3.create(options).update(bytes(5000)).digest());
  }
  for (const options of [undefined, { key: bytes(32) }, { context: bytes(10), dkLen: 64 }]) {
    for (const cut of CUTS) {
      const fed = (): Hasher => cut.reduce((hasher, size, i) => hasher.update(bytes(size, i)), blake3.create(options));
      note(() => fed().digest());
      note(() => fed().clone().update(bytes(3000)).digest());
      note(() => fed().xof(150));
    }
  }
  return found;
}

function misuse(blake3: Blake3): string[] {
  const found: string[] = [];
  const note = (call: () => unknown): unknown => found.push(outcomeOf(call));
  for (const wrong of [...WRONG, detached(), bytes(31), bytes(33)]) {
    note(() => blake3.create().update(wrong).digest());
    note(() => blake3.create().digestInto(wrong));
    note(() => blake3.create().xofInto(wrong));
    note(() => blake3.create().xof(wrong));
  }
  const output = bytes(40);
  note(() => blake3.create().digestInto(output));
  note(() => output);
  for (const end of ['digest', 'xof', 'destroy'] as const)
    for (const next of ['update', 'digest', 'digestInto', 'xof', 'xofInto', 'clone', 'destroy'] as const) {
      const hasher = blake3.create().update(bytes(5000));
      hasher[end](10);
      const argument = next === 'xof' ? 10 : bytes(next === 'update' ? 5000 : 32);
      note(() => {
        const result = hasher[next](argument);
        return result instanceof Uint8Array ? result : typeof result;
      });
    }
  return found;
}

describe.each(pairs.filter(({ module }) => module === 'blake3'))('$title: calls', ({ ours, theirs }) => {
  for (const table of [whole, pieces, misuse])
    test(table.name, () => {
      const expected = table((theirs as { blake3: Blake3 }).blake3);
      expect(expected.length).toBeGreaterThan(50);
      expect(table((ours as { blake3: Blake3 }).blake3)).toEqual(expected);
    });
});

test('HMAC, HKDF and PBKDF2 of version 1 over BLAKE3, from CommonJS', () => {
  const line = its.find(({ major }) => major === 1)!;
  const require = createRequire(import.meta.url);
  const load = (folder: string, module: string): Record<string, Any> =>
    require(`${folder}/${module}.js`) as Record<string, Any>;
  const all = (folder: string): string[] => {
    const { blake3 } = load(folder, 'blake3');
    const [key, salt] = [bytes(40), bytes(3000)];
    return [
      outcomeOf(() => load(folder, 'hmac').hmac(blake3, key, bytes(5000))),
      outcomeOf(() => load(folder, 'hkdf').hkdf(blake3, key, salt, bytes(9), 100)),
      outcomeOf(() => load(folder, 'pbkdf2').pbkdf2(blake3, key, salt, { c: 3, dkLen: 70 })),
    ];
  };
  expect(all(distOf(line))).toEqual(all(folderOf(line.alias)));
});
