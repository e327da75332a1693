/** One owner of an image: `lanewise disk` refuses an image that another run uses, and cleans up after runs that ended. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, existsSync, linkSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hpolyc } from 'lanewise/disk.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { isMountPoint } from '../src/disk/mount-points.ts';
import { processes } from '../src/disk/process-identity.ts';
import { bytes, disk, ended, file, folder, identityOfEnded, KEY, SLOW, startDisk, until } from './programs.ts';

/** Four batches. */
const SIZE = 2 ** 24;
const keyed = ['--key-file', 'key'];
const windows = process.platform === 'win32';
const linux = process.platform === 'linux';
if (!linux) console.log('SKIPPED: what needs the start of a process, which only Linux tells');

const plaintext = bytes(SIZE);
const cipher = hpolyc(KEY, { rounds: 20 });
const ciphertext = cipher.encryptPages(bytes(SIZE), { pageSize: 16, tweak: 'index64' });

const path = (name: string): string => join(folder, name);
const holds = (name: string, content: Uint8Array): boolean => readFileSync(path(name)).equals(content);
const names = (): string[] => readdirSync(folder).sort();
const DRAFT = /\.lanewise-draft\.|\.new$/;
const OUTPUT_DRAFT = /^out\.(lanewise-draft\.|.*\.new$)/;
const isDraft = (name: string): boolean => DRAFT.test(name);
const isThere = (pattern: RegExp): boolean => names().some((name) => pattern.test(name));

beforeEach(() => {
  for (const name of names()) rmSync(path(name), { recursive: true });
  file('key', KEY);
  file('image', plaintext);
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const end = ended(child);
  child.kill('SIGKILL');
  await end;
}

/** Encrypts an image in place until there is a journal, and kills that. */
async function interrupt(name: string): Promise<void> {
  const child = startDisk('encrypt', name, ...keyed, ...SLOW, '--in-place');
  await until(() => existsSync(path(`${name}.lanewise-journal`)));
  await kill(child);
}

/** Until the process does nothing any more. */
async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  if (linux)
    await until(() => child.exitCode !== null || readFileSync(`/proc/${child.pid}/stat`, 'utf8').includes(') T '));
  else await sleep(100);
}

/** A run that is stopped while `pattern` is the name of a file, and none is that of a journal. */
async function stoppedWith(pattern: RegExp, ...values: readonly string[]): Promise<ChildProcess> {
  for (;;) {
    const child = startDisk(...values);
    await until(() => isThere(pattern) || isThere(/journal$/) || child.exitCode !== null);
    await stop(child);
    if (isThere(pattern) && !isThere(/journal$/)) return child;
    // Too late: once more, from the beginning.
    await kill(child);
    disk('undo', 'image', ...keyed);
    file('image', plaintext);
    if (!values.includes('--force')) rmSync(path('out'), { force: true });
  }
}

function refused(values: readonly string[], status: number, message: RegExp): void {
  const result = disk(...values);
  expect(result.stderr).toMatch(message);
  expect(result.stderr).toMatch(/^lanewise disk: .*\n$/);
  expect([result.status, result.stdout.toString()]).toEqual([status, '']);
}

function done(...values: readonly string[]): void {
  const { stderr, status } = disk(...values);
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
}

const encrypt = ['encrypt', 'image', ...keyed, ...SLOW, '--in-place'];
const toOutput = ['encrypt', 'image', ...keyed, ...SLOW, '-o', 'out'];

