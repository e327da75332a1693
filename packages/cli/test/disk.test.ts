/** `lanewise disk` by itself: known answers, arguments, files that are in the way, and runs that are interrupted. */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { symlinkSync, truncateSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { adiantum, hpolyc } from 'lanewise/disk.js';
import { beforeEach, describe, expect, test } from 'vitest';
import fixture from '../../../vectors/disk-database.json' with { type: 'json' };
import {
  bytes,
  disk,
  ended,
  file,
  folder,
  identityOfEnded,
  KEY,
  lanewise,
  SLOW,
  startDisk,
  until,
  type Result,
} from './programs.ts';

const SIZE = 9 * 4096;
const JOURNAL = 'image.lanewise-journal';
const keyed = ['--key-file', 'key'];
const windows = process.platform === 'win32';

const read = (name: string): Buffer => readFileSync(join(folder, name));
const md5 = (name: string): string => createHash('md5').update(read(name)).digest('hex');

beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  file('key', KEY);
  file('image', bytes(SIZE));
});

function done(result: Result, said: string): void {
  expect(result.stderr).toBe('');
  expect(result.stdout.toString()).toBe(`${said}\n`);
  expect(result.status).toBe(0);
}

/** One line on standard error, and no file made or changed. */
function refused(result: Result, status: number, message: RegExp | string): void {
  expect(result.stderr).toMatch(message);
  expect(result.stderr).toMatch(/^lanewise disk: .*\n$/);
  expect(result.stdout.toString()).toBe('');
  expect(result.status).toBe(status);
  expect(read('image').equals(bytes(SIZE))).toBe(true);
}

describe('known answers', () => {
  /** 64 MiB of zeros, with the key of the commit text of "dm crypt: optionally support larger encryption sector size". */
  const zeros = (): void => {
    file('key', Buffer.from('EC0531985A96E87F756035F804D051DFE50036987D9AD706AAF9BDBDD1F5B786', 'hex'));
    file('zeros', '');
    truncateSync(join(folder, 'zeros'), 2 ** 26);
  };

  test.each([
    // Of that text; then of the Go module lukechampine.com/adiantum v1.1.1.
    ['44e24946ce308f3b4495bc2ff9cade8b', '--sector-size', '512'],
    ['2b8ec7054176f5bbe8c845f3be96c3a3', '--tweak=dm-crypt'],
    ['8aa1cb4f5ebef575b15b5f8d64763118', '--tweak=dm-crypt-large'],
  ])('dm-crypt: %s %s', (expected, ...options) => {
    zeros();
    done(disk('encrypt', 'zeros', ...keyed, ...options, '-o', 'out'), 'zeros: encrypted into out');
    expect(md5('out')).toBe(expected);
    done(disk('encrypt', 'zeros', ...keyed, ...options, '--in-place'), 'zeros: encrypted');
    expect(read('zeros').equals(read('out'))).toBe(true);
    done(disk('decrypt', 'zeros', ...keyed, ...options, '--in-place'), 'zeros: decrypted');
    expect(read('zeros').equals(Buffer.alloc(2 ** 26))).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['image', 'key', 'out', 'zeros']);
  });

  test('a database of go-sqlite3', () => {
    file('database', Buffer.from(fixture.file, 'base64'));
    file('key', Buffer.from(fixture.key, 'hex'));
    done(disk('decrypt', 'database', ...keyed, '--tweak=offset64', '-o', 'plain'), 'database: decrypted into plain');
    expect(read('plain').subarray(0, 16).toString()).toBe('SQLite format 3\0');
    // "Mérida" is on page 1.
    expect(read('plain').includes('Mérida')).toBe(true);
  });

  test('all settings reach the cipher', () => {
    const options = ['--cipher=hpolyc', '--rounds=20', '--sector-size=1024', '--tweak=index64'];
    disk('encrypt', 'image', ...keyed, ...options, '--first=18446744073709551000', '-o', 'out');
    const pages = { pageSize: 1024, tweak: 'index64', first: 18446744073709551000n } as const;
    expect(read('out').equals(hpolyc(KEY, { rounds: 20 }).encryptPages(bytes(SIZE), pages))).toBe(true);
    disk('encrypt', 'image', ...keyed, '--rounds=8', '-o', 'defaults');
    const defaults = { pageSize: 4096, tweak: 'dm-crypt' } as const;
    expect(read('defaults').equals(adiantum(KEY, { rounds: 8 }).encryptPages(bytes(SIZE), defaults))).toBe(true);
  });
});

