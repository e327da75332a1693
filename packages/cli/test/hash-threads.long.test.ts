/** `lanewise hash` on several threads: the output of one thread, in the same order, whatever happens to the workers. */
import { spawnSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { blake3 } from 'lanewise/blake3.js';
import { createPool, type Pool } from 'lanewise/pool.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { Inputs } from '../src/hash/inputs.ts';
import { Threads } from '../src/threads.ts';
import { file, folder, hash, KEY, main } from './programs.ts';
import { generator } from './random.ts';

const MIB = 2 ** 20;
const quiet = { start() {}, advance() {}, stop() {} };
/** Around the size from which a file is long, and the edges of jobs. */
const SIZES = [4 * MIB, 4 * MIB + 1, 32 * MIB, 32 * MIB + 1, 33 * MIB + 1025, 35 * MIB + 12_345];
const named = (size: number): string => `of ${size}`;

beforeAll(() => {
  const bytes = randomFillSync(Buffer.alloc(Math.max(...SIZES)));
  for (const size of SIZES) file(named(size), bytes.subarray(0, size));
  file('short', 'abc');
  file('zeros', '');
  truncateSync(join(folder, 'zeros'), 40 * MIB + 7);
});

/** On one thread and on three. */
function compare(values: readonly string[], input: string | Uint8Array = ''): string {
  const [one, three] = ['1', '3'].map((count) => hash(['--num-threads', count, ...values], input));
  expect(three.stdout.equals(one.stdout)).toBe(true);
  expect(three.stderr).toBe(one.stderr);
  expect(three.status).toBe(one.status);
  return three.stdout.toString();
}

test('a known answer', () => {
  // `head -c 41943047 /dev/zero | b3sum`, b3sum 1.2.0
  expect(hash(['zeros', '--num-threads', '4']).stdout.toString()).toBe(
    '4c012467396ea01812a8fc52e408676c6336ee4078ddaf4827efaabd218f8678  zeros\n',
  );
});

describe('the output of one thread', () => {
  const all = SIZES.map(named);
  test.each<[string, readonly string[]]>([
    ['hash', [...all, ...all.slice(0, 3)]],
    ['derive key', ['--derive-key', 'hash-threads.test.ts 2026-11-22', ...all.slice(2)]],
    ['an output of any length', ['--seek', '12345678901', '--length', '70000', '--no-names', ...all.slice(-2)]],
    ['raw', ['--raw', '--length', '131073', all[5]]],
    ['no output', ['--length', '0', all[3]]],
  ])('%s', (_, values) => expect(compare(values)).not.toBe(''));

  test('keyed', () => {
    expect(compare(['--keyed', ...all.slice(2)], KEY)).not.toBe('');
  });

  test('standard input, from its start and from where it stands', () => {
    const name = join(folder, named(SIZES[5]));
    const results = [];
    for (const count of ['1', '4'])
      for (const skip of ['', 'head -c 1000 > skipped; ']) {
        const input = openSync(name, 'r');
        const script = `${skip}cat | "$@" hash --num-threads ${count}; `;
        const { stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', process.execPath, main], {
          cwd: folder,
          stdio: [input, 'pipe', 'inherit'],
        });
        closeSync(input);
        results.push(stdout.toString());
      }
    expect(results.slice(2)).toEqual(results.slice(0, 2));
    expect(results[0]).toMatch(/^[0-9a-f]{64} {2}-\n$/);
    expect(results[1]).not.toBe(results[0]);
  });

  test('lines and complaints in order, long files among short ones and missing ones', () => {
    const files = all.flatMap((name) => ['short', name, 'missing', '.', name, 'short']);
    const text = compare(files);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(66)),
    ).toEqual(files.filter((name) => name !== 'missing' && name !== '.'));
  });

  test('checks', () => {
    const { stdout } = hash([...all, 'short']);
    file('sums', stdout.toString().replace(/^[0-9a-f]{64}(?= {2}of 33554433)/m, '0'.repeat(64)));
    const text = compare(['--check', 'sums']);
    expect(text.match(/: OK$/gm)).toHaveLength(all.length);
    expect(text).toContain('of 33554433: FAILED\n');
  });
});

