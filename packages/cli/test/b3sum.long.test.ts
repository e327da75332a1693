/** `lanewise hash` beside b3sum: the same output for the same arguments, and each reads the other's checkfiles. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { b3sum, b3sumProgram, bytes, features, file, folder, hash, KEY, main, shell, type Result } from './programs.ts';

const LONG = 4 * 2 ** 20 + 12_345;
const SIZES = { empty: 0, one: 1, chunk: 1024, 'chunk and one': 1025, piece: 2 ** 20, 'piece and one': 2 ** 20 + 1 };
const plain = [...Object.keys(SIZES), 'long'];
const withCarriageReturns = ['carriage\rreturn', 'all\\of\r\nthem', '\r'];
const hostile = [
  'two  spaces',
  ' leading and trailing ',
  'new\nline',
  '\n',
  'back\\slash',
  '\\',
  '\\n',
  'tab\tescape\x1b[31mbell\x07',
  '"quoted" \'too\' $(no) `no` *',
  'BLAKE3 (x) = y',
  ') = ',
  'émigré 日本語 🦀👩‍👩‍👧',
  '\ufeffbyte order mark',
  '\u202eright to left',
  `long${'x'.repeat(251)}`,
  `deep/${'d'.repeat(200)}/${'e'.repeat(200)}/file`,
  ...(features?.carriageReturns ? withCarriageReturns : []),
];

beforeAll(() => {
  for (const [name, length] of Object.entries(SIZES)) file(name, bytes(length));
  file('long', bytes(LONG));
  for (const name of [...hostile, ...withCarriageReturns, '-dash']) file(name, name);
  file(Buffer.from('no\xfftext\xc3', 'latin1'), 'bytes');
});

const same = (ours: Result, theirs: Result): void => {
  expect(ours.stdout.toString()).toBe(theirs.stdout.toString());
  expect(ours.stdout.equals(theirs.stdout)).toBe(true);
  expect(ours.status).toBe(theirs.status);
  const stderr = ours.stderr.replaceAll(/^lanewise hash: /gm, 'b3sum: ');
  // Old versions give no warning, and say other things of malformed lines.
  if (features?.warnings || !stderr.includes('WARNING')) expect(stderr).toBe(theirs.stderr);
};

/** The same arguments and standard input to both. */
const compare = (values: readonly string[], input: string | Uint8Array = ''): void =>
  same(hash(values, input), b3sum(values, input));

const modes: readonly (readonly [string, readonly string[], Uint8Array | string])[] = [
  ['hash', [], 'what nobody reads'],
  ['keyed', ['--keyed'], KEY],
  ['derive', ['--derive-key', 'BLAKE3 2019-12-27 16:29:52 test vectors context'], ''],
  ['derive, empty context', ['--derive-key='], ''],
];
const forms = [[], ['--no-names'], ...(features?.tag ? [['--tag'], ['--tag', '--no-names']] : [])];
const lengths = [[], ['-l', '1'], ['-l131'], ['-l=64'], ['--length=65'], ['--length', '+070000'], ['-l', '0']];
const seeks = ['0', '1', '63', '64', '65', '1000', '4294967296', '9007199254740993', '18446744073709551000'];

describe.skipIf(!features)('the same output', () => {
  test.each(modes)('%s', (_, mode, input) => {
    for (const form of forms) compare([...mode, ...form, '-l', '70', 'one', 'chunk and one', 'empty'], input);
    for (const length of lengths) compare([...mode, ...length, 'one', 'chunk and one', 'empty'], input);
    compare([...mode, ...plain], input);
    for (const name of ['empty', 'long']) {
      compare([...mode, '--raw', name], input);
      compare([...mode, '--raw', '--no-names', '-l', '200000', name], input);
    }
  });

  test.skipIf(!features?.seek)('seek', () => {
    for (const seek of seeks) {
      compare(['--seek', seek, 'one', 'long']);
      compare([`--seek=${seek}`, '--length', '300', '--keyed', 'one'], KEY);
      compare(['--seek', seek, '--length', '100', '--raw', 'chunk']);
    }
  });

  test('standard input', () => {
    for (const length of [0, 1, 1024, 65_536, 65_537, LONG]) {
      compare([], bytes(length));
      compare(['-'], bytes(length));
      compare(['--no-names', '-l', '40'], bytes(length));
      compare(['--raw'], bytes(length));
      compare(['one', '-', 'long', '-'], bytes(length));
    }
    compare(['--derive-key', 'context'], 'key material');
  });

  test('options that change nothing, and options anywhere', () => {
    compare(['--no-mmap', 'long']);
    compare(['--num-threads', '1', 'long']);
    compare(['long', '--num-threads=2', 'one', '--no-names']);
    compare(['--', '-dash']);
    compare(['--no-names', '--', 'one', '-dash']);
    compare(['./-dash']);
  });

  test.each(hostile)('a hostile name: %j', (name) => {
    compare(['--', name]);
    if (features?.tag) compare(['--tag', '--', name]);
  });

  test('missing files and folders: one line, and on it goes', () => {
    compare(['one', 'missing', 'chunk']);
    compare(['.', 'one', 'one/below']);
    compare(['--raw', 'missing']);
    compare(['--no-names', 'missing', 'missing too', 'one', 'x'.repeat(300)]);
    compare(['--keyed', 'one', '-', 'chunk'], KEY);
  });

  test('what is refused', () => {
    for (const values of [
      ['--keyed'],
      ['--keyed', '--derive-key', 'x', 'one'],
      ['--check', '--keyed', 'one'],
      ['--check', '--derive-key', 'x', 'one'],
      ['--check', '--length', '32', 'one'],
      ['--check', '--raw', 'one'],
      ['--check', '--no-names', 'one'],
      ['--quiet', 'one'],
      ['--length'],
      ['--unknown', 'one'],
      ['-x', 'one'],
    ]) {
      const [ours, theirs] = [hash(values, KEY), b3sum(values, KEY)];
      expect([values, ours.status]).toEqual([values, 2]);
      expect([values, theirs.status === 0]).toEqual([values, false]);
      expect(ours.stdout.length + theirs.stdout.length).toBe(0);
    }
  });

  test('names that are no UTF-8', { skip: process.platform !== 'linux' }, () => {
    // Only a shell can pass such a name: the arguments that Node passes are text.
    const script = '"$@" no*text*';
    const [ours, theirs] = [shell(script, process.execPath, main, 'hash'), shell(script, b3sumProgram)];
    same(ours, theirs);
    expect(ours.stdout.toString()).toMatch(/^[0-9a-f]{64} {2}no\ufffdtext\ufffd\n$/);
    expect(hash(['-c'], ours.stdout).stderr).toContain('Unicode replacement character in path');
  });
});

