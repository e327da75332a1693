/** Encrypted files with headers and tags: they behave as a file of plain bytes, in the format of docs/inside/authenticated-file.md. */
// Runs in Node only: about files of Node and a document, beside stores in memory.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { xchacha20poly1305 } from '../../src/chacha.ts';
import { authenticatedPages, encryptedFile } from '../../src/disk.ts';
import { decode, decodeHeader, encode, HEADER_BYTES } from '../support/authenticated-file.ts';
import { concat, expectBytes, hex, sample } from '../support/bytes.ts';
import { Memory, webHandle } from '../support/stores.ts';

const PAGE = 512;
const CONTENT = PAGE - 40;
const key = sample(32, 1);
const cipher = authenticatedPages(xchacha20poly1305, key);
const options = { pageSize: PAGE, create: true } as const;
const seed = Number(process.env['LANEWISE_SEED'] ?? Date.now() % 2 ** 31);
console.log(`disk-authenticated-file: LANEWISE_SEED=${seed}`);

type Operation =
  | { readonly kind: 'read' | 'write'; readonly at: number; readonly length: number }
  | { readonly kind: 'truncate'; readonly size: number }
  | { readonly kind: 'flush' }
  | { readonly kind: 'open' };

const place = fc.oneof(
  fc.nat(9 * CONTENT),
  fc.nat(9).map((page) => page * CONTENT),
);
const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom('read' as const, 'write' as const),
        at: place,
        length: fc.oneof(fc.nat(3 * CONTENT), fc.constantFrom(0, 1, CONTENT, 2 * CONTENT)),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('truncate' as const), size: place }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('flush' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('open' as const) }) },
  ),
  { maxLength: 14 },
);

/** The expected result. */
class Plain {
  bytes = new Uint8Array();
  resize(size: number): void {
    const old = this.bytes.subarray(0, size);
    this.bytes = new Uint8Array(size);
    this.bytes.set(old);
  }
  write(data: Uint8Array, at: number): void {
    if (data.length === 0) return;
    if (at + data.length > this.bytes.length) this.resize(at + data.length);
    this.bytes.set(data, at);
  }
}

let counter = 0;
const fresh = (length: number): Uint8Array<ArrayBuffer> => sample(length, ++counter);

interface AnyFile {
  read(buffer: Uint8Array, at: number): number | Promise<number>;
  write(buffer: Uint8Array, at: number): unknown;
  truncate(size: number): unknown;
  flush(): unknown;
  size(): number | Promise<number>;
}

