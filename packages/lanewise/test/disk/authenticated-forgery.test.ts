/** Forgeries of an encrypted file with headers and tags: refused, or listed as undetected in docs/inside/authenticated-file.md. */
import { beforeAll, describe, expect, test } from 'vitest';
import { chacha20poly1305, xchacha20poly1305 } from '../../src/chacha.ts';
import {
  adiantum,
  authenticatedPages,
  encryptedFile,
  type AuthenticatedFileOptions,
  type SynchronousFile,
} from '../../src/disk.ts';
import { concat, expectBytes, refusal, sample, untouched } from '../support/bytes.ts';
import { Memory, nodeHandle } from '../support/stores.ts';

const PAGE = 512;
const CONTENT = PAGE - 40;
const PAGES = 8192;
const key = sample(32, 1);
const cipher = authenticatedPages(xchacha20poly1305, key);
const options = { pageSize: PAGE, create: true } as const;

/** The bytes of a store with a file of this content. */
function stored(content: Uint8Array, given: AuthenticatedFileOptions = {}): Uint8Array<ArrayBuffer> {
  const memory = new Memory();
  const file = encryptedFile(memory, cipher, { ...options, ...given });
  file.write(content, 0);
  file.flush();
  return memory.bytes;
}
function opened(store: Uint8Array, given: AuthenticatedFileOptions = {}): SynchronousFile {
  const memory = new Memory();
  memory.bytes = store.slice();
  return encryptedFile(memory, cipher, given);
}
const content = sample(4 * CONTENT, 2);
let store: Uint8Array<ArrayBuffer>;
// The store is made later: workerd has no random numbers while it loads. Tests put 0 in place of the last byte of its header,
// a tag, so that byte must be another: it is random, and 0 in one store of 256.
beforeAll(() => {
  do store = stored(content);
  while (store[95] === 0);
});
const pageAt = (page: number): number => PAGES + page * PAGE;
const pageOf = (from: Uint8Array, page: number): Uint8Array => from.subarray(pageAt(page), pageAt(page + 1));
const INVALID =
  'Error: cannot open the file: invalid tag of its header: the key or the context is another one, or it was changed';
const torn = (page: number): string => `Error: cannot read page ${page} of the file: invalid tag`;

/** The store with other bytes at a place. */
function patched(at: number, bytes: Uint8Array, to: Uint8Array = store): Uint8Array {
  const copy = to.slice();
  copy.set(bytes, at);
  return copy;
}
/** Only these pages are refused, and a refused call reads nothing. */
function expectRefused(changed: Uint8Array, ...pages: readonly number[]): void {
  const file = opened(changed);
  for (let page = 0; page < 4; page++) {
    const buffer = untouched(CONTENT);
    const read = (): number => file.read(buffer, page * CONTENT);
    if (pages.includes(page)) {
      expect(refusal(read)).toBe(torn(page));
      expectBytes(buffer, untouched(CONTENT), 'the buffer');
    } else {
      expect(read()).toBe(CONTENT);
      expectBytes(buffer, content.subarray(page * CONTENT, (page + 1) * CONTENT), 'the buffer');
    }
  }
}

