/** Readers over the files that browsers keep for a page (OPFS): with promises, and at once in workers. */
// Runs in every mode: files that only workers have.
import { describe, expect, test } from 'vitest';
import { expectBytes } from '../support/bytes.ts';
import { withFile, type Handle } from '../support/opfs.ts';
import { formats, plaintextOf, rejection } from '../support/stream-reader.ts';

/** Writes a file, in the one way or the other. */
async function write(handle: Handle, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  if ('createWritable' in handle) {
    const writable = await handle.createWritable({ keepExistingData: false });
    await writable.write({ type: 'write', position: 0, data: bytes });
    await writable.close();
    return;
  }
  const access = await handle.createSyncAccessHandle!();
  access.truncate(0);
  access.write(bytes, { at: 0 });
  access.flush();
  access.close();
}

describe.each(formats)('$name', (format) => {
  const { chunk } = format;
  const plaintext = plaintextOf(3 * chunk + 99);
  const ranges = [
    [0, 1],
    [chunk - 1, 3 * chunk + 1],
    [0, plaintext.length],
  ];

  test('a FileSystemFileHandle', async ({ skip }) => {
    const absent = await withFile(async (handle) => {
      if (!('createWritable' in handle) && !handle.createSyncAccessHandle)
        return skip('this host writes files in workers only');
      await write(handle, await format.seal(plaintext));
      const file = await format.reader(handle);
      for (const [from, to] of ranges)
        expectBytes(await file.read(from, to), plaintext.subarray(from, to), `${from} to ${to}`);
      // The file as it was: another version is an error, in the way of the host.
      await write(handle, new Uint8Array(10));
      expect(await rejection(file.read(0, 1))).toBeInstanceOf(Error);
    });
    if (absent !== undefined) skip(absent);
  });

  test('a FileSystemSyncAccessHandle', async ({ skip }) => {
    const absent = await withFile(async (handle) => {
      if (!handle.createSyncAccessHandle) return skip('only workers have synchronous access');
      await write(handle, await format.seal(plaintext));
      const access = await handle.createSyncAccessHandle();
      try {
        const file = await format.reader(access);
        for (const [from, to] of ranges)
          expectBytes(await file.read(from, to), plaintext.subarray(from, to), `${from} to ${to}`);
      } finally {
        access.close();
      }
    });
    if (absent !== undefined) skip(absent);
  });
});