describe.skipIf(windows)('while a run is at work', () => {
  test('undo leaves its draft, and nobody begins', async () => {
    const child = await stoppedWith(DRAFT, ...encrypt);
    const before = names();
    for (const values of [['undo', 'image', ...keyed], ['resume', 'image', ...keyed], encrypt, toOutput])
      refused(values, 1, new RegExp(`image: process ${child.pid} is at work on it\n`));
    expect(names()).toEqual(before);
    const end = ended(child);
    child.kill('SIGCONT');
    expect(await end).toMatchObject({ status: 0 });
    expect(holds('image', ciphertext)).toBe(true);
    expect(names()).toEqual(['image', 'key']);
  });

  test('an image that is read is not changed; others may read it; its draft stays', async () => {
    const child = await stoppedWith(OUTPUT_DRAFT, ...toOutput);
    const drafts = names().filter(isDraft);
    for (const values of [encrypt, ['undo', 'image', ...keyed]])
      refused(values, 1, new RegExp(`image: process ${child.pid} is reading it\n`));
    refused([...toOutput, '--force'], 1, new RegExp(`out: process ${child.pid} is at work on it\n`));
    done('encrypt', 'image', ...keyed, '-o', 'out2');
    expect(names().filter(isDraft)).toEqual(drafts);
    const end = ended(child);
    child.kill('SIGCONT');
    expect(await end).toMatchObject({ status: 0 });
    expect(holds('out', ciphertext)).toBe(true);
    expect(names()).toEqual(['image', 'key', 'out', 'out2']);
  });

  test('an output that is being made is not changed in place', async () => {
    file('out', bytes(4096));
    const child = await stoppedWith(OUTPUT_DRAFT, ...toOutput, '--force');
    refused(['encrypt', 'out', ...keyed, '--in-place'], 1, new RegExp(`out: process ${child.pid} is at work on it\n`));
    await kill(child);
    done('encrypt', 'out', ...keyed, '--in-place');
    expect(names()).toEqual(['image', 'key', 'out']);
  });

  test('an image that another program changes while it is read gives no output', async () => {
    const child = await stoppedWith(OUTPUT_DRAFT, ...toOutput);
    appendFileSync(path('image'), 'x');
    const end = ended(child);
    child.kill('SIGCONT');
    const { status, stderr } = await end;
    expect(status).toBe(1);
    expect(stderr).toMatch(/image: was changed while it was read/);
    expect(names()).toEqual(['image', 'key']);
  });

  test('a run whose lock is removed stops, and can be recovered', async () => {
    const child = startDisk(...encrypt);
    await until(() => isThere(/journal$/));
    await stop(child);
    for (const name of names()) if (name.includes('-lock.')) rmSync(path(name));
    const end = ended(child);
    child.kill('SIGCONT');
    const { status, stderr } = await end;
    expect(status).toBe(1);
    expect(stderr).toMatch(/the lock of this run was removed; .*undo/);
    done('undo', 'image', ...keyed);
    expect(holds('image', plaintext)).toBe(true);
  });
});