describe('pages', () => {
  test('a change of any byte', () => {
    for (let at = 0; at < PAGE; at++) {
      const page = pageOf(store, 1).slice();
      page[at] ^= 0x20;
      expectRefused(patched(pageAt(1), page), 1);
    }
  });

  test('two pages in the place of each other', () => {
    expectRefused(patched(pageAt(0), pageOf(store, 2), patched(pageAt(2), pageOf(store, 0))), 0, 2);
  });

  test('a page of another file under the same key, at the same place', () => {
    expectRefused(patched(pageAt(3), pageOf(stored(content), 3)), 3);
  });

  test('a page that is not of a file, and a page of a file elsewhere', () => {
    expectRefused(patched(pageAt(2), cipher.encrypt(new Uint8Array(PAGE), 2)), 2);
    expect(refusal(() => cipher.decrypt(pageOf(store, 2), 2))).toBe('Error: invalid tag');
  });

  test('the other pages of a read are given, and nothing of the one that is refused', () => {
    const page = pageOf(store, 2).slice();
    page[0] ^= 1;
    const buffer = untouched(4 * CONTENT);
    expect(refusal(() => opened(patched(pageAt(2), page)).read(buffer, 0))).toBe(torn(2));
    expectBytes(buffer.subarray(2 * CONTENT), untouched(2 * CONTENT), 'from the page on');
  });

  test('are not written in part; written as a whole they are right again', () => {
    const file = opened(patched(pageAt(3), new Uint8Array(PAGE)));
    file.truncate(4 * CONTENT - 10);
    expect(refusal(() => file.write(new Uint8Array(10), 3 * CONTENT + 5))).toBe(torn(3));
    expect(refusal(() => file.write(new Uint8Array(CONTENT - 11), 3 * CONTENT))).toBe(torn(3));
    expect(refusal(() => file.write(new Uint8Array(2 * CONTENT), 50))).toBe('nothing was refused');
    // To the end of the file, which is before that of the page.
    const last = sample(CONTENT - 10, 3);
    file.write(last, 3 * CONTENT);
    file.truncate(4 * CONTENT);
    const buffer = new Uint8Array(CONTENT).fill(1);
    expect(file.read(buffer, 3 * CONTENT)).toBe(CONTENT);
    expectBytes(buffer, concat(last, new Uint8Array(10)), 'the page');
  });
});

describe('an end that was cut off', () => {
  const sizes = [pageAt(4) - 1, pageAt(4) - 40, pageAt(3), pageAt(3) - 1, pageAt(0), 8191, 4192];
  test.each(sizes)('at byte %i of the store', (size) => {
    for (const given of [{}, { create: true }]) {
      const file = opened(store.subarray(0, size), given);
      const error = `Error: cannot open the file: it is cut off: it ends at byte ${pageAt(4)} of the store, which has ${size}`;
      for (const work of [
        () => file.size(),
        () => file.read(new Uint8Array(1), 0),
        () => file.write(new Uint8Array(1), 0),
        () => file.truncate(0),
        () => file.flush(),
      ])
        expect(refusal(work)).toBe(error);
    }
  });

  test.each([95, 60, 16, 15, 1])('within the header, at byte %i', (size) => {
    expect(refusal(() => opened(store.subarray(0, size)).size())).toBe(
      'Error: cannot open the file: its header is not complete; with { create: true } a new one is made',
    );
  });

  test('at its beginning', () => {
    expect(refusal(() => opened(new Uint8Array()).size())).toBe(
      'Error: cannot open the file: the store is empty; with { create: true } a new one is made',
    );
  });

  test('with pages of its own past behind it: they are not read, and do not come back', () => {
    const memory = new Memory();
    memory.bytes = store.slice();
    const file = encryptedFile(memory, cipher);
    file.truncate(CONTENT + 1);
    memory.bytes = concat(memory.bytes, store.subarray(memory.bytes.length));
    for (const again of [file, encryptedFile(memory, cipher)]) {
      expect(again.size()).toBe(CONTENT + 1);
      expect(again.read(new Uint8Array(5), CONTENT + 1)).toBe(0);
    }
    file.truncate(4 * CONTENT);
    const buffer = new Uint8Array(4 * CONTENT).fill(1);
    file.read(buffer, 0);
    const expected = new Uint8Array(4 * CONTENT);
    expected.set(content.subarray(0, CONTENT + 1));
    expectBytes(buffer, expected, 'what is read');
  });
});

