/** Bytes that a call has been given are transferred, or shrink, before it has read them: all of them count, or there is an error of ours. */
import { Decrypter, Encrypter, inspect, readHeader, type ReadHeader } from '@lanewise/age';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { createPool } from 'lanewise/pool.js';
import { afterAll, describe, expect, it } from 'vitest';

const pool = createPool({ threads: 2 });
afterAll(() => pool.close());
const identity = await generateX25519Identity();
const encrypter = new Encrypter();
encrypter.addRecipient(await identityToRecipient(identity));
const decrypter = new Decrypter();
decrypter.addIdentity(identity);

/** More than is encrypted between two turns of the event loop, and enough for a pool. */
const message = new Uint8Array(5_000_000).fill(7);
const file = await encrypter.encrypt(message);
const text = await encrypter.encrypt(message, { armor: true });

const ways: Record<string, (bytes: Uint8Array) => readonly [Uint8Array, () => void]> = {
  transferred(bytes) {
    const copy = bytes.slice();
    return [copy, () => void structuredClone(copy.buffer, { transfer: [copy.buffer] })];
  },
  'shrunk by half'(bytes) {
    const buffer = new ArrayBuffer(bytes.length, { maxByteLength: bytes.length });
    const view = new Uint8Array(buffer);
    view.set(bytes);
    return [view, () => buffer.resize(bytes.length >> 1)];
  },
};

const restOf = async ({ rest }: ReadHeader): Promise<number> => {
  let length = 0;
  for await (const piece of rest) length += piece.length;
  return length;
};
interface Call {
  readonly input: Uint8Array;
  /** Gives how many bytes of plaintext there were, or of chunks. */
  readonly run: (bytes: Uint8Array) => Promise<number>;
  readonly expected: number;
}
const plain = (options?: object, input = message): Call => ({
  input,
  run: async (bytes) => (await decrypter.decrypt(await encrypter.encrypt(bytes, options))).length,
  expected: input.length,
});
const read = (run: Call['run'], expected = message.length): readonly Call[] =>
  [file, text].map((input) => ({ input, run, expected }));
const { plaintextSize, size, headerSize } = await inspect(file);
const calls: Record<string, readonly Call[]> = {
  'encrypt, few bytes': [plain({}, message.subarray(0, 1000)), plain({ armor: true }, message.subarray(0, 1000))],
  encrypt: [plain(), plain({ armor: true }), plain({ pool }), plain({ pool, armor: true })],
  decrypt: read(async (bytes) => (await decrypter.decrypt(bytes)).length),
  'decrypt, with a pool': read(async (bytes) => (await decrypter.decrypt(bytes, 'uint8array', { pool })).length),
  inspect: read(async (bytes) => (await inspect(bytes)).plaintextSize!, plaintextSize),
  readHeader: read(async (bytes) => restOf(await readHeader(bytes)), size - headerSize - 16),
};

/** Turns of the queue of promises; then of the event loop. */
async function moment(when: number): Promise<void> {
  for (let i = 0; i < when; i++) await Promise.resolve();
  if (when > 20) await new Promise((resolve) => setImmediate(resolve));
}

describe.each(Object.entries(ways))('%s', (_, way) => {
  it.each(Object.entries(calls))('%s', async (_, its) => {
    for (const { input, run, expected } of its) {
      const found = new Set<unknown>();
      for (const when of [0, 1, 2, 4, 8, 16, 30]) {
        const [bytes, take] = way(input);
        const running = run(bytes).catch((error: unknown) => (error as Error).message);
        await moment(when);
        take();
        const outcome = await running;
        found.add(typeof outcome);
        if (typeof outcome === 'number') expect(outcome).toBe(expected);
        else
          expect(outcome).toMatch(/^"(file|source|chunk|bytes)" expected Uint8Array, got one whose buffer is detached/);
      }
      // Else nothing was taken away in time.
      expect(found).toContain('string');
    }
  });

  it('decryptHeader has a copy', async () => {
    const [bytes, take] = way(file.slice(0, headerSize));
    const key = decrypter.decryptHeader(bytes);
    take();
    expect(await key).toHaveLength(16);
  });
});

it('bytes that are gone before the call are refused', async () => {
  const [bytes, take] = ways.transferred(message);
  take();
  const gone = /got one whose buffer is detached/;
  await expect(encrypter.encrypt(bytes)).rejects.toThrow(gone);
  await expect(decrypter.decrypt(bytes)).rejects.toThrow(gone);
  await expect(inspect(bytes)).rejects.toThrow(gone);
});