describe.skipIf(windows)('what a run that was killed has left', () => {
  test('a draft of an output is removed by the next run in the folder', async () => {
    await kill(await stoppedWith(OUTPUT_DRAFT, 'decrypt', 'image', ...keyed, ...SLOW, '-o', 'out'));
    expect(names().filter(isDraft)).toHaveLength(1);
    file('small', bytes(4096));
    done('encrypt', 'small', ...keyed, '-o', 'out2');
    expect(names()).toEqual(['image', 'key', 'out2', 'small']);
  });

  test('a draft of a journal is removed by the next run', async () => {
    await kill(await stoppedWith(DRAFT, ...encrypt));
    expect(names().filter(isDraft)).toHaveLength(1);
    done(...encrypt);
    expect(holds('image', ciphertext)).toBe(true);
    expect(names()).toEqual(['image', 'key']);
  });

  test('a journal keeps outputs away from its image', async () => {
    await interrupt('image');
    const half = readFileSync(path('image'));
    file('other', bytes(4096));
    refused(['encrypt', 'other', ...keyed, '-o', 'image', '--force'], 1, /image\.lanewise-journal is there: .*resume/);
    expect(holds('image', half)).toBe(true);
    done('resume', 'image', ...keyed);
    expect(holds('image', ciphertext)).toBe(true);
    expect(names()).toEqual(['image', 'key', 'other']);
  });

  test('a journal is that of its image only', async () => {
    await interrupt('image');
    const half = readFileSync(path('image'));
    // Another image of that size.
    const other = bytes(SIZE).reverse();
    file('other', other);
    renameSync(path('image.lanewise-journal'), path('other.lanewise-journal'));
    for (const force of [[], ['--force']])
      refused(
        ['resume', 'other', ...keyed, ...force],
        1,
        /other: it is not as its journal .* another image, or changed/,
      );
    expect(holds('other', other)).toBe(true);
    // A copy: nothing but --force tells that it is one.
    renameSync(path('other.lanewise-journal'), path('image.lanewise-journal'));
    for (const name of ['image', 'image.lanewise-journal'])
      copyFileSync(path(name), path(name.replace('image', 'copy')));
    refused(
      ['resume', 'copy', ...keyed],
      1,
      /copy: its journal copy\.lanewise-journal is that of another file; .*--force/,
    );
    expect(holds('copy', half)).toBe(true);
    done('resume', 'copy', ...keyed, '--force');
    expect(holds('copy', ciphertext)).toBe(true);
    // The same file with another content.
    writeFileSync(path('image'), other);
    refused(
      ['undo', 'image', ...keyed],
      1,
      /image: it is not as its journal .* changed since; if it was damaged, say --force/,
    );
    expect(holds('image', other)).toBe(true);
    writeFileSync(path('image'), half);
    done('undo', 'image', ...keyed);
    expect(holds('image', plaintext)).toBe(true);
  });

  test('an image that was encrypted under another name in between is not resumed', async () => {
    await interrupt('image');
    renameSync(path('image'), path('elsewhere'));
    done('encrypt', 'elsewhere', ...keyed, ...SLOW, '--in-place');
    const twice = readFileSync(path('elsewhere'));
    renameSync(path('elsewhere'), path('image'));
    for (const action of ['resume', 'undo'])
      refused([action, 'image', ...keyed], 1, /image: it is not as its journal .* changed since/);
    expect(holds('image', twice)).toBe(true);
  });
});

describe.skipIf(windows)('an image of several names', () => {
  test('is refused by each of them', async () => {
    await interrupt('image');
    const half = readFileSync(path('image'));
    linkSync(path('image'), path('hard'));
    const hard = /: has 2 names \(hard links\)/;
    refused(['encrypt', 'hard', ...keyed, ...SLOW, '--in-place'], 2, hard);
    refused(['encrypt', 'hard', ...keyed, ...SLOW, '-o', 'out'], 2, hard);
    refused(['resume', 'image', ...keyed], 2, hard);
    expect(holds('image', half)).toBe(true);
    rmSync(path('hard'));
    done('resume', 'image', ...keyed);
    expect(holds('image', ciphertext)).toBe(true);
    expect(names()).toEqual(['image', 'key']);
  });

  test('has one lock and one journal for all symbolic links', async () => {
    symlinkSync('image', path('soft'));
    await interrupt('image');
    refused(['encrypt', 'soft', ...keyed, ...SLOW, '--in-place'], 1, /image\.lanewise-journal is there/);
    refused(
      ['encrypt', 'key', ...keyed, '--sector-size=16', '--tweak=index64', '-o', 'soft', '--force'],
      1,
      /journal is there/,
    );
    done('undo', 'soft', ...keyed);
    expect(holds('image', plaintext)).toBe(true);
    symlinkSync('nothing', path('dangling'));
    for (const force of [[], ['--force']])
      refused(['encrypt', 'image', ...keyed, '-o', 'dangling', ...force], 1, /dangling: a symbolic link: No such file/);
  });

  test('is known by its file, where a file system takes names for the same that differ', () => {
    linkSync(path('image'), path('IMAGE'));
    file(`IMAGE.lanewise-lock.${processes.newIdentity()}`, '');
    refused(encrypt, 1, new RegExp(`image: process ${process.pid} is at work on it\n`));
  });

  test('is refused where it is a mount point', () => {
    const line = (point: string) =>
      `36 35 98:0 /mnt1 ${point} rw,noatime master:1 - ext3 /dev/root rw,errors=continue\n`;
    file('a space', '');
    const escaped = (name: string): string => path(name).replaceAll('\\', '\\134').replaceAll(' ', '\\040');
    expect(isMountPoint(path('a space'), () => line('/') + line(escaped('a space')))).toBe(true);
    expect(isMountPoint(path('a space'), () => line('/') + line(escaped('a')))).toBe(false);
    expect(isMountPoint(path('image'), () => '')).toBe(false);
  });
});

