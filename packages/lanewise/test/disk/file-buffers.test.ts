/** Encrypted files whose buffers are detached before their turn, whose stores misbehave, or that share a store. */
import { describe, expect, test } from 'vitest';
import { xchacha20poly1305 } from '../../src/chacha.ts';
import {
  adiantum,
  authenticatedPages,
  encryptedFile,
  type SynchronousFile,
  type SynchronousHandle,
} from '../../src/disk.ts';
import { chunked } from '../../src/stream.ts';
import type { NodeFile } from '../../src/io/handles.ts';
import { expectBytes, refusal, sample } from '../support/bytes.ts';
import { Memory, nodeHandle } from '../support/stores.ts';

const PAGE = 512;
const cipher = adiantum(sample(32, 1));
const options = { pageSize: PAGE, tweak: 'offset64' } as const;
const DETACHED = 'TypeError: "buffer" expected Uint8Array, got one whose buffer is detached or too short';
const shorter = (length: number): string =>
  `RangeError: "buffer" expected Uint8Array of length 5000, got length=${length}`;

const detach = (bytes: Uint8Array<ArrayBuffer>): unknown => structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
const resizable = (length: number, most: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new ArrayBuffer(length, { maxByteLength: most }));
/** A view of a fixed length, which goes out of bounds when its buffer shrinks. */
const fixed = (): Uint8Array<ArrayBuffer> => new Uint8Array(new ArrayBuffer(5000, { maxByteLength: 9000 }), 0, 5000);
const refusalOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing was refused',
    (error: unknown) => String(error),
  );

describe('a buffer that goes away before its turn is refused', () => {
  const ways: readonly [string, () => Uint8Array<ArrayBuffer>, (bytes: Uint8Array<ArrayBuffer>) => unknown, string][] =
    [
      ['detached', () => new Uint8Array(5000).fill(5), detach, DETACHED],
      ['shrunk', () => resizable(5000, 9000).fill(5), (bytes) => bytes.buffer.resize(4999), shorter(4999)],
      ['shrunk to nothing', () => resizable(5000, 9000).fill(5), (bytes) => bytes.buffer.resize(0), shorter(0)],
      ['out of bounds', () => fixed().fill(5), (bytes) => bytes.buffer.resize(4999), DETACHED],
    ];
  test.each(ways)('%s', async (_, make, away, refused) => {
    const memory = new Memory();
    const file = encryptedFile(nodeHandle(memory), cipher, options);
    const lost = make();
    const written = file.write(lost, 0);
    away(lost);
    expect(await refusalOf(written)).toBe(refused);
    expect(memory.bytes).toHaveLength(0);

    await file.write(sample(6000, 2), 0);
    const buffer = make();
    const read = file.read(buffer, 0);
    away(buffer);
    expect(await refusalOf(read)).toBe(refused);
    const back = new Uint8Array(6000);
    expect(await file.read(back, 0)).toBe(6000);
    expectBytes(back, sample(6000, 2), 'the file works');
  });

  test.each(ways)('%s, while it is written or read', async (_, make, away, refused) => {
    const memory = new Memory();
    const file = encryptedFile(nodeHandle(memory), cipher, options);
    await file.truncate(10 * PAGE);
    const lost = make();
    const written = file.write(lost, 100);
    // The write has begun: it reads the page with its first byte.
    await new Promise((resolve) => setTimeout(resolve));
    away(lost);
    expect(await refusalOf(written)).toBe(refused);
    const buffer = make();
    const read = file.read(buffer, 0);
    await new Promise((resolve) => setTimeout(resolve));
    away(buffer);
    expect(await refusalOf(read)).toBe(refused);
    const back = new Uint8Array(10 * PAGE).fill(1);
    await file.read(back, 0);
    expectBytes(back, new Uint8Array(10 * PAGE), 'nothing was written');
  });
});