test('help', () => {
  const help = disk('--help').stdout.toString();
  for (const word of ['encrypt', 'decrypt', 'resume', 'undo', '--tweak', 'unauthenticated', 'offset64', 'Exit codes'])
    expect(help).toContain(word);
  expect(lanewise(['--help']).stdout.toString()).toMatch(/^ {2}disk /m);
});

test('arguments that are refused', () => {
  const wrong: readonly (readonly [RegExp, ...string[]])[] = [
    [/expected one of encrypt, decrypt, resume, undo; --help/],
    [/the first operand is one of .*, not 'format'/, 'format', 'image'],
    [/encrypt takes one IMAGE/, 'encrypt', ...keyed],
    [/undo takes one IMAGE/, 'undo', 'image', 'image', ...keyed],
    [/not standard input/, 'encrypt', '-', ...keyed, '-o', 'out'],
    [/--key-file is missing/, 'encrypt', 'image', '-o', 'out'],
    [/use -o OUT or --in-place/, 'encrypt', 'image', ...keyed],
    [/use -o OUT or --in-place/, 'encrypt', 'image', ...keyed, '-o', 'out', '--in-place'],
    [/-o takes the name of a file/, 'encrypt', 'image', ...keyed, '-o', '-'],
    [/resume takes no --rounds: it is in the journal/, 'resume', 'image', ...keyed, '--rounds', '12'],
    [/--cipher is one of adiantum, hpolyc, not 'aes'/, 'encrypt', 'image', ...keyed, '-o', 'out', '--cipher', 'aes'],
    [/--rounds is one of 8, 12, 20, not '10'/, 'encrypt', 'image', ...keyed, '-o', 'out', '--rounds', '10'],
    [/--tweak is one of .*, not 'plain'/, 'encrypt', 'image', ...keyed, '-o', 'out', '--tweak', 'plain'],
    [/--sector-size takes 16 to 65536/, 'encrypt', 'image', ...keyed, '-o', 'out', '--sector-size', '15'],
    [/--sector-size takes 16 to 65536/, 'encrypt', 'image', ...keyed, '-o', 'out', '--sector-size', '65537'],
    [/--sector-size takes an integer/, 'encrypt', 'image', ...keyed, '-o', 'out', '--sector-size', '4k'],
    [/whole 512 bytes, not 520/, 'encrypt', 'image', ...keyed, '-o', 'out', '--sector-size', '520'],
    [/--first takes an integer from 0/, 'encrypt', 'image', ...keyed, '-o', 'out', '--first=-1'],
    [/--first takes an integer below 2\^64/, 'encrypt', 'image', ...keyed, '-o', 'out', '--first', `${2n ** 64n}`],
    [/tweaks of image that do not fit/, 'encrypt', 'image', ...keyed, '-o', 'out', '--first', `${2n ** 61n}`],
    [/--first is given more than once/, 'encrypt', 'image', ...keyed, '-o', 'out', '--first', '1', '--first', '2'],
    [/Unknown option '--fast'/, 'encrypt', 'image', ...keyed, '-o', 'out', '--fast'],
  ];
  for (const [message, ...values] of wrong) refused(disk(...values), 2, message);
  expect(readdirSync(folder).sort()).toEqual(['image', 'key']);
});

