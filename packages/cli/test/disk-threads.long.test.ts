/** `lanewise disk` on several threads: the output of one thread, whatever happens to the workers. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createPool } from 'lanewise/pool.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { Sectors } from '../src/disk/sectors.ts';
import { system as storage } from '../src/disk/storage.ts';
import { convertToFile } from '../src/disk/to-file.ts';
import { disk, file, folder, KEY, main } from './programs.ts';
import { generator } from './random.ts';

const MIB = 2 ** 20;
const IMAGE = randomFillSync(Buffer.alloc(58 * MIB));

beforeAll(() => {
  file('key', KEY);
});

const read = (name: string): Buffer => readFileSync(join(folder, name));

function run(...values: readonly string[]): void {
  const { status, stderr } = disk(...values);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

describe('the output of one thread, and back', () => {
  // Above 32 MiB workers are started.
  const cases: [name: string, size: number, values: readonly string[]][] = [
    ['of 32 MiB', 32 * MIB, []],
    ['of a sector more', 32 * MIB + 4096, []],
    ['of several batches', 58 * MIB - 4096, []],
    ['of small sectors', 41 * MIB + 512, ['--sector-size=512', '--first=7']],
    ['of large sectors', 41 * MIB, ['--sector-size=65536', '--tweak=dm-crypt-large']],
    ['of odd sectors', 41_000 * 1000, ['--sector-size=1000', '--tweak=offset64', '--first=18446744073700']],
    ['with HPolyC', 49 * MIB, ['--cipher=hpolyc', '--rounds=20', '--tweak=index64']],
  ];
  test.each(cases)('%s', (_, size, values) => {
    file('image', IMAGE.subarray(0, size));
    const common = ['--key-file', 'key', '--force', ...values];
    run('encrypt', 'image', '-o', 'one', '--num-threads=1', ...common);
    run('encrypt', 'image', '-o', 'three', '--num-threads=3', ...common);
    expect(read('three').equals(read('one'))).toBe(true);
    expect(read('three').equals(read('image'))).toBe(false);
    run('decrypt', 'three', '-o', 'back', '--num-threads=2', ...common);
    expect(read('back').equals(read('image'))).toBe(true);
    for (const name of ['one', 'three', 'back']) rmSync(join(folder, name));
  });
});

test('--num-threads is for another file', () => {
  file('image', IMAGE.subarray(0, 4096));
  const common = ['image', '--key-file', 'key', '--num-threads=2'];
  const wrong = [
    [disk('encrypt', ...common, '--in-place'), '--num-threads needs -o'],
    [disk('resume', ...common), 'resume takes no --num-threads'],
    [disk('encrypt', ...common.slice(0, 3), '--num-threads=x', '-o', 'x'), 'an integer from 0 to 256'],
  ] as const;
  for (const [{ status, stderr }, message] of wrong) {
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  }
});

test('workers that end at random: the right bytes', async () => {
  const random = generator(23);
  const script = fileURLToPath(import.meta.resolve('lanewise/worker.js'));
  const settings = { cipher: 'adiantum', rounds: 12, sectorSize: 4096, tweak: 'dm-crypt', first: 3n } as const;
  const sectors = new Sectors(settings, KEY);
  file('image', IMAGE);
  const [image, output] = [join(folder, 'image'), join(folder, 'output')];
  const expected = Buffer.from(IMAGE);
  sectors.encrypt(expected, 0);
  let [killed, given] = [0, 0];
  for (let round = 0; round < 20; round++) {
    await using pool = createPool({
      threads: 2,
      callerWorks: random() < 0.5,
      threshold: 0,
      spawn() {
        const worker = new Worker(script);
        if (random() < 0.8)
          setTimeout(() => {
            killed++;
            void worker.terminate();
          }, random() * 80);
        return worker;
      },
    });
    let done = 0;
    await convertToFile({
      storage,
      image,
      size: IMAGE.length,
      output,
      mode: 0o600,
      force: true,
      sectorSize: 4096,
      convert: (bytes, at) => sectors.encrypt(bytes, at),
      async convertFile(files, onProgress) {
        const isDone = await sectors.convertOn(pool, 'encrypt', files, onProgress);
        if (isDone) given++;
        return isDone;
      },
      advance: (bytes) => void (done += bytes),
    });
    expect(done).toBe(IMAGE.length);
    expect(expected.equals(readFileSync(output))).toBe(true);
  }
  expect(killed).toBeGreaterThan(3);
  expect(given).toBeGreaterThan(3);
});

/** A folder on a disk with room for 40 MiB, that exists while the command runs; Linux makes one for those who may mount. */
const small = (command: string): SpawnSyncReturns<string> =>
  spawnSync('unshare', ['-m', 'sh', '-c', `mount -t tmpfs -o size=40m none small && ${command}`], {
    cwd: folder,
    encoding: 'utf8',
  });
mkdirSync(join(folder, 'small'));
const mayMount = process.platform === 'linux' && small('true').status === 0;
if (!mayMount) console.log('SKIPPED: a disk that becomes full, which takes a Linux where this user may mount');

test.skipIf(!mayMount)('a disk that becomes full: the error of one thread, and no file', () => {
  file('image', IMAGE);
  const ends = [1, 2, 3].map((threads) => {
    const values = `disk encrypt image -o small/output --key-file key --num-threads=${threads}`;
    const { stdout, stderr } = small(`{ ${process.execPath} ${main} ${values}; echo $?; ls -A small; }`);
    return { stdout, stderr: stderr.replace(/small\/\S+:/, 'small/draft:') };
  });
  expect(ends[0]).toEqual({
    stdout: '1\n',
    stderr: 'lanewise disk: small/draft: No space left on device (os error 28)\n',
  });
  expect(ends.slice(1)).toEqual([ends[0], ends[0]]);
});
