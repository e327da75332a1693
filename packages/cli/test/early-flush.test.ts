/** Files are flushed while they are written, one flush at a time, and no error of a flush is lost. */
import { expect, test } from 'vitest';
import { EarlyFlush, INTERVAL_BYTES } from '../src/output/early-flush.ts';
import type { StoredFile } from '../src/disk/storage.ts';

/** A file whose flushes end when the test says so. */
function slowFile() {
  const under: { end(error?: Error): void }[] = [];
  const flush = (): Promise<void> =>
    new Promise((resolve, reject) => {
      under.push({ end: (error) => (error ? reject(error) : resolve()) });
    });
  return { under, file: { flush } as unknown as StoredFile };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a flush for each so many bytes, and one at the end', async () => {
  const { under, file } = slowFile();
  const flush = new EarlyFlush(file);
  flush.wrote(INTERVAL_BYTES - 1);
  expect(under.length).toBe(0);
  flush.wrote(1);
  expect(under.length).toBe(1);
  // Never two at a time.
  flush.wrote(3 * INTERVAL_BYTES);
  expect(under.length).toBe(1);
  under[0].end();
  await settled();
  flush.wrote(1);
  expect(under.length).toBe(2);
  let isDone = false;
  const done = flush.finish().then(() => (isDone = true));
  await settled();
  expect(under.length).toBe(2);
  under[1].end();
  await settled();
  // That of all that was written meanwhile.
  expect([under.length, isDone]).toEqual([3, false]);
  under[2].end();
  await done;
});

test('an error of an early flush is that of the end, whatever later flushes say', async () => {
  const { under, file } = slowFile();
  const flush = new EarlyFlush(file);
  flush.wrote(INTERVAL_BYTES);
  under[0].end(new Error('Input/output error'));
  await settled();
  flush.wrote(INTERVAL_BYTES);
  under[1].end();
  await settled();
  await expect(flush.finish()).rejects.toThrow('Input/output error');
});

test('the file is not closed while a flush is under way', async () => {
  const { under, file } = slowFile();
  const flush = new EarlyFlush(file);
  await flush.settled();
  flush.wrote(INTERVAL_BYTES);
  let isOver = false;
  const over = flush.settled().then(() => (isOver = true));
  await settled();
  expect(isOver).toBe(false);
  under[0].end(new Error('Input/output error'));
  await over;
});
