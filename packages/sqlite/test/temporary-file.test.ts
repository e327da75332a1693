/** A temporary file holds the same bytes as any other, in memory and after it. */
import { expect, test } from 'vitest';
import { Blocks } from '../src/files/blocks.ts';
import { MOST, TemporaryFile } from '../src/files/temporary-file.ts';
import type { RawFile } from '../src/files/raw-file.ts';
import { run, type Steps } from '../src/steps.ts';

function* given<Result>(result: Result): Steps<Result> {
  yield undefined;
  return result;
}
const now = <Result>(steps: Steps<Result>): Result => run(steps) as Result;

/** A medium, whose writes are counted. */
function medium(): { readonly raw: RawFile; writes: number } {
  let bytes = new Uint8Array(0);
  const its = {
    writes: 0,
    raw: {
      read(into: Uint8Array, at: number) {
        const part = bytes.subarray(at, at + into.length);
        into.fill(0);
        into.set(part);
        return given(part.length === into.length);
      },
      write(from: Uint8Array, at: number) {
        its.writes++;
        const next = new Uint8Array(Math.max(bytes.length, at + from.length));
        next.set(bytes);
        next.set(from, at);
        bytes = next;
        return given(undefined);
      },
      truncate(size: number) {
        bytes = bytes.slice(0, size);
        return given(undefined);
      },
      sync: () => given(undefined),
      size: () => given(bytes.length),
    },
  };
  return its;
}

test('writes, reads and ends at both sides of the bytes in memory', () => {
  const { raw } = medium();
  const file = new TemporaryFile(new Blocks(raw, new Uint8Array(32).fill(7), 'temporary'));
  let model = new Uint8Array(0);
  const places = [
    0,
    1,
    4096,
    65_535,
    65_536,
    MOST - 5000,
    MOST - 4096,
    MOST - 1,
    MOST,
    MOST + 1,
    MOST + 4096,
    MOST + 9000,
  ];
  const compare = (): void => {
    expect(now(file.size())).toBe(model.length);
    for (const at of [...places, Math.max(0, model.length - 7)])
      for (const length of [1, 100, 4096, 8200]) {
        const into = new Uint8Array(length).fill(0xee);
        const part = model.slice(at, at + length);
        const expected = new Uint8Array(length);
        expected.set(part);
        expect(now(file.read(into, at))).toBe(part.length === length);
        expect(Buffer.compare(into, expected), `${length} bytes at ${at}`).toBe(0);
      }
  };
  for (const [i, at] of [0, 4096, 65_530, 8192, MOST - 5000, MOST - 100, MOST, MOST + 4096, 12, MOST - 1].entries()) {
    const bytes = new Uint8Array(i % 2 ? 4096 : 3000).fill(i + 1);
    now(file.write(bytes, at));
    const next = new Uint8Array(Math.max(model.length, at + bytes.length));
    next.set(model);
    next.set(bytes, at);
    model = next;
    if (i % 3 === 0) compare();
  }
  now(file.sync());
  now(file.flush());
  file.release();
  compare();
  for (const size of [MOST + 4500, MOST + 10, MOST, MOST - 10, 5000, 0]) {
    now(file.truncate(size));
    model = model.slice(0, size);
    compare();
  }
  // Bytes that were cut off are zeros when the file grows again.
  now(file.write(new Uint8Array(10).fill(9), MOST + 20));
  model = new Uint8Array(MOST + 30).fill(9, MOST + 20);
  compare();
  file.destroy();
});

test('a small one never reaches the medium, and is wiped', () => {
  const its = medium();
  const file = new TemporaryFile(new Blocks(its.raw, new Uint8Array(32), 'temporary'));
  now(file.write(new Uint8Array(MOST).fill(1), 0));
  expect(its.writes).toBe(0);
  file.destroy();
  const into = new Uint8Array(100);
  now(file.read(into, 0));
  expect(into.some((byte) => byte !== 0)).toBe(false);
});