describe('keys and images', () => {
  const out = ['-o', 'out'];

  test('of the wrong size', () => {
    for (const length of [0, 31, 33, 2 ** 21]) {
      file('wrong', bytes(length));
      const result = disk('encrypt', 'image', '--key-file', 'wrong', '--in-place');
      refused(result, 2, `wrong: a key has 32 bytes, got ${length}\n`);
    }
    file('odd', bytes(4097));
    const message =
      'odd: 4097 bytes are not whole sectors of 4096 bytes: 1 are left over; make it longer: truncate -s 8192 odd\n';
    refused(disk('encrypt', 'odd', ...keyed, ...out), 2, message);
    refused(disk('encrypt', 'odd', ...keyed, '--in-place'), 2, message);
    expect(read('odd').equals(bytes(4097))).toBe(true);
    file('odd', bytes(5632));
    refused(disk('encrypt', 'odd', ...keyed, ...out), 2, ': 1536 are left over; --sector-size 512 fits all of it\n');
    file('empty', '');
    done(disk('encrypt', 'empty', ...keyed, ...out), 'empty: encrypted into out');
    done(disk('encrypt', 'empty', ...keyed, '--in-place'), 'empty: encrypted');
    expect(read('out')).toHaveLength(0);
  });

  test('the key may come by standard input', () => {
    const result = lanewise(['disk', 'encrypt', 'image', '--key-file', '-', ...out], KEY);
    done(result, 'image: encrypted into out');
    refused(
      lanewise(['disk', 'encrypt', 'image', '--key-file', '-', '-o', 'x'], 'short'),
      2,
      /standard input: .* got 5/,
    );
  });

  test('that cannot be read', () => {
    refused(disk('encrypt', 'missing', ...keyed, ...out), 1, /^lanewise disk: missing: No such file or directory/);
    refused(disk('encrypt', '.', ...keyed, ...out), 1, /^lanewise disk: \.: not a regular file/);
    refused(disk('encrypt', 'two\nlines\x1b', ...keyed, ...out), 1, /: two\\nlines\\u\{1b\}: No such file/);
    refused(disk('encrypt', 'image', '--key-file', 'missing', ...out), 1, /^lanewise disk: missing: No such file/);
    refused(disk('encrypt', 'image', ...keyed, '-o', 'no/out'), 1, /^lanewise disk: no: No such file/);
  });

  test.skipIf(windows)('a name that is no UTF-8, and one that is a link', () => {
    const name = Buffer.from('no\xfftext', 'latin1');
    file(name, bytes(SIZE));
    mkdirSync(join(folder, 'links'));
    symlinkSync(Buffer.concat([Buffer.from('../'), name]), join(folder, 'links', 'image'));
    done(disk('encrypt', 'links/image', ...keyed, '--in-place'), 'links/image: encrypted');
    const path = Buffer.concat([Buffer.from(`${folder}/`), name]);
    const expected = adiantum(KEY).encryptPages(bytes(SIZE), { pageSize: 4096, tweak: 'dm-crypt' });
    expect(readFileSync(path).equals(expected)).toBe(true);
    expect(readdirSync(join(folder, 'links'))).toEqual(['image']);
    // Not left to rmSync, which makes text of names.
    unlinkSync(path);
  });
});

describe('the output', () => {
  test('is not overwritten without --force', () => {
    file('out', 'precious');
    refused(disk('encrypt', 'image', ...keyed, '-o', 'out'), 2, 'lanewise disk: out exists; --force replaces it\n');
    expect(read('out').toString()).toBe('precious');
    done(disk('encrypt', 'image', ...keyed, '-o', 'out', '--force'), 'image: encrypted into out');
    expect(read('out')).toHaveLength(SIZE);
    expect(readdirSync(folder).sort()).toEqual(['image', 'key', 'out']);
  });

  test('is not the image, by whatever name', () => {
    linkSync(join(folder, 'image'), join(folder, 'hard'));
    symlinkSync('image', join(folder, 'soft'));
    for (const name of ['image', './image', 'hard', 'soft'])
      refused(disk('encrypt', 'image', ...keyed, '-o', name, '--force'), 2, /the output is the image; --in-place/);
  });

  test('is a regular file', () => {
    refused(disk('encrypt', 'image', ...keyed, '-o', '.', '--force'), 2, /\.: not a regular file/);
    if (windows) return;
    refused(disk('encrypt', 'image', ...keyed, '-o', '/dev/null', '--force'), 2, /\/dev\/null: not a regular file/);
    expect(statSync('/dev/null').isFile()).toBe(false);
  });

  test.skipIf(windows)('is as private as the image', () => {
    for (const mode of [0o600, 0o640]) {
      chmodSync(join(folder, 'image'), mode);
      disk('decrypt', 'image', ...keyed, '-o', 'out', '--force');
      const found = statSync(join(folder, 'out')).mode & 0o777;
      // The user may want it even more private.
      expect([found & ~mode, found & 0o600]).toEqual([0, 0o600]);
    }
  });
});

