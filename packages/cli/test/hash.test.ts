/** `lanewise hash` by itself: known answers, options that b3sum does not have, and errors. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, existsSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bytes, file, folder, hash, hashOnTerminal, KEY, lanewise, main, shell, type Result } from './programs.ts';

const EMPTY = 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262';
const ABC = '6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85';

beforeAll(() => {
  file('empty', '');
  file('abc', 'abc');
  file('key', KEY);
});

const text = ({ stdout }: Result): string => stdout.toString();

/** One line on standard error, nothing on standard output. */
function refused(result: Result, status: number, message: RegExp): void {
  expect(result.stderr).toMatch(message);
  expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(text(result)).toBe('');
  expect(result.status).toBe(status);
}

describe('the command', () => {
  test('help and version', () => {
    expect(text(lanewise(['--help']))).toMatch(/^lanewise COMMAND(.|\n)*^ {2}hash /m);
    expect(text(lanewise(['-h']))).toBe(text(lanewise(['--help'])));
    expect(text(lanewise(['hash', 'abc', '--help']))).toMatch(/^lanewise hash .*\n(.|\n)*--num-threads.*cores/);
    const manifest = readFileSync(join(dirname(main), '..', 'package.json'), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    for (const option of ['--version', '-V']) expect(text(lanewise([option]))).toBe(`lanewise ${version}\n`);
  });

  test('what it does not know', () => {
    refused(lanewise([]), 2, /^lanewise: no command given; lanewise --help/);
    refused(lanewise(['encode']), 2, /^lanewise: unknown command 'encode'; lanewise --help/);
    refused(lanewise(['--fast']), 2, /^lanewise: unknown option '--fast'; /);
    refused(lanewise(['\x1b[31m\n']), 2, /^lanewise: unknown command '\\u\{1b\}\[31m\\n'; /);
  });
});

test('known answers', () => {
  expect(text(hash(['empty', 'abc']))).toBe(`${EMPTY}  empty\n${ABC}  abc\n`);
  expect(text(hash(['--tag', 'abc']))).toBe(`BLAKE3 (abc) = ${ABC}\n`);
  expect(text(hash([], 'abc'))).toBe(`${ABC}  -\n`);
  expect(hash(['--raw'], 'abc').stdout.toString('hex')).toBe(ABC);
  expect(text(hash(['--seek', '3', '-l', '5', '--no-names', 'abc']))).toBe(`${ABC.slice(6, 16)}\n`);
  file('carriage\rreturn', 'abc');
  expect(text(hash(['carriage\rreturn']))).toBe(`\\${ABC}  carriage\\rreturn\n`);
});

describe('keys', () => {
  test('a key file gives what standard input gives', () => {
    const keyed = text(hash(['--keyed', 'abc'], KEY));
    expect(keyed).toMatch(/^[0-9a-f]{64} {2}abc\n$/);
    expect(keyed).not.toContain(ABC);
    expect(text(hash(['--key-file', 'key', 'abc']))).toBe(keyed);
    // Standard input is free then.
    expect(text(hash(['--key-file=key'], 'abc'))).toBe(keyed.replace('abc', '-'));
    expect(text(hash(['--key-file=key', '-'], 'abc'))).toBe(keyed.replace('abc', '-'));
  });

  test('of the wrong length', () => {
    for (const length of [0, 1, 31]) {
      refused(
        hash(['--keyed', 'abc'], bytes(length)),
        1,
        new RegExp(`expected 32 key bytes from stdin, found ${length}`),
      );
    }
    for (const length of [33, 64, 4096]) {
      file('wrong', bytes(length));
      refused(hash(['--keyed', 'abc'], bytes(length)), 1, /read more than 32 key bytes from stdin/);
      refused(hash(['--key-file', 'wrong', 'abc']), 1, /read more than 32 key bytes from wrong/);
    }
    file('wrong', bytes(2 ** 21));
    refused(hash(['--key-file', 'wrong', 'abc']), 1, /read more than 32 key bytes from wrong/);
    refused(hash(['--key-file', 'missing', 'abc']), 1, /^lanewise hash: missing: No such file or directory/);
    refused(hash(['--key-file', '.', 'abc']), 1, /^lanewise hash: \.: Is a directory/);
  });
});

test('arguments that are refused', () => {
  const wrong: readonly (readonly [RegExp, ...string[]])[] = [
    [/--raw takes one FILE/, '--raw', 'abc', 'abc'],
    [/--status needs --check/, '--status', 'abc'],
    [/--check cannot be used with --key-file/, '-c', '--key-file', 'key', 'abc'],
    [/--check cannot be used with --tag/, '-c', '--tag', 'abc'],
    [/--keyed cannot be used with --key-file/, '--keyed', '--key-file', 'key', 'abc'],
    [/--key-file cannot be used with --derive-key/, '--derive-key', 'x', '--key-file', 'key', 'abc'],
    [/--keyed reads the key from standard input/, '--key-file', '-', 'abc'],
    [/--length is given more than once/, '--length', '1', '-l', '2', 'abc'],
    [/--raw is given more than once/, '--raw', '--raw', 'abc'],
    [/--length takes an integer from 0 up, not '1e3'/, '--length', '1e3', 'abc'],
    [/--length takes an integer/, '--length=', 'abc'],
    [/--seek takes an integer/, '--seek=-1', 'abc'],
    [/--seek takes an integer below 2\^64/, '--seek', '18446744073709551616', 'abc'],
    [/go past 2\^64/, '--seek', '18446744073709551600', 'abc'],
    [/--num-threads takes an integer/, '--num-threads', 'many', 'abc'],
    [/'--length' needs a value/, '--length', '-1', 'abc'],
    [/--raw.* does not take an argument/, '--raw=yes', 'abc'],
  ];
  for (const [message, ...values] of wrong) refused(hash(values), 2, message);
});

test('a context that is no UTF-8 is refused, not changed', { skip: process.platform !== 'linux' }, () => {
  const result = shell(`"$@" hash --derive-key "$(printf 'a\\377')" abc`, process.execPath, main);
  refused(result, 2, /not valid UTF-8/);
});

describe('checking', () => {
  test('status says nothing', () => {
    const silent = { stderr: '', status: 1 };
    expect(hash(['-c', '--status'], `${ABC}  abc\n`)).toMatchObject({ ...silent, status: 0 });
    for (const line of [`${EMPTY}  abc`, `${ABC}  missing`, 'nonsense']) {
      const result = hash(['-c', '--status'], line);
      expect(result).toMatchObject(silent);
      expect(text(result)).toBe('');
    }
  });

  test('a checkfile that cannot be read does not stop the next', () => {
    file('sums', `${ABC}  abc\n`);
    const result = hash(['-c', 'missing', '.', 'sums']);
    expect(text(result)).toBe('abc: OK\n');
    expect(result.stderr).toMatch(/^lanewise hash: missing: No such.*\nlanewise hash: \.: Is a directory.*\n$/);
    expect(result.status).toBe(1);
  });

  test('malformed lines are told with their place', () => {
    file('sums', Buffer.from(`${ABC}  abc\nx\n\n\xff\n${ABC}  abc`, 'latin1'));
    const result = hash(['-c', 'sums']);
    expect(text(result)).toBe('abc: OK\nabc: OK\n');
    expect(result.stderr.split('\n')).toEqual([
      'lanewise hash: sums:2: Invalid check line format',
      'lanewise hash: sums:3: Empty line',
      'lanewise hash: sums:4: stream did not contain valid UTF-8',
      'lanewise hash: WARNING: 3 computed checksums did NOT match',
      '',
    ]);
    expect(result.status).toBe(1);
  });

  test('a tag may hold what separates hashes from names', () => {
    for (const name of ['two  spaces', 'a) = b', 'BLAKE3 (x) = ', ' = ', `${ABC}  x`]) {
      file(name, 'abc');
      const sums = hash(['--tag', name]).stdout;
      expect(text(hash(['-c'], sums))).toBe(`${name}: OK\n`);
    }
  });

  test('lines of any length, at any place', () => {
    const lines = [`${ABC}  ${'x'.repeat(70_000)}`, `${ABC}  ./${'./'.repeat(1900)}abc`, `${ABC}  abc`];
    const sums = Array.from({ length: 60 }, (_, i) => lines[i % 3]).join('\n');
    const result = hash(['-c'], sums);
    expect(text(result).match(/abc: OK$/gm)).toHaveLength(40);
    expect(result.stderr).toBe('lanewise hash: WARNING: 20 computed checksums did NOT match\n');
    // A file that isn't a checkfile, and has no lines at all.
    refusedLine(hash(['-c'], bytes(2 ** 22).fill(65)));
  });

  const refusedLine = (result: Result): void => {
    expect(text(result)).toBe('');
    expect(result.stderr).toContain('-:1: Invalid check line format');
    expect(result.status).toBe(1);
  };

  test('standard input cannot be the checkfile and checked', () => {
    const result = hash(['-c'], `${ABC}  -\n${ABC}  abc\n`);
    expect(text(result)).toBe('-: FAILED (standard input is the checkfile)\nabc: OK\n');
    file('sums', `${ABC}  -\n`);
    expect(text(hash(['-c', 'sums'], 'abc'))).toBe('-: OK\n');
  });
});

describe('what may go wrong', () => {
  const root = process.getuid?.() === 0;
  if (root) console.log('SKIPPED: files without permission to read, which root can read');
  test.skipIf(root)('an unreadable file', () => {
    file('secret', 'abc');
    chmodSync(join(folder, 'secret'), 0);
    const result = hash(['secret', 'abc']);
    expect(text(result)).toBe(`${ABC}  abc\n`);
    expect(result.stderr).toMatch(/^lanewise hash: secret: Permission denied \(os error 13\)\n$/);
    expect(result.status).toBe(1);
  });

  test('a name in a complaint stays on its line', () => {
    refused(hash(['two\nlines\x1b[31m']), 1, /^lanewise hash: two\\nlines\\u\{1b\}\[31m: No such file/);
  });

  test('names are escaped on a terminal, and as they are elsewhere', () => {
    const name = 'red\x1b[31m\u009b31m\u202e\ttab';
    const shown = 'red\\u{1b}[31m\\u{9b}31m\\u{202e}\\ttab';
    file(name, 'abc');
    file('a\\b\nc', 'abc');
    const onTerminal = (...given: Parameters<typeof hashOnTerminal>): string => text(hashOnTerminal(...given));
    for (const [form, pattern] of [[[], `${ABC}  NAME\n`] as const, [['--tag'], `BLAKE3 (NAME) = ${ABC}\n`] as const]) {
      const sums = text(hash([...form, name]));
      expect(sums).toBe(pattern.replace('NAME', name));
      expect(onTerminal([...form, name])).toBe(pattern.replace('NAME', shown));
      expect(text(hash(['-c'], sums))).toBe(`${name}: OK\n`);
      expect(onTerminal(['-c'], sums)).toBe(`${shown}: OK\n`);
    }
    // Characters that checkfiles escape are shown escaped.
    expect(onTerminal(['a\\b\nc'])).toBe(`\\${ABC}  a\\\\b\\nc\n`);
    expect(onTerminal(['-c'], `${ABC}  missing\x1b[31m\n`)).toMatch(/^missing\\u\{1b\}\[31m: FAILED \(No such file/);
  });

  test('no progress, and no escape sequences, where there is no terminal', () => {
    file('sparse', '');
    truncateSync(join(folder, 'sparse'), 2 ** 29);
    const result = hash(['sparse']);
    expect(text(result)).toMatch(/^[0-9a-f]{64} {2}sparse\n$/);
    expect(result).toMatchObject({ stderr: '', status: 0 });
  });

  test.each([['--raw'], ['--no-names'], ['--tag']])('a reader that has seen enough: %s', async (form) => {
    const child = spawn(process.execPath, [main, 'hash', form, '-l', '1000000000000', 'abc'], { cwd: folder });
    let [stderr, size] = ['', 0];
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    for await (const data of child.stdout) if ((size += (data as Buffer).length) > 300_000) break;
    const [status] = (await once(child, 'close')) as [number];
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  });

  test.skipIf(!existsSync('/dev/full'))('a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [main, 'hash', 'abc'], { cwd: folder, stdio: ['ignore', full, 'pipe'] });
    let stderr = '';
    child.stderr!.on('data', (data: Buffer) => (stderr += data.toString()));
    const [status] = (await once(child, 'close')) as [number];
    closeSync(full);
    expect(stderr).toMatch(/^lanewise.*: standard output: No space left on device/);
    expect(status).toBe(1);
  });

  test.skipIf(process.platform === 'win32')('a signal ends it', async () => {
    const child = spawn(process.execPath, [main, 'hash', 'abc', '-'], { cwd: folder });
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    const [, signal] = (await once(child, 'close')) as [null, string];
    expect(signal).toBe('SIGINT');
  });
});