describe('headers', () => {
  const both = (bytes: Uint8Array, to = store): Uint8Array => patched(4096, bytes, patched(0, bytes, to));
  const header = (): Uint8Array => store.subarray(0, 96);

  test('a change of any byte of both; one of them is enough', () => {
    for (let at = 0; at < 96; at++) {
      const changed = header().slice();
      changed[at] ^= 4;
      expect(
        refusal(() => opened(both(changed)).size()),
        `byte ${at}`,
      ).toBe(at < 16 ? 'Error: cannot open the file: it is not an authenticated file' : INVALID);
      for (const copy of [0, 4096]) {
        const file = opened(patched(copy, changed));
        const buffer = new Uint8Array(content.length);
        expect(file.read(buffer, 0)).toBe(content.length);
        expectBytes(buffer, content, 'what is read');
      }
    }
  });

  test('of another file', () => {
    const other = stored(sample(4 * CONTENT, 7));
    expectRefused(both(other.subarray(0, 96)), 0, 1, 2, 3);
  });

  test('of this file when it was longer', () => {
    const memory = new Memory();
    memory.bytes = store.slice();
    const file = encryptedFile(memory, cipher);
    file.truncate(100);
    expect(refusal(() => opened(both(header(), memory.bytes)).size())).toBe(
      `Error: cannot open the file: it is cut off: it ends at byte ${pageAt(4)} of the store, which has ${pageAt(1)}`,
    );
  });

  test('another key', () => {
    const memory = new Memory();
    memory.bytes = store.slice();
    const other = authenticatedPages(xchacha20poly1305, sample(32, 9));
    for (const given of [undefined, { create: true }])
      expect(refusal(() => encryptedFile(memory, other, given).size())).toBe(INVALID);
    expectBytes(memory.bytes, store, 'the store');
  });

  test('another context, or none', () => {
    const name = new TextEncoder().encode('accounts');
    const bound = stored(content, { context: name });
    expect(opened(bound, { context: name }).size()).toBe(content.length);
    for (const context of [undefined, new Uint8Array(), name.subarray(1), concat(name, name)])
      expect(refusal(() => opened(bound, context && { context }).size())).toBe(INVALID);
    expect(refusal(() => opened(store, { context: name }).size())).toMatch('invalid tag');
    // The context was copied.
    const mine = name.slice();
    const memory = new Memory();
    memory.bytes = bound;
    const file = encryptedFile(memory, cipher, { context: mine });
    mine.fill(0);
    expect(file.size()).toBe(content.length);
  });
});

describe('what is not noticed', () => {
  test('an old page at its own place', () => {
    const memory = new Memory();
    memory.bytes = store.slice();
    const file = encryptedFile(memory, cipher);
    file.write(sample(4 * CONTENT, 3), 0);
    file.flush();
    const buffer = new Uint8Array(CONTENT);
    opened(patched(pageAt(1), pageOf(store, 1), memory.bytes)).read(buffer, CONTENT);
    expectBytes(buffer, content.subarray(CONTENT, 2 * CONTENT), 'the page');
  });

  test('an old file in its whole, and, without a context, another file in its whole', () => {
    expect(opened(store).size()).toBe(content.length);
    expect(opened(stored(sample(100, 3))).size()).toBe(100);
  });
});

describe('a store that is no file is left alone, also with create', () => {
  test.each<[string, Uint8Array | (() => Uint8Array)]>([
    ['text', new TextEncoder().encode('lanewise file v2, and some text')],
    ['a text', new TextEncoder().encode('hello')],
    ['a file of another version', () => patched(15, new TextEncoder().encode('2'), patched(4096 + 15, sample(1, 1)))],
    ['noise', sample(10_000, 1)],
    ['zeros, and something behind', concat(new Uint8Array(500), sample(8, 1), new Uint8Array(492))],
    ['more zeros than headers have', new Uint8Array(8193)],
    ['pages of Adiantum', adiantum(key).encryptPages(new Uint8Array(8192), { pageSize: 512, tweak: 'index64' })],
  ])('%s', (_, given) => {
    const bytes = typeof given === 'function' ? given() : given;
    const memory = new Memory();
    memory.bytes = bytes.slice();
    const file = encryptedFile(memory, cipher, options);
    for (const work of [() => file.size(), () => file.truncate(0), () => file.write(new Uint8Array(1), 0)])
      expect(refusal(work)).toBe('Error: cannot open the file: it is not an authenticated file');
    expectBytes(memory.bytes, bytes, 'the store');
  });

  test('but not one whose header was not complete when power failed', () => {
    for (const size of [1, 15, 16, 50, 95, 96, 511, 4096, 4200, 8192]) {
      const memory = new Memory();
      memory.bytes = new Uint8Array(size);
      memory.bytes.set(store.subarray(0, Math.min(size, 95)));
      const file = encryptedFile(memory, cipher, options);
      file.write(content, 0);
      file.flush();
      expect(opened(memory.bytes).size()).toBe(content.length);
    }
  });
});

