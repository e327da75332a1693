/** The block device over the files that browsers keep for a page (OPFS): with promises, and at once in workers. */
// Runs in every mode: files that only workers have.
import { describe, expect, test } from 'vitest';
import { xchacha20poly1305 } from '../../src/chacha.ts';
import {
  adiantum,
  authenticatedPages,
  encryptedFile,
  type AsynchronousFile,
  type AsynchronousHandle,
  type SynchronousFile,
  type SynchronousHandle,
} from '../../src/disk.ts';
import { expectBytes } from '../support/bytes.ts';
import { withFile } from '../support/opfs.ts';

const key = Uint8Array.from({ length: 32 }, (_, i) => i);
const cipher = adiantum(key);
const PAGE = 4096;
const options = { tweak: 'dm-crypt-large' } as const;
const data = Uint8Array.from({ length: 3 * PAGE }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 17);

/** The bytes that the file should have once `data` is written at 1000. */
function expectedImage(): Uint8Array {
  const image = new Uint8Array(4 * PAGE);
  image.set(data, 1000);
  return cipher.encryptPages(image, { pageSize: PAGE, first: 0, ...options });
}

describe('OPFS', () => {
  test('a FileSystemFileHandle', async ({ skip }) => {
    const absent = await withFile(async (handle) => {
      if (!('createWritable' in handle)) return skip('this host writes files in workers only');
      const file = encryptedFile(handle, cipher, options);
      await file.write(data, 1000);
      expect(await file.size()).toBe(4 * PAGE);
      const blob = await handle.getFile();
      const image = new Uint8Array(await blob.slice(0, blob.size).arrayBuffer());
      expectBytes(image, expectedImage(), 'the file');
      const back = new Uint8Array(data.length);
      expect(await file.read(back, 1000)).toBe(back.length);
      expectBytes(back, data, 'what is read');
      await file.truncate(PAGE);
      await file.flush();
      expect(await file.read(back, 1000)).toBe(PAGE - 1000);
    });
    if (absent !== undefined) skip(absent);
  });

  test('a FileSystemSyncAccessHandle', async ({ skip }) => {
    const absent = await withFile(async (handle) => {
      if (!handle.createSyncAccessHandle) return skip('only workers have synchronous access');
      const access = await handle.createSyncAccessHandle();
      try {
        const file = encryptedFile(access, cipher, options);
        file.write(data, 1000);
        file.flush();
        expect(file.size()).toBe(4 * PAGE);
        const image = new Uint8Array(4 * PAGE);
        access.read(image, { at: 0 });
        expectBytes(image, expectedImage(), 'the file');
        const back = new Uint8Array(data.length);
        expect(file.read(back, 1000)).toBe(back.length);
        expectBytes(back, data, 'what is read');
        file.truncate(PAGE);
        expect(file.read(back, 1000)).toBe(PAGE - 1000);
      } finally {
        access.close();
      }
    });
    if (absent !== undefined) skip(absent);
  });

  test('with headers and tags, over either', async ({ skip }) => {
    const authenticated = authenticatedPages(xchacha20poly1305, key);
    const check = async (access: AsynchronousHandle | SynchronousHandle): Promise<void> => {
      // The overloads are for one kind or the other; waiting does for both.
      const open = encryptedFile as (...values: unknown[]) => SynchronousFile | AsynchronousFile;
      const file = open(access, authenticated, { create: true });
      await file.write(data, 1000);
      await file.truncate(9999);
      await file.flush();
      const again = open(access, authenticated);
      expect(await again.size()).toBe(9999);
      const back = new Uint8Array(data.length);
      expect(await again.read(back, 1000)).toBe(8999);
      expectBytes(back.subarray(0, 8999), data.subarray(0, 8999), 'what is read');
    };
    const absent = await withFile(async (handle) => {
      if ('createWritable' in handle) await check(handle);
      else if (!handle.createSyncAccessHandle) return skip('this host writes files in workers only');
    });
    if (absent !== undefined) skip(absent);
    await withFile(async (handle) => {
      const access = await handle.createSyncAccessHandle?.();
      if (!access) return;
      try {
        await check(access);
      } finally {
        access.close();
      }
    });
  });
});
