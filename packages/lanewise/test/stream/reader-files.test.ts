/** Readers over files of Node: FileHandles and Blobs of files, also files that change. */
// Runs in Node only: about files of Node.
import { createReadStream, mkdtempSync, openAsBlob, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { expectBytes } from '../support/bytes.ts';
import { formats, plaintextOf, rejection } from '../support/stream-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-reader-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(formats)('$name', (format) => {
  const { chunk, headerLength, name } = format;
  const path = join(folder, name);
  const plaintext = plaintextOf(9 * chunk + 321);
  const ranges = [
    [0, 1],
    [0, plaintext.length],
    [chunk - 1, 3 * chunk + 1],
    [plaintext.length - 1, plaintext.length],
  ];

  it('a FileHandle', async () => {
    writeFileSync(path, await format.seal(plaintext));
    const handle = await open(path);
    try {
      const file = await format.reader(handle);
      await Promise.all(
        ranges.map(async ([from, to]) =>
          expectBytes(await file.read(from, to), plaintext.subarray(from, to), `${from} to ${to}`),
        ),
      );
      file.destroy();
      // It stays the caller's.
      expect((await handle.stat()).size).toBeGreaterThan(plaintext.length);
      const cut = await format.reader(handle);
      truncateSync(path, headerLength + chunk);
      expect(((await rejection(cut.read(0, 1))) as Error).message).toBe(
        `cannot read ${chunk + 16} bytes of the source at ${headerLength}: it gave ${chunk}; was it changed?`,
      );
    } finally {
      await handle.close();
    }
    expect(await rejection(format.reader(handle))).toBeInstanceOf(Error);
  });

  it('a Readable is none', () => {
    writeFileSync(path, 'x');
    const readable = createReadStream(path);
    expect(() => format.reader(readable as never)).toThrow(
      /got type=Object; a stream can be read once only: use decrypt, or a Blob$/,
    );
    readable.destroy();
  });

  it('more than is asked of a source at a time', async () => {
    const long = plaintextOf(2 ** 24 + 2 ** 20 + 5);
    writeFileSync(path, await format.seal(long));
    const handle = await open(path);
    const lengths: number[] = [];
    const counting = {
      stat: () => handle.stat(),
      read: (into: Uint8Array, offset: number, length: number, at: number) => {
        lengths.push(length);
        return handle.read(into, offset, length, at);
      },
    };
    try {
      const file = await format.reader(counting);
      lengths.length = 0;
      expectBytes(await file.read(3, long.length), long.subarray(3), 'all');
      expect(lengths).toHaveLength(2);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(2 ** 24);
    } finally {
      await handle.close();
    }
  });

  it('a Blob of a file', async () => {
    writeFileSync(path, await format.seal(plaintext));
    const file = await format.reader(await openAsBlob(path));
    for (const [from, to] of ranges)
      expectBytes(await file.read(from, to), plaintext.subarray(from, to), `${from} to ${to}`);
    writeFileSync(path, 'another');
    // Node refuses to read a Blob whose file has changed.
    expect(((await rejection(file.read(0, 1))) as Error).name).toBe('NotReadableError');
  });
});