const LARGE = 2 ** 26;

describe.skipIf(windows)('an interrupted run', () => {
  const large = bytes(LARGE);
  const journal = join(folder, JOURNAL);
  beforeEach(() => file('image', large));
  const isWhole = (): boolean => read('image').equals(large);

  test('in place says what can be done, and can be undone', async () => {
    const child = startDisk('encrypt', 'image', ...keyed, ...SLOW, '--in-place');
    const end = ended(child);
    await until(() => existsSync(journal));
    child.kill('SIGINT');
    expect(await end).toEqual({
      status: null,
      signal: 'SIGINT',
      stderr: 'lanewise disk: interrupted; lanewise disk resume finishes it, undo takes it back\n',
    });
    const again = disk('encrypt', 'image', ...keyed, '--in-place');
    expect(again.stderr).toMatch(/^lanewise disk: image\.lanewise-journal is there: .* resume .* undo .*\n$/);
    expect(again.status).toBe(1);
    expect(disk('decrypt', 'image', ...keyed, '-o', 'out')).toMatchObject({ stderr: again.stderr, status: 1 });
    file('other', KEY.toReversed());
    const wrong = disk('undo', 'image', '--key-file', 'other');
    expect(wrong.stderr).toBe(`lanewise disk: ${JOURNAL}: the image was begun with another key\n`);
    expect(wrong.status).toBe(2);
    done(disk('undo', 'image', ...keyed), 'image: as it was');
    expect(isWhole()).toBe(true);
    expect(existsSync(journal)).toBe(false);
  });

  test('is not resumed while it runs, nor is its recovery', async () => {
    const child = startDisk('encrypt', 'image', ...keyed, ...SLOW, '--in-place');
    await until(() => existsSync(journal));
    child.kill('SIGSTOP');
    const busy = (pid: number): string => `lanewise disk: image: process ${pid} is at work on it\n`;
    for (const [action, ...options] of [['resume'], ['undo'], ['encrypt', '--in-place'], ['encrypt', '-o', 'out']])
      expect(disk(action, 'image', ...keyed, ...options)).toMatchObject({ stderr: busy(child.pid!), status: 1 });
    child.kill('SIGKILL');
    await ended(child);

    const { mtimeMs } = statSync(journal);
    const recovery = startDisk('resume', 'image', ...keyed);
    await until(() => statSync(journal).mtimeMs > mtimeMs);
    recovery.kill('SIGSTOP');
    expect(disk('undo', 'image', ...keyed)).toMatchObject({ stderr: busy(recovery.pid!), status: 1 });
    recovery.kill('SIGKILL');
    await ended(recovery);
    done(disk('resume', 'image', ...keyed), 'image: encrypted');
    done(disk('decrypt', 'image', ...keyed, ...SLOW, '--in-place'), 'image: decrypted');
    expect(isWhole()).toBe(true);
  });

  test('into another file leaves nothing', async () => {
    const child = startDisk('encrypt', 'image', ...keyed, ...SLOW, '-o', 'out');
    const end = ended(child);
    await until(() => readdirSync(folder).some((name) => name.startsWith('out.lanewise-draft.')));
    child.kill('SIGTERM');
    expect(await end).toMatchObject({ signal: 'SIGTERM', stderr: '' });
    expect(readdirSync(folder).sort()).toEqual(['image', 'key']);
  });

  test('there is nothing to recover', () => {
    const message = /^lanewise disk: image: nothing to (resume|undo): there is no journal\n$/;
    const draft = `image.lanewise-draft.${identityOfEnded()}`;
    for (const action of ['resume', 'undo']) {
      const result = disk(action, 'image', ...keyed);
      expect(result.stderr).toMatch(message);
      expect(result.status).toBe(1);
    }
    file(draft, 'half a journal');
    done(disk('undo', 'image', ...keyed), 'image: as it was');
    file(draft, '');
    expect(disk('resume', 'image', ...keyed).stderr).toMatch(/nothing to resume: nothing was changed yet\n$/);
    expect(readdirSync(folder).sort()).toEqual(['image', 'key']);
  });
});
