/** The block device: over each kind of store, reads and writes behave as those of a file of plain bytes. */
// Runs in Node only: about files of Node, beside stores in memory.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adiantum, encryptedFile, type AsynchronousHandle } from '../../src/disk.ts';
import { expectBytes } from '../support/bytes.ts';
import { Memory, webHandle } from '../support/stores.ts';

const PAGE = 512;
const key = Uint8Array.from({ length: 32 }, (_, i) => 3 * i);
const cipher = adiantum(key);
const options = { pageSize: PAGE, tweak: 'offset64' } as const;
const seed = Number(process.env['LANEWISE_SEED'] ?? Date.now() % 2 ** 31);
console.log(`disk-file: LANEWISE_SEED=${seed}`);

type Operation =
  | { readonly kind: 'read' | 'write'; readonly at: number; readonly length: number }
  | { readonly kind: 'truncate'; readonly pages: number };

const MOST = 9 * PAGE;
const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom('read' as const, 'write' as const),
      at: fc.oneof(
        fc.nat(MOST),
        fc.nat(9).map((page) => page * PAGE),
      ),
      length: fc.oneof(fc.nat(3 * PAGE), fc.constantFrom(0, 1, PAGE, 2 * PAGE)),
    }),
    fc.record({ kind: fc.constant('truncate' as const), pages: fc.nat(9) }),
  ),
  { maxLength: 12 },
);

/** The expected result: plain bytes, whole pages. */
class Plain {
  bytes = new Uint8Array();
  grow(to: number): void {
    const size = Math.ceil(to / PAGE) * PAGE;
    if (size <= this.bytes.length) return;
    const old = this.bytes;
    this.bytes = new Uint8Array(size);
    this.bytes.set(old);
  }
  write(data: Uint8Array, at: number): void {
    if (data.length === 0) return;
    this.grow(at + data.length);
    this.bytes.set(data, at);
  }
  truncate(size: number): void {
    if (size > this.bytes.length) this.grow(size);
    else this.bytes = this.bytes.slice(0, size);
  }
}

let counter = 0;
const fresh = (length: number): Uint8Array =>
  Uint8Array.from({ length }, () => Math.imul(++counter, 0x9e3779b1) >>> 15);

interface AnyFile {
  read(buffer: Uint8Array, at: number): number | Promise<number>;
  write(buffer: Uint8Array, at: number): unknown;
  truncate(size: number): unknown;
  size(): number | Promise<number>;
}

/** Applies the operations to a file and to plain bytes. */
async function compare(file: AnyFile, list: readonly Operation[]): Promise<Plain> {
  const plain = new Plain();
  await file.truncate(0);
  for (const operation of list) {
    if (operation.kind === 'truncate') {
      await file.truncate(operation.pages * PAGE);
      plain.truncate(operation.pages * PAGE);
    } else if (operation.kind === 'write') {
      const data = fresh(operation.length);
      const copy = data.slice();
      await file.write(data, operation.at);
      expectBytes(data, copy, 'bytes');
      plain.write(copy, operation.at);
    } else {
      const buffer = new Uint8Array(operation.length).fill(0xee);
      const expected = buffer.slice();
      const there = plain.bytes.subarray(operation.at, operation.at + operation.length);
      expected.set(there);
      expect(await file.read(buffer, operation.at)).toBe(there.length);
      expectBytes(buffer, expected, 'bytes');
    }
    expect(await file.size()).toBe(plain.bytes.length);
  }
  return plain;
}

