/** Nonces are drawn in advance only for the code that is running: a copy of the machine that waits holds none. */
import { afterEach, expect, test, vi } from 'vitest';
import { NONCE_BYTES, writeRandom } from '../src/files/nonces.ts';

afterEach(() => vi.restoreAllMocks());

function draw(count: number): string[] {
  return Array.from({ length: count }, () => {
    const nonce = new Uint8Array(NONCE_BYTES);
    writeRandom(nonce);
    return nonce.toString();
  });
}

test('few calls of the generator in one turn, and none of its bytes twice', async () => {
  const generator = vi.spyOn(crypto, 'getRandomValues');
  const drawn = draw(1000);
  expect(generator.mock.calls.length).toBeLessThan(20);
  expect(new Set(drawn).size).toBe(1000);
  const all = generator.mock.results.map(({ value }) => (value as Uint8Array).join(','));
  expect(drawn.every((nonce) => all.some((bytes) => bytes.includes(nonce)))).toBe(true);
  await Promise.resolve();
});

test('nothing that was drawn in a turn is used in the next', async () => {
  const generator = vi.spyOn(crypto, 'getRandomValues');
  for (let turn = 1; turn < 5; turn++) {
    const [nonce] = draw(1);
    expect(generator).toHaveBeenCalledTimes(turn);
    expect((generator.mock.results[turn - 1].value as Uint8Array).subarray(0, NONCE_BYTES).toString()).toBe(nonce);
    await Promise.resolve();
  }
});
