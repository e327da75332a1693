/** The age files of C2SP's CCTV, through the package: the plaintext that is released of each, also of those that are wrong. */
import { describe, expect, it } from 'vitest';
import { cut, decrypterFor, released, sha256, vectors } from './vectors.ts';

it('are all there', () => {
  expect(vectors).toHaveLength(143);
  const count = (expected: string) => vectors.filter((vector) => vector.expect === expected).length;
  const kinds = ['success', 'no match', 'HMAC failure', 'header failure', 'armor failure', 'payload failure'];
  expect(kinds.map(count)).toEqual([26, 13, 1, 62, 22, 19]);
});

describe.each(vectors)('$name', (vector) => {
  const { file, expect: expected, payload } = vector;
  const decrypted = expected === 'success' || expected === 'payload failure';

  it.each([[1e9], [65_552], ...(file.length < 5000 ? [[1], [7, 0, 64]] : [[1, 4096, 17]])])(
    `${expected}, as a stream of pieces of %i …`,
    async (...lengths) => {
      const result = decrypterFor(vector).decrypt(cut(file, lengths));
      if (!decrypted && expected !== 'armor failure') {
        await expect(result).rejects.toThrow();
        return;
      }
      const { plaintext, error } = await result.then(released, (error: unknown) => ({ plaintext: Buffer.of(), error }));
      if (payload !== undefined) expect(sha256(plaintext)).toBe(payload);
      expect(error === undefined).toBe(expected === 'success');
    },
  );

  it('in memory, all or nothing', async () => {
    const result = decrypterFor(vector).decrypt(file);
    if (expected === 'success') expect(sha256(await result)).toBe(payload);
    else await expect(result).rejects.toThrow(Error);
  });
});
