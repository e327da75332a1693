/** Outputs over existing files: read-only ones, other owners, several names, streams; and drafts, which no other user may read. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { system, type Storage } from '../src/disk/storage.ts';
import { withInput } from '../src/hash/input.ts';
import { Draft, draftOf } from '../src/output/draft.ts';
import { placeOf } from '../src/output/place.ts';
import { IDENTITY, RECIPIENT } from './age-programs.ts';
import { bytes, folder, identityOfEnded, lanewise, main, shell, until, type Result } from './programs.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const onUnix = process.platform !== 'win32';
if (!onUnix) console.log('SKIPPED: owners, modes and streams of outputs: Windows has others');
else if (!isRoot) console.log('SKIPPED: outputs over files of other users, which only root can make');

/** Where the system follows links of other users, an output does so, too. */
const LINKS = '/proc/sys/fs/protected_symlinks';
const refusesLinks = existsSync(LINKS) && readFileSync(LINKS, 'utf8').trim() === '1';
if (!refusesLinks) console.log('SKIPPED: links of other users in folders for everybody: this system follows them');

const at = (name: string): string => join(folder, name);
const LARGE = 8_000_000;

/** As a user who may not do everything. */
const asUser = (values: readonly string[], cwd = folder): Result => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...values], {
    cwd,
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    env: { ...process.env, NO_COLOR: '1', HOME: '/' },
  });
  return { stdout, stderr: stderr.toString(), status };
};
/** The folder is one in which anybody makes files. */
const openFolder = (name: string, mode = 0o777): string => {
  mkdirSync(at(name), { recursive: true });
  chmodSync(at(name), mode);
  return at(name);
};
const permissions = (name: string): string => (statSync(at(name)).mode & 0o7777).toString(8);