describe('files of a few MiB', () => {
  const sizes = Array.from({ length: 24 }, (_, i) => (i % 5) * MIB + ((i * 40_503) % 65_537));
  const names = sizes.map((_, i) => `part ${i}`);
  beforeAll(() => {
    const bytes = randomFillSync(Buffer.alloc(6 * MIB));
    for (const [i, size] of sizes.entries()) file(names[i], bytes.subarray(i, i + size));
  });

  test('several at a time: the same lines, among missing and long files', () => {
    const [first, ...others] = names.toReversed();
    expect(compare([named(SIZES[5]), ...names, 'missing', '-', first, named(SIZES[4]), ...others], 'input')).toMatch(
      /^[0-9a-f]{64} {2}-$/m,
    );
  });

  test('none is begun before a pipe is done, nor more than there are threads, and one', async () => {
    const threads = new Threads(2, 'worker', false);
    const inputs = new Inputs({}, { seek: 0n, length: 32n }, threads, quiet, () => Promise.resolve());
    const files = [...names.slice(0, 6), '-', ...names.slice(6, 8), '.', names[9]];
    const begunBefore = async (): Promise<number[]> => {
      let begun = 0;
      const found = inputs.hashAll(
        files.map((name) => ({ text: name, path: name === '-' ? name : join(folder, name) })),
        () => Promise.resolve([Buffer.from([begun++])]),
      );
      const counts = [];
      for (const { output } of found) {
        await output;
        counts.push(begun);
      }
      return counts;
    };
    expect(await begunBefore()).toEqual(files.map((_, i) => i + 1));
    await threads.pool();
    expect(await begunBefore()).toEqual([3, 4, 5, 6, 6, 6, 7, 9, 9, 10, 11]);
    await threads.close();
  });
});

test('--num-threads is a number of threads', () => {
  for (const count of ['0', '1', '256', '=2']) expect(hash(['--num-threads', count, 'short']).status).toBe(0);
  for (const count of ['257', '-1', '1.5', 'all']) {
    const { status, stderr } = hash([`--num-threads=${count}`, 'short']);
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`--num-threads takes an integer from 0 to 256, not '${count}'`) as string,
    });
  }
});

describe('workers that end', () => {
  const path = join(folder, named(SIZES[5]));
  const script = fileURLToPath(import.meta.resolve('lanewise/worker.js'));

  async function hashWith(pool: Pool): Promise<Buffer> {
    const threads = new Threads(2, 'worker', false);
    threads.pool = () => Promise.resolve(pool);
    const inputs = new Inputs({}, { seek: 0n, length: 32n }, threads, quiet, () => Promise.resolve());
    return Buffer.concat([...(await inputs.hash({ text: path, path }))]);
  }
  const expected = async (): Promise<Buffer> => {
    const { readFileSync } = await import('node:fs');
    return Buffer.from(blake3(readFileSync(path)));
  };

  test('at random', async () => {
    const random = generator(17);
    const right = await expected();
    let killed = 0;
    for (let run = 0; run < 10; run++) {
      await using pool = createPool({
        threads: 2,
        threshold: 4 * MIB,
        spawn() {
          const worker = new Worker(script);
          if (random() < 0.7)
            setTimeout(() => {
              killed++;
              void worker.terminate();
            }, random() * 60);
          return worker;
        },
      });
      expect((await hashWith(pool)).equals(right)).toBe(true);
    }
    expect(killed).toBeGreaterThan(3);
  });

  test('all of them: one thread goes on', async () => {
    const right = await expected();
    await using pool = createPool({
      threads: 2,
      threshold: 4 * MIB,
      spawn() {
        const worker = new Worker(script);
        worker.on('online', () => setTimeout(() => void worker.terminate(), 5));
        return worker;
      },
    });
    expect((await hashWith(pool)).equals(right)).toBe(true);
  });
});
