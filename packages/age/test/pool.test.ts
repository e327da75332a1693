/** Files on the threads of a pool: those of one thread, and with the same errors. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool, type Pool } from 'lanewise/pool.js';
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from '../src/index.ts';
import { cut } from './vectors.ts';

const MiB = 1_048_576;
const plaintext = Uint8Array.from({ length: 6 * MiB + 7 }, (_, i) => (i * 31 + (i >> 8)) % 256);
const encrypter = new Encrypter();
const decrypter = new Decrypter();
let pool: Pool;

beforeAll(async () => {
  const identity = await generateIdentity();
  encrypter.addRecipient(await identityToRecipient(identity));
  decrypter.addIdentity(identity);
  pool = createPool({ threads: 2, threshold: 4 * MiB });
  await pool.blake3(new Uint8Array(5 * MiB));
});
afterAll(() => pool.close());

const same = (actual: Uint8Array, expected: Uint8Array): boolean => Buffer.compare(actual, expected) === 0;
const whole = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> =>
  new Uint8Array(await new Response(stream).arrayBuffer());

describe('a long file', () => {
  it('in memory, there and back', async () => {
    for (const armor of [false, true]) {
      const told: number[] = [];
      const file = await encrypter.encrypt(plaintext, { pool, armor, onProgress: (done) => void told.push(done) });
      expect(told.at(-1)).toBe(plaintext.length);
      expect(told.length).toBeGreaterThan(2);
      expect(same(await decrypter.decrypt(file), plaintext)).toBe(true);
      expect(same(await decrypter.decrypt(file, 'uint8array', { pool }), plaintext)).toBe(true);
      expect(same(await decrypter.decryptWhole(new Blob([file]), { pool }), plaintext)).toBe(true);
    }
  });

  it('an open file, with a pool and without, there and back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lanewise-age-'));
    try {
      writeFileSync(join(folder, 'plain'), plaintext);
      const file = await open(join(folder, 'plain'));
      for (const options of [{ pool }, {}]) {
        const sealed = await whole(await encrypter.encrypt(file, options));
        expect(same(await decrypter.decrypt(sealed), plaintext)).toBe(true);
        writeFileSync(join(folder, 'sealed'), sealed);
        const sealedFile = await open(join(folder, 'sealed'));
        expect(same(await whole(await decrypter.decrypt(sealedFile, undefined, options)), plaintext)).toBe(true);
        await sealedFile.close();
      }
      await file.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('as a stream, there and back', async () => {
    for (const source of [new Blob([plaintext]), cut(plaintext, [300_000])]) {
      const file = await whole(await encrypter.encrypt(source, { pool }));
      expect(same(await decrypter.decrypt(file), plaintext)).toBe(true);
      expect(
        same(
          await whole(await decrypter.decrypt(new Blob([file as Uint8Array<ArrayBuffer>]), undefined, { pool })),
          plaintext,
        ),
      ).toBe(true);
    }
  });

  it('errors of a damaged one, a signal, and what is no pool', async () => {
    const file = await encrypter.encrypt(plaintext, { pool });
    const errorOf = (options: object): Promise<unknown> =>
      decrypter.decrypt(file, 'uint8array', options).catch((error: unknown) => error);
    file[5 * MiB] ^= 1;
    expect(await errorOf({ pool })).toEqual(await errorOf({}));
    expect(await errorOf({})).toBeInstanceOf(Error);
    const controller = new AbortController();
    const reason = new Error('enough');
    const onProgress = (): void => controller.abort(reason);
    await expect(encrypter.encrypt(plaintext, { pool, signal: controller.signal, onProgress })).rejects.toBe(reason);
    for (const source of ['short', plaintext]) {
      await expect(encrypter.encrypt(source as string, { pool: {} as never })).rejects.toThrow(
        '"pool" expected what createPool() of lanewise/pool.js gave',
      );
      const other = createPool({ threads: 1 });
      await other.close();
      await expect(encrypter.encrypt(source as string, { pool: other })).rejects.toThrow(
        'cannot use a pool after close()',
      );
    }
    await expect(decrypter.decrypt(file, 'text', { pool: 5 as never })).rejects.toThrow(TypeError);
  });
});

it('derives keys of passphrases in a worker', async () => {
  const its = createPool({ threads: 1 });
  const locking = new Encrypter();
  locking.setPassphrase('correct horse');
  locking.setScryptWorkFactor(12);
  const opening = new Decrypter();
  opening.addPassphrase('correct horse');
  const file = await locking.encrypt('hello', { pool: its });
  expect(its.describe().running).toBe(1);
  expect(await opening.decrypt(file, 'text')).toBe('hello');
  await its.close();

  const other = createPool({ threads: 1 });
  expect(await opening.decrypt(file, 'text', { pool: other })).toBe('hello');
  expect(other.describe().running).toBe(1);
  const wrong = new Decrypter();
  wrong.addPassphrase('battery staple');
  await expect(wrong.decrypt(file, 'text', { pool: other })).rejects.toThrow('wrong passphrase');
  await other.close();
});