describe.skipIf(!onUnix)('an output', () => {
  beforeAll(() => {
    chmodSync(folder, 0o755);
    writeFileSync(at('key'), `${IDENTITY}\n`);
    writeFileSync(at('input'), 'test\n');
    writeFileSync(at('large'), bytes(LARGE));
    writeFileSync(at('disk.key'), bytes(32));
    writeFileSync(at('image'), bytes(65_536));
    for (const name of ['input', 'large'])
      expect(lanewise(['encrypt', '-r', RECIPIENT, '-o', `${name}.age`, name]).status).toBe(0);
  });
  beforeEach(() => void openFolder('open'));
  afterEach(() => rmSync(at('open'), { recursive: true }));

  /** Each command that makes an output of a file that is there. */
  const commands: readonly (readonly [string, readonly string[]])[] = [
    ['encrypt', ['encrypt', '-r', RECIPIENT, '../input']],
    ['decrypt', ['decrypt', '-i', '../key', '../input.age']],
    ['keygen -y', ['keygen', '-y', '../key']],
    ['disk', ['disk', 'encrypt', '../image', '--key-file', '../disk.key', '--force']],
  ];

  describe.each(commands)('of %s', (_, command) => {
    const to = (name: string): readonly string[] => [...command, '-o', name];

    it('does not replace a read-only file', () => {
      writeFileSync(at('open/ro'), 'kept');
      if (isRoot) chownSync(at('open/ro'), NOBODY, NOBODY);
      chmodSync(at('open/ro'), 0o444);
      const { stderr, status } = asUser(to('ro'), at('open'));
      expect(stderr).toMatch(/^lanewise \w+: ro: Permission denied \(os error 13\)\n$/);
      expect(status).toBe(1);
      expect(readFileSync(at('open/ro'), 'utf8')).toBe('kept');
      expect(readdirSync(at('open'))).toEqual(['ro']);
    });

    it('does not replace one of several names', () => {
      writeFileSync(at('open/one'), 'kept');
      linkSync(at('open/one'), at('open/two'));
      const { stderr, status } = asUser(to('one'), at('open'));
      expect(stderr).toMatch(/one: (has 2 names \(hard links\)|Permission denied)/);
      const own = lanewise([...command.map((word) => word.replace('../', '')), '-o', 'open/one']);
      expect(own.stderr).toMatch(
        /^lanewise \w+: open\/one: has 2 names \(hard links\), of which an output would replace one; remove this one first, or (redirect standard output into it: > open\/one|choose another output)\n$/,
      );
      expect([status, own.status]).toEqual([1, 1]);
      expect(readFileSync(at('open/two'), 'utf8')).toBe('kept');
      expect(readdirSync(at('open')).sort()).toEqual(['one', 'two']);
    });

    it('has the mode of what it replaces, whatever the mask', () => {
      for (const mode of [0o666, 0o640]) {
        writeFileSync(at('open/old'), 'old');
        chmodSync(at('open/old'), mode);
        const { stderr, status } = shell(`umask 077; cd open && "$@"`, process.execPath, main, ...to('old'));
        expect(stderr).not.toContain('old: ');
        expect(status).toBe(0);
        expect(permissions('open/old')).toBe(mode.toString(8));
        expect(readFileSync(at('open/old'), 'utf8')).not.toBe('old');
      }
    });

    it.runIf(isRoot)('has owner and group of what it replaces; who cannot give them is refused', () => {
      writeFileSync(at('open/old'), 'old');
      chmodSync(at('open/old'), 0o640);
      chownSync(at('open/old'), NOBODY, 12);
      expect(lanewise([...command.map((word) => word.replace('../', '')), '-o', 'open/old']).status).toBe(0);
      expect(statSync(at('open/old'))).toMatchObject({ uid: NOBODY, gid: 12 });
      expect(permissions('open/old')).toBe('640');

      writeFileSync(at('open/roots'), 'kept');
      chmodSync(at('open/roots'), 0o666);
      const { stderr, status } = asUser(to('roots'), at('open'));
      expect(stderr).toMatch(
        /^lanewise \w+: roots: belongs to another user or group, and an output in its place would be yours; remove it first, or /,
      );
      expect(status).toBe(1);
      expect(readFileSync(at('open/roots'), 'utf8')).toBe('kept');
      expect(readdirSync(at('open')).sort()).toEqual(['old', 'roots']);
    });

    it('needs a folder in which it can be made, and says so', () => {
      openFolder('open/closed');
      writeFileSync(at('open/closed/old'), 'kept');
      if (isRoot) chownSync(at('open/closed/old'), NOBODY, NOBODY);
      chmodSync(at('open/closed/old'), 0o666);
      chmodSync(at('open/closed'), 0o555);
      const { stderr, status } = asUser(to('closed/old'), at('open'));
      expect(stderr).toMatch(
        /^lanewise \w+: closed\/old: an output is made in its folder first, which cannot be written to; /,
      );
      expect(status).toBe(1);
      expect(readFileSync(at('open/closed/old'), 'utf8')).toBe('kept');
      chmodSync(at('open/closed'), 0o755);
    });
  });

  it('that is new has the mode of the mask', () => {
    for (const [mask, mode] of [
      ['022', '644'],
      ['077', '600'],
      ['002', '664'],
    ]) {
      const script = `umask ${mask}; rm -f open/new; "$@" -o open/new input.age`;
      expect(shell(script, process.execPath, main, 'decrypt', '-i', 'key').stderr).toBe('');
      expect(permissions('open/new')).toBe(mode);
    }
  });

  it('that is a link to nothing is made where the link leads', () => {
    symlinkSync('there', at('open/link'));
    expect(lanewise(['decrypt', '-i', 'key', '-o', 'open/link', 'input.age']).stderr).toBe('');
    expect(lstatSync(at('open/link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('open/there'), 'utf8')).toBe('test\n');
    symlinkSync('circle', at('open/circle'));
    expect(lanewise(['decrypt', '-i', 'key', '-o', 'open/circle', 'input.age']).stderr).toMatch(
      /open\/circle: Too many levels of symbolic links/,
    );
  });

  it.runIf(isRoot && refusesLinks)(
    'does not go where the link of another user leads, in a folder for everybody',
    () => {
      openFolder('open/shared', 0o1777);
      writeFileSync(at('open/there'), 'kept');
      symlinkSync('../there', at('open/shared/link'));
      lchownSync(at('open/shared/link'), NOBODY, NOBODY);
      expect(lanewise(['decrypt', '-i', 'key', '-o', 'open/shared/link', 'input.age'])).toMatchObject({
        status: 1,
        stderr: 'lanewise decrypt: open/shared/link: Permission denied (os error 13)\n',
      });
      expect(readFileSync(at('open/there'), 'utf8')).toBe('kept');
    },
  );

  it('may have the longest name that a file can have', () => {
    const name = `open/${'ü'.repeat(127)}`;
    expect(lanewise(['decrypt', '-i', 'key', '-o', name, 'input.age']).stderr).toBe('');
    expect(readFileSync(at(name), 'utf8')).toBe('test\n');
  });

  describe('that is a stream', () => {
    const around = (name: string, redirection: string): Result =>
      shell(
        `{ echo header; "$@" -i key -o ${name} input.age; echo footer; } ${redirection}`,
        process.execPath,
        main,
        'decrypt',
      );

    it.each([
      ['/dev/stdout', '> open/f'],
      ['/dev/fd/1', '> open/f'],
      ...(process.platform === 'linux' ? [['/proc/self/fd/1', '> open/f']] : []),
      ['/dev/stdout', '>> open/f'],
      ['/dev/fd/3', '3> open/f >&3'],
      ['open/link', '> open/f'],
    ])('%s %s: what is written before and after stays', (name, redirection) => {
      symlinkSync('/dev/stdout', at('open/link'));
      expect(around(name, redirection).stderr).toBe('');
      expect(readFileSync(at('open/f'), 'utf8')).toBe('header\ntest\nfooter\n');
      expect(readdirSync(at('open')).sort()).toEqual(['f', 'link']);
    });

    it('is a pipe, by any name', () => {
      expect(around('/dev/stdout', '| cat').stdout.toString()).toBe('header\ntest\nfooter\n');
      const piped = shell(
        'mkfifo open/pipe; cat open/pipe & "$@" -o open/pipe input.age; wait',
        process.execPath,
        main,
        'decrypt',
        '-i',
        'key',
      );
      expect(piped.stderr).toBe('');
      expect(piped.stdout.toString()).toBe('test\n');
      expect(statSync(at('open/pipe')).isFIFO()).toBe(true);
    });

    it('is an error if it is not open, or only read', () => {
      expect(lanewise(['decrypt', '-i', 'key', '-o', '/dev/fd/99', 'input.age'])).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^lanewise decrypt: \/dev\/fd\/99: Bad file descriptor/) as string,
      });
      expect(
        shell('"$@" -o /dev/fd/3 input.age 3< image', process.execPath, main, 'decrypt', '-i', 'key'),
      ).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^lanewise decrypt: \/dev\/fd\/3: Bad file descriptor/) as string,
      });
    });

    it.runIf(process.platform === 'linux')(
      'is none of the pipes that Node has for itself, nor is an input',
      async () => {
        const pipes = readdirSync('/proc/self/fd').flatMap((name) => {
          try {
            return [{ name, target: readlinkSync(`/proc/self/fd/${name}`) }];
          } catch {
            return [];
          }
        });
        const own = pipes.filter(
          ({ name, target }) =>
            target.startsWith('pipe:') && pipes.some((other) => other.name !== name && other.target === target),
        );
        expect(own.length).toBeGreaterThan(1);
        for (const { name } of own) {
          expect(() => placeOf(`/dev/fd/${name}`)).toThrow(`/dev/fd/${name}: Bad file descriptor (os error 9)`);
          await expect(withInput(`/dev/fd/${name}`, () => 'open')).rejects.toThrow('EBADF');
        }
        // Of Node 26, whose signals these are.
        const given = shell('AGE_PASSPHRASE_FD=5 "$@" -o open/x input.age', process.execPath, main, 'encrypt', '-p');
        expect(given).toMatchObject({
          status: 1,
          stderr: 'lanewise encrypt: AGE_PASSPHRASE_FD: Bad file descriptor (os error 9)\n',
        });
      },
    );

    it('is a pipe that was passed, by its number', () => {
      const { stdout, stderr } = shell(
        '{ "$@" -i key -o /dev/fd/3 input.age 3>&1 >&2 | cat; } 4>&1',
        process.execPath,
        main,
        'decrypt',
      );
      expect(stderr).toBe('');
      expect(stdout.toString()).toBe('test\n');
    });

    it('is none for `disk`, and none that keygen replaces', () => {
      const disk = shell(
        '"$@" --force -o /dev/stdout > open/f',
        process.execPath,
        main,
        'disk',
        'encrypt',
        'image',
        '--key-file',
        'disk.key',
      );
      expect(disk.stderr).toBe('lanewise disk: /dev/stdout: not a regular file\n');
      expect(disk.status).toBe(2);
    });

    it.runIf(process.platform === 'linux')('that nobody reads can be interrupted', async () => {
      spawnSync('mkfifo', [at('open/pipe')]);
      const child = spawn(process.execPath, [main, 'decrypt', '-i', 'key', '-o', 'open/pipe', 'large.age'], {
        cwd: folder,
        stdio: 'ignore',
      });
      const over = once(child, 'close');
      const reader = spawn('sh', ['-c', 'exec 3< open/pipe; echo; sleep 60'], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      await once(reader.stdout, 'data');
      await sleep(100);
      child.kill('SIGINT');
      expect(await over).toEqual([null, 'SIGINT']);
      reader.kill();
    });
  });

  describe('that is being written', () => {
    const drafts = (): string[] => readdirSync(at('open')).filter((name) => name.includes('lanewise-draft'));
    /** `decrypt` of an input that does not end. */
    const begin = () => {
      const child = spawn(
        'sh',
        ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, main, 'decrypt', '-i', 'key', '-o', 'open/out', '-'],
        { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] },
      );
      child.stdin.on('error', () => undefined);
      child.stdin.write(readFileSync(at('large.age')).subarray(0, LARGE - 100_000));
      return { child, over: once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]> };
    };
    /** Whether plaintext is on the disk. A file that showed the mode of new files may be gone since it was listed. */
    const written = (): boolean =>
      drafts().some((name) => (statSync(at(`open/${name}`), { throwIfNoEntry: false })?.size ?? 0) > 1_000_000);

    it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
      'is for its owner only, and gone after %s',
      async (signal) => {
        const { child, over } = begin();
        await until(written);
        expect(drafts()).toHaveLength(1);
        expect(permissions(`open/${drafts()[0]}`)).toBe('600');
        child.kill(signal);
        expect(await over).toEqual([null, signal]);
        expect(readdirSync(at('open'))).toEqual([]);
      },
    );

    it.each(['new', 'old'])('is for its owner only from its start: nobody has it open before (%s)', async (name) => {
      if (name === 'old') writeFileSync(at('open/old'), 'old');
      const target = at(`open/${name}`);
      const path = draftOf(target, 'identity');
      const made: string[] = [];
      const storage: Storage = {
        ...system,
        async create(its, mode) {
          const file = await system.create(its, mode);
          made.push((statSync(path).mode & 0o777).toString(8));
          return file;
        },
      };
      const draft = await Draft.create(storage, path, target, await system.look(target), { mode: 0o666, instead: '' });
      expect(made.at(-1)).toBe('600');
      await draft.complete();
      await draft.file.close();
      writeFileSync(at('open/usual'), '');
      expect(permissions(`open/${basename(path.toString())}`)).toBe(permissions('open/usual'));
    });

    it('is removed by the next run if it was killed, and not as long as its run lives', async () => {
      const [killed, other] = [begin(), begin()];
      await until(() => drafts().length === 2 && written());
      killed.child.kill('SIGKILL');
      await killed.over;
      writeFileSync(at(`open/else.lanewise-draft.${identityOfEnded()}`), 'plaintext');
      expect(drafts()).toHaveLength(3);
      expect(lanewise(['encrypt', '-r', RECIPIENT, '-o', 'open/next', 'input']).stderr).toBe('');
      expect(drafts()).toHaveLength(1);
      other.child.kill('SIGTERM');
      await other.over;
      expect(readdirSync(at('open'))).toEqual(['next']);
    });

    it('is not held up by a folder with the name of a draft', () => {
      const name = `else.lanewise-draft.${identityOfEnded()}`;
      mkdirSync(at(`open/${name}`));
      expect(lanewise(['encrypt', '-r', RECIPIENT, '-o', 'open/next', 'input']).stderr).toBe('');
      expect(readdirSync(at('open'))).toEqual([name, 'next']);
    });
  });
});