describe('parts that do not fit are refused', () => {
  const memory = new Memory();
  const any = (value: unknown): never => value as never;
  const file = encryptedFile(memory, cipher, options);
  const ciphers = '"cipher" expected what adiantum(), hpolyc() or authenticatedPages() gives';
  test.each<[string, () => unknown, string]>([
    [
      'a tweak for authenticated pages',
      () => encryptedFile(memory, cipher, any({ tweak: 'index64' })),
      'TypeError: "options" expected plain object { create, pageSize, context }, got { tweak }: pages are bound to their numbers',
    ],
    [
      'authenticated pages of another copy of the library',
      () => encryptedFile(memory, any({ encryptPages() {}, decryptPages() {}, spareLength: 40 }), { tweak: 'index64' }),
      `TypeError: ${ciphers}, got type=Object`,
    ],
    ['an AEAD', () => encryptedFile(memory, any(xchacha20poly1305)), `TypeError: ${ciphers}, got type=function`],
    [
      'a promise of a file',
      () => encryptedFile(any(Promise.resolve(memory)), cipher),
      'TypeError: "handle" expected FileHandle, FileSystemSyncAccessHandle or FileSystemFileHandle, got type=Promise; did you forget await?',
    ],
    ['a number', () => encryptedFile(memory, any(5)), `TypeError: ${ciphers}, got type=number`],
    [
      'no tweak',
      () => encryptedFile(memory, any(adiantum(key)), any(undefined)),
      'TypeError: "tweak" expected dm-crypt',
    ],
    [
      'create',
      () => encryptedFile(memory, cipher, { create: any('yes') }),
      'TypeError: "create" expected boolean, got type=string',
    ],
    [
      'pageSize',
      () => encryptedFile(memory, cipher, { pageSize: 552 }),
      'RangeError: "pageSize" expected a power of two from 512 to 65536, got 552',
    ],
    [
      'context',
      () => encryptedFile(memory, cipher, { context: any('name') }),
      'TypeError: "context" expected Uint8Array, got type=string',
    ],
    [
      'the page size of the file is another',
      () => opened(store, { pageSize: 4096 }).size(),
      'RangeError: "pageSize" expected 512, which the file has, got 4096',
    ],
    [
      'a file that is too long',
      () => file.write(new Uint8Array(1), 2 ** 52),
      `RangeError: "at" expected integer, with the buffer's length at most 4503599627370496, got 4503599627370497`,
    ],
    ['its size', () => file.truncate(2 ** 52 + 1), 'RangeError: "size" expected at most 4503599627370496'],
    ['half a byte', () => file.truncate(0.5), 'RangeError: "size" expected integer from 0 up, got 0.5'],
    [
      'a short nonce',
      () => encryptedFile(memory, authenticatedPages(any(chacha20poly1305), key)),
      'RangeError: "cipher" expected nonceLength=24',
    ],
  ])('%s', (_, call, message) => {
    expect(refusal(call).startsWith(message), refusal(call)).toBe(true);
    expect(memory.bytes).toHaveLength(0);
  });

  test('a cipher that is destroyed', async () => {
    const gone = authenticatedPages(xchacha20poly1305, key);
    const destroyed = 'cannot use a cipher after destroy()';
    const kept = new Memory();
    kept.bytes = store.slice();
    const [first, later] = [encryptedFile(kept, gone), encryptedFile(nodeHandle(kept), gone)];
    expect(first.size()).toBe(content.length);
    const reading = later.read(new Uint8Array(1), 0);
    gone.destroy();
    await expect(reading).rejects.toThrow(destroyed);
    expect(() => first.read(new Uint8Array(1), 0)).toThrow(destroyed);
    expect(() => first.write(new Uint8Array(CONTENT), 0)).toThrow(destroyed);
    expect(() => first.truncate(0)).toThrow(destroyed);
    expect(() => encryptedFile(kept, gone).size()).toThrow(destroyed);
    expectBytes(kept.bytes, store, 'the store');
  });
});