test('a buffer that grows before its turn counts as long as it was', async () => {
  const file = encryptedFile(nodeHandle(new Memory()), cipher, options);
  const bytes = resizable(600, 9000).fill(5);
  const written = file.write(bytes, 0);
  bytes.buffer.resize(9000);
  await written;
  expect(await file.size()).toBe(2 * PAGE);
  const back = resizable(600, 9000);
  const read = file.read(back, 0);
  back.buffer.resize(9000);
  expect(await read).toBe(600);
  expectBytes(back.subarray(0, 600), new Uint8Array(600).fill(5), 'what is read');
  expectBytes(back.subarray(600), new Uint8Array(8400), 'behind it');
});

test('a buffer that is changed before its turn is written as it is then', async () => {
  const file = encryptedFile(nodeHandle(new Memory()), cipher, options);
  const bytes = new Uint8Array(PAGE);
  const written = file.write(bytes, 0);
  bytes.fill(7);
  await written;
  const back = new Uint8Array(PAGE);
  await file.read(back, 0);
  expectBytes(back, bytes, 'what is read');
});

describe('a store that lies about what it moved or has is not believed', () => {
  const lying = (lie: Partial<SynchronousHandle>): SynchronousHandle => {
    const memory = new Memory();
    encryptedFile(memory, cipher, options).truncate(4 * PAGE);
    const honest: SynchronousHandle = {
      read: (buffer, { at }) => memory.read(buffer, { at }),
      write: (buffer, { at }) => memory.write(buffer, { at }),
      truncate: (size) => memory.truncate(size),
      flush: () => memory.flush(),
      getSize: () => memory.getSize(),
    };
    return { ...honest, ...lie };
  };
  const wrong: readonly [unknown, string][] = [
    [513, '513'],
    [-1, '-1'],
    [0.5, '0.5'],
    [NaN, 'NaN'],
    [Infinity, 'Infinity'],
    ['512', 'type=string'],
    [512n, 'type=bigint'],
    [undefined, 'type=undefined'],
    [null, 'type=null'],
  ];
  test.each(wrong)('%s bytes', (answer, got) => {
    const answering = () => answer as number;
    const one = new Uint8Array(1);
    expect(refusal(() => encryptedFile(lying({ read: answering }), cipher, options).read(one, PAGE))).toBe(
      `Error: cannot read 512 bytes of the store at 512: it says that it moved ${got}`,
    );
    expectBytes(one, new Uint8Array(1), 'the buffer');
    expect(
      refusal(() => encryptedFile(lying({ write: answering }), cipher, options).write(new Uint8Array(PAGE), PAGE)),
    ).toBe(`Error: cannot write 512 bytes of the store at 512: it says that it moved ${got}`);
    if (answer !== 513)
      expect(refusal(() => encryptedFile(lying({ getSize: answering }), cipher, options).size())).toBe(
        `Error: cannot use the store: it says that its size is ${got}`,
      );
  });

  test.each([undefined, null, {}])('%o in place of an answer', async (nothing) => {
    const memory = new Memory();
    encryptedFile(memory, cipher, options).truncate(4 * PAGE);
    const silent = () => Promise.resolve(nothing as never);
    const opened = (lie: object) => encryptedFile({ ...nodeHandle(memory), ...lie }, cipher, options);
    const got = 'type=undefined';
    expect(await refusalOf(opened({ read: silent }).read(new Uint8Array(1), PAGE))).toBe(
      `Error: cannot read 512 bytes of the store at 512: it says that it moved ${got}`,
    );
    expect(await refusalOf(opened({ write: silent }).write(new Uint8Array(PAGE), PAGE))).toBe(
      `Error: cannot write 512 bytes of the store at 512: it says that it moved ${got}`,
    );
    expect(await refusalOf(opened({ stat: silent }).size())).toBe(
      `Error: cannot use the store: it says that its size is ${got}`,
    );
    const source = { ...nodeHandle(memory), fd: 1, stat: silent };
    expect(await refusalOf(chunked(new Uint8Array(32)).reader(source as NodeFile))).toMatch(
      /^Error: cannot read .* type=undefined/,
    );
  });

  test('or gives more than it was asked for', async () => {
    const blob = { arrayBuffer: () => Promise.resolve(new ArrayBuffer(2 * PAGE)) };
    const file = encryptedFile(
      {
        getFile: () => Promise.resolve({ size: 4 * PAGE, slice: () => blob }),
        createWritable: () => Promise.reject(new Error('not asked for')),
      },
      cipher,
      options,
    );
    expect(await refusalOf(file.read(new Uint8Array(1), 0))).toBe(
      'Error: cannot read 512 bytes of the store at 0: it says that it moved 1024',
    );
  });
});

