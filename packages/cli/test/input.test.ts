/** Files in pieces: read ahead by another thread, and by this one where there is a single processor. */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { piecesOfFile } from '../src/hash/input.ts';
import { file, folder } from './programs.ts';

const KIB = 1024;

it.each([1, 2])('with %i processors: all bytes, turns of the event loop, and wiped buffers', async (processors) => {
  const length = 9 * 1024 * KIB + 5;
  const expected = randomBytes(length);
  file('long', expected);
  const descriptor = openSync(join(folder, 'long'), 'r');
  let [done, told, turns] = [0, 0, 0];
  let count = setImmediate(function turn() {
    turns++;
    count = setImmediate(turn);
  });
  const meter = { start() {}, advance: (more: number) => (told += more), stop() {} };
  const buffers = new Set<ArrayBufferLike>();
  try {
    for await (const piece of piecesOfFile(descriptor, meter, processors)) {
      expect(Buffer.compare(piece, expected.subarray(done, done + piece.length))).toBe(0);
      done += piece.length;
      buffers.add(piece.buffer);
    }
  } finally {
    clearImmediate(count);
    closeSync(descriptor);
  }
  expect({ done, told }).toEqual({ done: length, told: length });
  expect(turns).toBeGreaterThan(0);
  expect(buffers.size).toBe(processors);
  for (const buffer of buffers) expect(new Uint8Array(buffer).every((byte) => byte === 0)).toBe(true);
});

it.each([1, 2])('with %i processors: a reader that stops leaves no bytes', async (processors) => {
  file('short', randomBytes(600 * KIB));
  const descriptor = openSync(join(folder, 'short'), 'r');
  let seen: ArrayBufferLike | undefined;
  for await (const piece of piecesOfFile(descriptor, undefined, processors)) {
    seen = piece.buffer;
    break;
  }
  closeSync(descriptor);
  expect(new Uint8Array(seen!).every((byte) => byte === 0)).toBe(true);
});