/** The expected ciphertext of the whole image. */
const encrypted = (plain: Uint8Array): Uint8Array =>
  cipher.encryptPages(plain.slice(), { pageSize: PAGE, first: 0, tweak: 'offset64' });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lanewise-disk-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('random reads, writes and truncations do what they do to plain bytes', () => {
  const check = (runs: number, run: (list: readonly Operation[]) => Promise<void>): Promise<void> =>
    fc.assert(fc.asyncProperty(operations, run), { seed, numRuns: runs });

  test.each([Infinity, 700, 1])('over a synchronous store that moves at most %d bytes at a time', async (most) => {
    await check(most === 1 ? 20 : 150, async (list) => {
      const memory = new Memory(most);
      const plain = await compare(encryptedFile(memory, cipher, options), list);
      expectBytes(memory.bytes, encrypted(plain.bytes), 'bytes');
    });
  });

  test('over a FileSystemFileHandle', async () => {
    await check(60, async (list) => {
      const memory = new Memory();
      const plain = await compare(encryptedFile(webHandle(memory), cipher, options), list);
      expectBytes(memory.bytes, encrypted(plain.bytes), 'bytes');
    });
  });

  test('over a FileHandle of Node', async () => {
    const path = join(folder, 'file');
    const handle = await open(path, 'w+');
    try {
      await check(60, async (list) => {
        const plain = await compare(encryptedFile(handle, cipher, options), list);
        expectBytes(readFileSync(path), encrypted(plain.bytes), 'bytes');
      });
    } finally {
      await handle.close();
    }
  });
});

test('long reads and writes go through in parts, at any offset', () => {
  const memory = new Memory();
  const file = encryptedFile(memory, cipher, { tweak: 'offset64' });
  const data = fresh(200_000);
  file.write(data, 1234);
  expect(file.size()).toBe(Math.ceil(201_234 / 4096) * 4096);
  const back = new Uint8Array(200_000);
  expect(file.read(back, 1234)).toBe(200_000);
  expectBytes(back, data, 'bytes');
  const before = new Uint8Array(1234).fill(1);
  file.read(before, 0);
  expectBytes(before, new Uint8Array(1234), 'bytes');
});

test('a hole is zeros, and is encrypted like all else', () => {
  const memory = new Memory();
  const file = encryptedFile(memory, cipher, options);
  file.write(fresh(1), 300 * PAGE + 5);
  const hole = new Uint8Array(300 * PAGE).fill(1);
  expect(file.read(hole, 0)).toBe(hole.length);
  expectBytes(hole, new Uint8Array(hole.length), 'bytes');
  for (let page = 0; page < 300; page++)
    expect(memory.bytes.subarray(page * PAGE, (page + 1) * PAGE).some((byte) => byte !== 0)).toBe(true);
});

test('only whole pages are written, and none but those that a write touches', () => {
  const memory = new Memory();
  const file = encryptedFile(memory, cipher, options);
  file.truncate(20 * PAGE);
  memory.writes.length = 0;
  file.write(fresh(2 * PAGE), 3 * PAGE + 100);
  expect(memory.writes).toEqual([{ at: 3 * PAGE, length: 3 * PAGE }]);
  memory.writes.length = 0;
  file.write(fresh(1), 7 * PAGE);
  file.write(new Uint8Array(), 9 * PAGE);
  expect(memory.writes).toEqual([{ at: 7 * PAGE, length: PAGE }]);
});

test('after a crash within a write only the page that it stopped in is lost', () => {
  const data = fresh(8 * PAGE);
  for (let stop = 0; stop <= 4 * PAGE; stop += 128) {
    const memory = new Memory();
    const file = encryptedFile(memory, cipher, options);
    file.write(data, 0);
    const before = memory.bytes.slice();
    const other = fresh(4 * PAGE);
    file.write(other, 2 * PAGE);
    // The medium after power has failed after the first `stop` bytes.
    memory.bytes.set(before.subarray(2 * PAGE + stop), 2 * PAGE + stop);
    const torn = stop % PAGE === 0 ? -1 : 2 + Math.floor(stop / PAGE);
    for (let page = 0; page < 8; page++) {
      const now = new Uint8Array(PAGE);
      file.read(now, page * PAGE);
      const isNew = page >= 2 && (page - 2) * PAGE + PAGE <= stop && page < 6;
      const expected = isNew ? other.subarray((page - 2) * PAGE) : data.subarray(page * PAGE);
      if (page !== torn) expectBytes(now, expected.subarray(0, PAGE), 'bytes');
      else expect(now).not.toEqual(expected.slice(0, PAGE));
    }
  }
});

