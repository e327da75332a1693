/** `lanewise encrypt` and `decrypt` on several threads: each reads the other's output, and errors are those of one thread. */
import { randomFillSync } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from '@lanewise/age';
import { createPool } from 'lanewise/pool.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { encrypt } from '../src/age/convert.ts';
import { file, folder, lanewise, type Result } from './programs.ts';
import { generator } from './random.ts';

const MIB = 2 ** 20;
const PLAIN = randomFillSync(Buffer.alloc(42 * MIB));
let identity: string;
let recipient: string;

beforeAll(async () => {
  identity = await generateIdentity();
  recipient = await identityToRecipient(identity);
  file('id', identity);
});

const path = (name: string): string => join(folder, name);
const read = (name: string): Buffer => readFileSync(path(name));
const done = { stderr: '', status: 0 };

function sealed(size: number, ...values: readonly string[]): Result {
  file('plain', PLAIN.subarray(0, size));
  return lanewise(['encrypt', '-r', recipient, '-o', 'sealed', ...values, 'plain']);
}

// Above 32 MiB workers are started. Jobs have 16 chunks of 64 KiB; the last chunk is one thread's.
const sizes = [32 * MIB + 1, 33 * MIB, 37 * MIB + 65_536, 42 * MIB - 1];

describe('files', () => {
  test.each(sizes)('of %i bytes', (size) => {
    for (const [by, back] of ['31', '13']) {
      expect(sealed(size, '--num-threads', by)).toMatchObject(done);
      expect(lanewise(['decrypt', '-i', 'id', '-o', 'back', '--num-threads', back, 'sealed'])).toMatchObject(done);
      expect(read('back').equals(PLAIN.subarray(0, size))).toBe(true);
    }
  });

  test('pipes, armor, --check', () => {
    const size = 39 * MIB + 7;
    const plain = PLAIN.subarray(0, size);
    const armored = lanewise(['encrypt', '-a', '-r', recipient, '--num-threads=2'], plain);
    expect(armored).toMatchObject(done);
    expect(armored.stdout.subarray(0, 34).toString()).toBe('-----BEGIN AGE ENCRYPTED FILE-----');
    for (const count of ['1', '3']) {
      const { stdout, status } = lanewise(['decrypt', '-i', 'id', '--num-threads', count], armored.stdout);
      expect(status).toBe(0);
      expect(stdout.equals(plain)).toBe(true);
    }
    file('armored', armored.stdout);
    expect(lanewise(['decrypt', '--check', '-i', 'id', 'armored']).stderr).toContain('armored: authentic and complete');
  });
});

test('a file that was changed: the same message, the same bytes before it, no file', () => {
  expect(sealed(40 * MIB)).toMatchObject(done);
  const whole = read('sealed');
  const changed = Buffer.from(whole);
  changed[36 * MIB] ^= 1;
  const wrong = {
    changed,
    truncated: whole.subarray(0, -70_000),
    extended: Buffer.concat([whole, whole.subarray(-9)]),
  };
  for (const [name, bytes] of Object.entries(wrong)) {
    file(name, bytes);
    const [one, three] = ['1', '3'].map((count) => lanewise(['decrypt', '-i', 'id', '--num-threads', count, name]));
    expect({ name, status: three.status, stderr: three.stderr }).toEqual({ name, status: 1, stderr: one.stderr });
    expect(three.stderr).not.toBe('');
    expect(three.stdout.equals(one.stdout)).toBe(true);
    rmSync(path('back'), { force: true });
    expect(lanewise(['decrypt', '-i', 'id', '-o', 'back', name]).status).toBe(1);
    expect(existsSync(path('back'))).toBe(false);
  }
});

test('--num-threads is a number', () => {
  for (const command of [
    ['encrypt', '-r', recipient],
    ['decrypt', '-i', 'id'],
  ]) {
    const { status, stderr } = lanewise([...command, '--num-threads', 'two']);
    expect(status).toBe(2);
    expect(stderr).toContain("--num-threads takes an integer from 0 to 256, not 'two'");
  }
});

test('workers that end at random: a right file, or an error', async () => {
  const random = generator(31);
  const script = fileURLToPath(import.meta.resolve('lanewise/worker.js'));
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  // eslint-disable-next-line @typescript-eslint/require-await -- memory waits for nothing
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < PLAIN.length; at += MIB) yield PLAIN.subarray(at, at + MIB);
  }
  let [killed, right] = [0, 0];
  for (let round = 0; round < 8; round++) {
    await using pool = createPool({
      threads: 2,
      threshold: 4 * MIB,
      spawn() {
        const worker = new Worker(script);
        if (random() < 0.6)
          setTimeout(() => {
            killed++;
            void worker.terminate();
          }, random() * 80);
        return worker;
      },
    });
    const written: Uint8Array[] = [];
    const output = { write: (bytes: Uint8Array) => Promise.resolve(void written.push(bytes.slice())) };
    try {
      await encrypt(pieces(), encrypter, output, false, pool);
    } catch (error) {
      expect((error as Error).message).toContain('a worker ended');
      continue;
    }
    right++;
    expect(PLAIN.equals(await decrypter.decrypt(Buffer.concat(written)))).toBe(true);
  }
  expect(killed).toBeGreaterThan(2);
  expect(right).toBeGreaterThan(2);
});