describe.skipIf(!features)('checkfiles', () => {
  const names = [...plain, ...hostile];

  /** b3sum takes a tag that holds two spaces for a line without a tag. */
  const readable = names.filter((name) => !name.includes('  '));
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['plain', [], names],
    ...(features?.tag ? [['tagged', ['--tag'], readable] as const] : []),
  ];

  test.each(cases)('%s: each reads the other', (_, form, which) => {
    const [ours, theirs] = [hash([...form, '--', ...which]), b3sum([...form, '--', ...which])];
    same(ours, theirs);
    expect(ours.stderr).toBe('');
    for (const sums of [ours.stdout, theirs.stdout]) {
      compare(['--check'], sums);
      file('sums', sums);
      compare(['-c', 'sums', 'sums']);
      compare(['-c', '--quiet', 'sums']);
      expect(hash(['-c', 'sums']).status).toBe(0);
    }
  });

  test('mismatches and missing files', () => {
    file('changed', 'before');
    file('gone\\', 'before');
    const sums = hash(['one', 'changed', 'gone\\', 'chunk']).stdout;
    file('sums', sums);
    file('changed', 'after');
    compare(['-c', 'sums']);
    rmSync(join(folder, 'gone\\'));
    compare(['-c', 'sums']);
    compare(['-c', '--quiet', 'sums', 'sums']);
    compare(['-c', '--quiet'], sums);
    const { stdout, stderr, status } = hash(['-c', 'sums']);
    expect(stdout.toString()).toBe(
      'one: OK\nchanged: FAILED\n\\gone\\\\: FAILED (No such file or directory (os error 2))\nchunk: OK\n',
    );
    expect(stderr).toBe('lanewise hash: WARNING: 2 computed checksums did NOT match\n');
    expect(status).toBe(1);
  });

  test('a folder, and a checkfile in a pipe', () => {
    compare(['-c'], `${'0'.repeat(64)}  .\n`);
    compare(['-c', '-'], `${'0'.repeat(64)}  one\n`);
  });

  test.skipIf(!features?.seek)('seek goes for checking too', () => {
    const { stdout } = b3sum(['--seek', '7', 'one']);
    compare(['-c', '--seek', '7'], stdout);
    expect(hash(['-c', '--seek', '7'], stdout).status).toBe(0);
    expect(hash(['-c'], stdout).status).toBe(1);
  });

  test('malformed lines: the same verdicts in the same words', () => {
    const good = hash(['one']).stdout.toString();
    const zeros = '0'.repeat(64);
    const lines = [
      `${zeros} one`,
      `${zeros.slice(2)}  one`,
      `${zeros}00  one`,
      `${zeros.slice(1)}g  one`,
      `${zeros.slice(1)}A  one`,
      `${zeros}  `,
      `\\${zeros}  `,
      `${zeros}  nul\0l`,
      `${zeros}  what\ufffd`,
      `\\${zeros}  a\\b`,
      `\\${zeros}  ends in a backslash\\`,
      `\\\\${zeros}  one`,
      `# comment`,
      `${zeros} *one`,
      `\ufeff${good.trimEnd()}`,
    ];
    for (const line of lines) {
      const [ours, theirs] = [line, line].map((line, i) => (i ? b3sum : hash)(['-c'], `${good}${line}\n${good}`));
      // Ours say where.
      const stderr = ours.stderr.replace(/^(lanewise hash: )-:2: /, '$1');
      same({ ...ours, stderr }, theirs);
      expect(ours.status).toBe(1);
    }
    // Without the end of the last line.
    compare(['-c'], good.trimEnd());
    if (features?.carriageReturns) compare(['-c'], good.replace('\n', '\r\n'));
  });
});