test('what a torn write leaves of a page at the end is not there, and is written over', () => {
  const memory = new Memory();
  const file = encryptedFile(memory, cipher, options);
  const data = fresh(PAGE);
  file.write(data, 0);
  memory.truncate(PAGE + 100);
  expect(file.size()).toBe(PAGE);
  expect(file.read(new Uint8Array(1), PAGE)).toBe(0);
  file.write(data, PAGE);
  const back = new Uint8Array(PAGE);
  file.read(back, PAGE);
  expectBytes(back, data, 'bytes');
});

test('operations over promises wait for those before them, also for those that fail', async () => {
  const memory = new Memory();
  const file = encryptedFile(webHandle(memory), cipher, options);
  const [a, b] = [fresh(100), fresh(100)];
  // Both writes change the same page, which each of them reads first.
  const done = Promise.all([file.write(a, 0), file.write(b, 200), file.size()]);
  expect((await done)[2]).toBe(PAGE);
  const page = new Uint8Array(PAGE);
  await file.read(page, 0);
  expectBytes(page.subarray(0, 100), a, 'bytes');
  expectBytes(page.subarray(200, 300), b, 'bytes');

  const refused = { ...webHandle(memory), getFile: () => Promise.reject(new Error('no permission')) };
  const broken = encryptedFile(refused as unknown as AsynchronousHandle, cipher, options);
  await expect(broken.read(page, 0)).rejects.toThrow('no permission');
  await expect(broken.truncate(0)).rejects.toThrow('no permission');
});

test('a store that stops moving bytes is an error, not a loop', () => {
  const memory = new Memory(0);
  const file = encryptedFile(memory, cipher, options);
  expect(() => file.write(fresh(10), 0)).toThrow('cannot write 512 bytes of the store at 0');
  memory.truncate(PAGE);
  expect(() => file.read(new Uint8Array(1), 0)).toThrow('cannot read 512 bytes of the store at 0');
});

test('flush goes to the store', () => {
  const memory = new Memory();
  encryptedFile(memory, cipher, options).flush();
  expect(memory.flushed).toBe(1);
});

describe('arguments', () => {
  const memory = new Memory();
  const file = encryptedFile(memory, cipher, options);
  const any = (value: unknown): never => value as never;
  test.each<[string, () => unknown, ErrorConstructor, string]>([
    ['handle', () => encryptedFile(any({}), cipher, options), TypeError, '"handle" expected FileHandle,'],
    ['null handle', () => encryptedFile(any(null), cipher, options), TypeError, 'got type=null'],
    ['cipher', () => encryptedFile(memory, any(key), options), TypeError, '"cipher" expected what adiantum()'],
    ['no options', () => encryptedFile(memory, cipher, any(undefined)), TypeError, '"tweak" expected'],
    ['tweak', () => encryptedFile(memory, cipher, { tweak: any('offset') }), TypeError, '"tweak" expected'],
    [
      'pageSize',
      () => encryptedFile(memory, cipher, { ...options, pageSize: 1000 }),
      RangeError,
      '"pageSize" expected a power of two from 512 to 65536, got 1000',
    ],
    [
      'pageSize type',
      () => encryptedFile(memory, cipher, { ...options, pageSize: any('512') }),
      TypeError,
      '"pageSize" expected number, got type=string',
    ],
    ['buffer', () => file.read(any([]), 0), TypeError, '"buffer" expected Uint8Array, got type=Array'],
    ['at', () => file.write(new Uint8Array(1), -1), RangeError, '"at" expected integer from 0 up, got -1'],
    ['at type', () => file.write(new Uint8Array(1), any(1n)), TypeError, '"at" expected integer, got type=bigint'],
    ['end', () => file.write(new Uint8Array(2), 2 ** 53 - 1), RangeError, '"at" expected integer'],
    ['size', () => file.truncate(100), RangeError, '"size" expected whole pages of 512 bytes, got 100'],
  ])('%s', (_, call, type, message) => {
    expect(call).toThrow(type);
    expect(call).toThrow(message);
    expect(memory.bytes).toHaveLength(0);
  });

  test('are refused before any promise is made', () => {
    const later = encryptedFile(webHandle(memory), cipher, options);
    expect(() => later.read(any('x'), 0)).toThrow(TypeError);
  });
});