describe('no content stays in the bytes that the store was given', () => {
  const authenticated = authenticatedPages(xchacha20poly1305, sample(32, 1));
  const makers: readonly [string, (memory: Memory) => SynchronousFile][] = [
    ['with tags', (memory) => encryptedFile(memory, authenticated, { pageSize: PAGE, create: true })],
    ['without', (memory) => encryptedFile(memory, cipher, options)],
  ];
  test.each(makers)('%s', (_, make) => {
    /** Keeps the buffers that it was given, and fails when told. */
    class Keeping extends Memory {
      readonly given: Uint8Array[] = [];
      failing = false;
      override read(buffer: Uint8Array, place: { at: number }): number {
        this.given.push(buffer);
        return super.read(buffer, place);
      }
      override write(buffer: Uint8Array, place: { at: number }): number {
        this.given.push(buffer);
        if (this.failing) throw new Error('no space');
        return super.write(buffer, place);
      }
    }
    const memory = new Keeping();
    const file = make(memory);
    const expectNone = (what: string): void => {
      const kept = memory.given.splice(0);
      expect(kept.length, what).toBeGreaterThan(0);
      // Headers hold nothing of the content.
      for (const bytes of kept.filter(({ length }) => length >= PAGE && length !== 4096))
        expectBytes(new Uint8Array(bytes.buffer), new Uint8Array(bytes.buffer.byteLength), what);
    };
    file.write(sample(5000, 2), 100);
    expectNone('write');
    file.read(new Uint8Array(3000), 7);
    expectNone('read');
    file.truncate(20 * PAGE);
    expectNone('truncate');
    memory.failing = true;
    expect(refusal(() => file.write(sample(1000, 3), 300))).toBe('Error: no space');
    expectNone('a write that failed');
    memory.failing = false;
    memory.bytes.fill(1, -PAGE);
    refusal(() => file.read(new Uint8Array(10_000), 0));
    expectNone('a read that failed');
  });
});

test('a nonce of fscrypt is copied', () => {
  const nonce = sample(16, 4);
  const memory = new Memory();
  const file = encryptedFile(memory, cipher, { pageSize: PAGE, tweak: { fscrypt: nonce } });
  nonce.fill(0);
  file.write(sample(PAGE, 5), PAGE);
  const tweak = { fscrypt: sample(16, 4) };
  expectBytes(cipher.decryptPages(memory.bytes, { pageSize: PAGE, tweak }).subarray(PAGE), sample(PAGE, 5), 'the page');
});

test('files over one handle take turns', async () => {
  const memory = new Memory();
  const handle = nodeHandle(memory);
  const files = [0, 1, 2].map(() => encryptedFile(handle, cipher, options));
  // Each write reads the page that the others change, and writes the whole page.
  await Promise.all(Array.from({ length: 60 }, (_, i) => files[i % 3].write(new Uint8Array(5).fill(i + 1), 5 * i)));
  const back = new Uint8Array(300);
  await files[0].read(back, 0);
  expectBytes(
    back,
    new Uint8Array(300).map((_, i) => Math.floor(i / 5) + 1),
    'all writes',
  );
});
