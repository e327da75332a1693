/** Faults of public modules that no number gives away: a call that meets them, on a copy of the library with and without the fault. */
import { afterAll, expect, it } from 'vitest';
import { BranchRecorder } from '../src/library/branches.ts';
import type * as below from '../../lanewise/src/random/below.ts';
import type * as binding from '../../lanewise/src/siv/binding.ts';
import type * as siv from '../../lanewise/src/siv.ts';

const recorders: BranchRecorder[] = [];
afterAll(() => recorders.forEach((recorder) => recorder.remove()));

/** A module of a copy of the library, in which one text has given way to another. */
function copyOf(file: string, from = '', to = ''): BranchRecorder {
  const recorder = new BranchRecorder([file], (_, text) => {
    expect(text).toContain(from);
    return text.replace(from, () => to);
  });
  recorders.push(recorder);
  return recorder;
}

/** Words one after the other. */
const wordsOf = (...words: readonly bigint[]): below.Words & { drawn: number } => ({
  drawn: 0,
  low: 0,
  high: 0,
  draw() {
    const word = words[this.drawn++];
    this.low = Number(word & 0xffff_ffffn);
    this.high = Number(word >> 32n);
  },
});

/** Whether words are drawn again whose products are in the surplus, 2^64 mod n, and only those. */
async function drawsAgain(recorder: BranchRecorder): Promise<boolean> {
  const { below32, below64 } = (await recorder.load('random/below.ts')) as typeof below;
  return [3n, 5n, 10n, 0xc000_0001n].every((n) => {
    const surplus = 2n ** 64n % n;
    // The product with 0 is 0, which is in every surplus.
    const word = 2n ** 63n + 12_345n;
    const last = wordsOf(0n, word);
    const last32 = wordsOf(0n, word);
    const answer = (word * n) >> 64n;
    return (
      (word * n) % 2n ** 64n >= surplus &&
      surplus > 0n &&
      below64(last, n) === answer &&
      BigInt(below32(last32, Number(n))) === answer &&
      last.drawn === 2 &&
      last32.drawn === 2
    );
  });
}

it('words in the surplus are drawn again (N33)', async () => {
  const file = 'random/below.ts';
  expect(await drawsAgain(copyOf(file))).toBe(true);
  expect(await drawsAgain(copyOf(file, 'if (bottom >= surplus) return', 'return'))).toBe(false);
  expect(await drawsAgain(copyOf(file, 'while ((product & MASK_64) < surplus)', 'while (product < 0n)'))).toBe(false);
});

/** Whether a ciphertext is the same whatever the memory of the second subkey holds before. */
async function clearsTagKey(recorder: BranchRecorder): Promise<boolean> {
  const { sivInstance } = (await recorder.load('siv/binding.ts')) as typeof binding;
  const { chacha20poly1305siv } = (await recorder.load('siv.ts')) as typeof siv;
  const { TAG_KEY } = (await recorder.load('siv/map.ts')) as { readonly TAG_KEY: number };
  const sealed = [0, 0x55].map((before) => {
    sivInstance(3).memory.fill(before, TAG_KEY, TAG_KEY + 32);
    const key = new Uint8Array(32).fill(1);
    return chacha20poly1305siv(key, new Uint8Array(16)).encrypt(new Uint8Array(3)).join();
  });
  return sealed[0] === sealed[1];
}

it('the second subkey of SIV does not depend on what was there (N08)', async () => {
  const file = 'siv/sealing.ts';
  expect(await clearsTagKey(copyOf(file))).toBe(true);
  expect(await clearsTagKey(copyOf(file, 'kernel.wipe(TAG_KEY, TAG_KEY + KEY_BYTES);', ''))).toBe(false);
});