/** Applies the operations to a file and to plain bytes. */
async function compare(openFile: () => AnyFile, list: readonly Operation[]): Promise<Uint8Array> {
  const plain = new Plain();
  let file = openFile();
  for (const operation of list) {
    if (operation.kind === 'open') file = openFile();
    else if (operation.kind === 'flush') await file.flush();
    else if (operation.kind === 'truncate') {
      await file.truncate(operation.size);
      plain.resize(operation.size);
    } else if (operation.kind === 'write') {
      const data = fresh(operation.length);
      const copy = data.slice();
      await file.write(data, operation.at);
      expectBytes(data, copy, 'the buffer');
      plain.write(copy, operation.at);
    } else {
      const buffer = new Uint8Array(operation.length).fill(0xee);
      const expected = buffer.slice();
      const there = plain.bytes.subarray(operation.at, operation.at + operation.length);
      expected.set(there);
      expect(await file.read(buffer, operation.at)).toBe(there.length);
      expectBytes(buffer, expected, 'what is read');
    }
    expect(await file.size()).toBe(plain.bytes.length);
  }
  await file.flush();
  return plain.bytes;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lanewise-authenticated-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('random reads, writes and truncations do what they do to plain bytes', () => {
  const check = (runs: number, run: (list: readonly Operation[]) => Promise<void>): Promise<void> =>
    fc.assert(fc.asyncProperty(operations, run), { seed, numRuns: runs });

  test.each([Infinity, 700, 13])('over a synchronous store that moves at most %d bytes at a time', async (most) => {
    await check(most === 13 ? 30 : 150, async (list) => {
      const memory = new Memory(most);
      const content = await compare(() => encryptedFile(memory, cipher, options), list);
      expectBytes(decode(memory.bytes, key), content, 'the store');
      expect(memory.bytes.length).toBe(2 * HEADER_BYTES + Math.ceil(content.length / CONTENT) * PAGE);
    });
  });

  test('over a FileSystemFileHandle', async () => {
    await check(40, async (list) => {
      const memory = new Memory();
      const content = await compare(() => encryptedFile(webHandle(memory), cipher, options), list);
      expectBytes(decode(memory.bytes, key), content, 'the store');
    });
  });

  test('over a FileHandle of Node', async () => {
    const path = join(folder, 'file');
    await check(40, async (list) => {
      const handle = await open(path, 'w+');
      try {
        const content = await compare(() => encryptedFile(handle, cipher, options), list);
        expectBytes(decode(readFileSync(path), key), content, 'the store');
      } finally {
        await handle.close();
      }
    });
  });
});

describe('a file that the model has written', () => {
  const id = sample(16, 5);
  let nonces = 100;
  const model = (content: Uint8Array, pageSize = PAGE) => ({
    ...{ key, id, pageSize, content, nonce: () => sample(24, nonces++) },
    generations: [7, 7] as const,
  });

  test.each([
    [512, 0],
    [512, 1],
    [512, 472],
    [512, 473],
    [4096, 10_000],
    [65_536, 200_000],
  ])('in pages of %i bytes, %i bytes long', (pageSize, length) => {
    const content = sample(length, 6);
    const memory = new Memory();
    memory.bytes = encode(model(content, pageSize));
    const before = memory.bytes.slice();
    const file = encryptedFile(memory, cipher);
    expect(file.size()).toBe(length);
    const back = new Uint8Array(length + 10).fill(1);
    expect(file.read(back, 0)).toBe(length);
    expectBytes(back.subarray(0, length), content, 'what is read');
    expectBytes(memory.bytes, before, 'reading writes nothing');
    file.write(sample(100, 7), 50);
    file.flush();
    const expected = new Uint8Array(Math.max(150, length));
    expected.set(content);
    expected.set(sample(100, 7), 50);
    expectBytes(decode(memory.bytes, key), expected, 'the store');
    const header = decodeHeader(memory.bytes, 0, key);
    expect(hex(header.id)).toBe(hex(id));
    expect(header.pageSize).toBe(pageSize);
  });

  test.each([
    [[9, 8], 0],
    [[8, 9], 1],
    [[undefined, 3], 1],
    [[3, undefined], 0],
  ] as const)('with headers of generations %j: the newest holds', (generations, newest) => {
    const content = sample(1000, 6);
    const memory = new Memory();
    memory.bytes = encode({ ...model(content), generations });
    // The other header is valid, but belongs to a file of another length.
    const shorter = encode({ ...model(content.subarray(0, 500)), generations });
    const from = (1 - newest) * HEADER_BYTES;
    memory.bytes.set(shorter.subarray(from, from + HEADER_BYTES), from);
    const file = encryptedFile(memory, cipher);
    expect(file.size()).toBe(1000);
    file.write(sample(1, 8), 1000);
    file.flush();
    expectBytes(decode(memory.bytes, key), concat(content, sample(1, 8)), 'the store');
  });
});

test('the example of docs/inside/authenticated-file.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/inside/authenticated-file.md'), 'utf8');
  const content = Uint8Array.from({ length: 500 }, (_, i) => i % 251);
  let nonces = 0;
  const store = encode({
    key: Uint8Array.from({ length: 32 }, (_, i) => i),
    id: Uint8Array.from({ length: 16 }, (_, i) => 32 + i),
    ...{ pageSize: 512, content, generations: [1, 1] },
    nonce: () => new Uint8Array(24).fill(++nonces),
  });
  const sha256 = createHash('sha256').update(store).digest('hex');
  for (const value of [
    hex(store.subarray(0, 96)),
    hex(store.subarray(4096, 4192)),
    hex(store.subarray(8664, 8704)),
    sha256,
  ])
    expect(page).toContain(`\`${value}\``);
  const memory = new Memory();
  memory.bytes = store;
  const example = authenticatedPages(
    xchacha20poly1305,
    Uint8Array.from({ length: 32 }, (_, i) => i),
  );
  const file = encryptedFile(memory, example);
  const back = new Uint8Array(600);
  expect(file.read(back, 0)).toBe(500);
  expectBytes(back.subarray(0, 500), content, 'what is read');
});