describe('locks of other processes', () => {
  const lock = (identity: string): string => `image.lanewise-lock.${identity}`;
  const fields = processes.newIdentity().split('-');
  const changed = (index: number, value: string): string => fields.with(index, value).join('-');
  const [HOST, BOOT, NAMESPACE, PID, START] = [0, 1, 2, 3, 4];
  const small = ['encrypt', 'image', ...keyed, '--in-place'];

  beforeEach(() => file('image', bytes(4096)));

  test('that are alive are kept; those that have ended are removed', () => {
    file(lock(processes.newIdentity()), '');
    refused(small, 1, linux ? new RegExp(`image: process ${process.pid} is at work on it\n`) : /seems to be at work/);
    expect(names()).toHaveLength(3);
    rmSync(path(names()[1]));
    for (const kind of ['lock', 'read-lock', 'draft']) file(`image.lanewise-${kind}.${identityOfEnded()}`, '');
    done(...small);
    expect(names()).toEqual(['image', 'key']);
  });

  test.skipIf(!linux)('a number that was given out again is another process', () => {
    file(lock(changed(START, '1')), '');
    done(...small);
    // So is one of the time before the machine was started.
    file(lock(changed(BOOT, '12345678')), '');
    done(...small);
    expect(names()).toEqual(['image', 'key']);
  });

  test('of which nothing can be found out are kept, without --force', () => {
    for (const index of [HOST, ...(linux ? [NAMESPACE] : [])]) {
      file(lock(changed(index, '12345678')), '');
      refused(
        small,
        1,
        /process \d+, maybe of another machine or container, seems to be at work on it; say --force if/,
      );
      refused(['undo', 'image', ...keyed], 1, /seems to be at work/);
      expect(names()).toHaveLength(3);
      done(...small, '--force');
      expect(names()).toEqual(['image', 'key']);
    }
  });

  test('are told by number, start, and whether they still run', { skip: !linux }, async () => {
    expect(processes.lifeOf(fields.join('-'))).toBe('alive');
    expect(processes.lifeOf(changed(PID, String(process.ppid)))).toBe('dead');
    // A zombie, whose parent hasn't waited for it: the shell becomes a program that does not know of it.
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 100']);
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    const stat = (): string[] => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
    const child = fields.with(PID, String(pid)).with(START, stat()[21]).join('-');
    expect(processes.lifeOf(child)).toBe('alive');
    await until(() => stat()[2] === 'Z');
    expect(processes.lifeOf(child)).toBe('dead');
    await kill(parent);
  });
});

test('files that must not be encrypted or replaced', () => {
  for (const name of ['a.lanewise-journal', `a.lanewise-lock.${identityOfEnded()}`]) {
    file(name, bytes(4096));
    refused(['encrypt', name, ...keyed, '--in-place'], 2, /a file made by lanewise disk itself\n$/);
    refused(['encrypt', 'image', ...keyed, '-o', name, '--force'], 2, /a file made by lanewise disk itself\n$/);
  }
  const sectors = ['--sector-size=16', '--tweak=index64'];
  refused(['encrypt', 'key', ...keyed, ...sectors, '--in-place'], 2, /key: the key file\n$/);
  refused(['encrypt', 'image', ...keyed, '-o', './key', '--force'], 2, /key: the key file\n$/);
  expect(holds('key', KEY)).toBe(true);
});