test('what is behind the end of a cut is zeros when the file grows again', () => {
  const memory = new Memory();
  const file = encryptedFile(memory, cipher, options);
  for (const grow of [() => file.truncate(900), () => file.write(new Uint8Array(1), 899)]) {
    file.write(new Uint8Array(900).fill(7), 0);
    file.truncate(300);
    grow();
    const back = new Uint8Array(900).fill(1);
    file.read(back, 0);
    const expected = new Uint8Array(900).fill(7, 0, 300);
    expectBytes(back, expected, 'what is read');
  }
});

test('only the pages that a write touches are written, and a header if the length changes', () => {
  const memory = new Memory();
  const file = encryptedFile(memory, cipher, options);
  file.truncate(20 * CONTENT);
  file.flush();
  memory.writes.length = 0;
  file.write(fresh(2 * CONTENT), 3 * CONTENT + 100);
  expect(memory.writes).toEqual([{ at: 2 * HEADER_BYTES + 3 * PAGE, length: 3 * PAGE }]);
  memory.writes.length = 0;
  file.write(new Uint8Array(), 9 * CONTENT);
  expect(memory.writes).toEqual([]);
  file.write(fresh(1), 20 * CONTENT);
  expect(memory.writes.map(({ length }) => length)).toEqual([PAGE, HEADER_BYTES]);
});

test('size and read leave a store alone that has nothing in it', () => {
  const memory = new Memory();
  const file = encryptedFile(memory, cipher, options);
  expect(file.size()).toBe(0);
  expect(file.read(new Uint8Array(5), 0)).toBe(0);
  file.write(new Uint8Array(), 7);
  expect(memory.writes).toEqual([]);
  file.flush();
  expectBytes(decode(memory.bytes, key), new Uint8Array(), 'the store');
});

test('each page and header has a nonce of its own, and each file an identity', () => {
  const seen = new Set<string>();
  const ids = new Set<string>();
  for (let n = 0; n < 20; n++) {
    const memory = new Memory();
    const file = encryptedFile(memory, cipher, options);
    file.write(fresh(5 * CONTENT), 0);
    file.flush();
    ids.add(hex(memory.bytes.subarray(16, 32)));
    for (let header = 0; header < 2; header++)
      seen.add(hex(memory.bytes.subarray(4096 * header + 56, 4096 * header + 80)));
    for (let page = 0; page < 5; page++) {
      const end = 2 * HEADER_BYTES + (page + 1) * PAGE;
      seen.add(hex(memory.bytes.subarray(end - 40, end - 16)));
    }
  }
  expect(ids.size).toBe(20);
  expect(seen.size).toBe(20 * 7);
});

test('files over one handle see what the others write', async () => {
  const memory = new Memory();
  const files = [0, 1, 2].map(() => encryptedFile(memory, cipher, options));
  for (let i = 0; i < 60; i++) files[i % 3].write(new Uint8Array(50).fill(i + 1), 50 * i);
  const back = new Uint8Array(3000);
  expect(files[0].read(back, 0)).toBe(3000);
  expectBytes(
    back,
    back.map((_, i) => Math.floor(i / 50) + 1),
    'all writes',
  );
  const handle = webHandle(new Memory());
  const later = [0, 1, 2].map(() => encryptedFile(handle, cipher, options));
  await Promise.all(Array.from({ length: 30 }, (_, i) => later[i % 3].write(new Uint8Array(50).fill(i + 1), 50 * i)));
  expect(await later[2].read(back, 0)).toBe(1500);
  expectBytes(
    back.subarray(0, 1500),
    back.slice(0, 1500).map((_, i) => Math.floor(i / 50) + 1),
    'all writes',
  );
});
