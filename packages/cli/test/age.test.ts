/** `lanewise encrypt`, `decrypt`, `keygen` and `inspect`: the scenarios of age's own tests, and features that age lacks. */
import { statSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { get, IDENTITY, makeFolder, OTHER_IDENTITY, put, RECIPIENT, there, withPassphrase } from './age-programs.ts';
import { bytes, folder, lanewise, shell, main, type Result } from './programs.ts';

const failed = ({ status, stdout, stderr }: Result, message: RegExp | string, code = 1): void => {
  expect(stderr).toMatch(message);
  expect(stdout.length).toBe(0);
  expect(status).toBe(code);
};
const done = (result: Result): Result => {
  expect(result.stderr).toBe('');
  expect(result.status).toBe(0);
  return result;
};

beforeAll(() => {
  put('input', 'test\n');
  put('empty', '');
  put('large', bytes(3_000_000));
  put('key.txt', `# created: 2021-02-02T13:09:43+01:00\n# public key: ${RECIPIENT}\n${IDENTITY}\n`);
  put('wrong.txt', `${OTHER_IDENTITY}\n`);
  put('recipients.txt', `# me\n\n${RECIPIENT}\r\n`);
  done(lanewise(['encrypt', '-r', RECIPIENT, '-o', 'test.age', 'input']));
});

describe('recipients', () => {
  it.each([
    ['-r', RECIPIENT],
    ['-R', 'recipients.txt'],
    ['-i', 'key.txt'],
    [`--recipient=${RECIPIENT}`, '--armor'],
  ])('%s %s', (...values) => {
    const { stdout } = done(lanewise(['encrypt', ...values, 'input']));
    expect(done(lanewise(['decrypt', '-i', 'key.txt'], stdout)).stdout.toString()).toBe('test\n');
  });

  it.each(['empty', 'large'])('%s, through files', (name) => {
    done(lanewise(['encrypt', '-r', RECIPIENT, '-o', `${name}.age`, name]));
    done(lanewise(['decrypt', '-i', 'key.txt', '-o', `${name}.new`, `${name}.age`]));
    expect(get(`${name}.new`)).toEqual(get(name));
  });

  it('large, through pipes', () => {
    const { stdout, status } = shell(
      `"$@" encrypt -a -r ${RECIPIENT} < large | "$@" decrypt -i key.txt | cmp - large && echo same`,
      process.execPath,
      main,
    );
    expect(stdout.toString()).toBe('same\n');
    expect(status).toBe(0);
  });

  it('from standard input', () => {
    const { stdout } = done(lanewise(['encrypt', '-R', '-', 'input'], `${RECIPIENT}\n`));
    expect(done(lanewise(['decrypt', '-i', 'key.txt'], stdout)).stdout.toString()).toBe('test\n');
  });

  it('of post-quantum identities', () => {
    done(
      lanewise(['keygen', '--pq', '-o', 'pq.txt']).stderr.startsWith('lanewise keygen: public key: age1pq1')
        ? lanewise(['keygen', '-y', 'pq.txt', '-o', 'pq.pub'])
        : lanewise(['none']),
    );
    const { stdout } = done(lanewise(['encrypt', '-R', 'pq.pub', 'input']));
    expect(done(lanewise(['decrypt', '-i', 'pq.txt'], stdout)).stdout.toString()).toBe('test\n');
    failed(lanewise(['encrypt', '-R', 'pq.pub', '-r', RECIPIENT, 'input']), 'expected all with the same labels');
  });

  it.each([
    ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAA', 'an SSH key, which only the program `age` takes'],
    ['age1yubikey1qwt50d05nh5vutpdzmlg5wn80xq5negm4uj9ghv0snvdd3yysf5yw3rhl3t', 'a key of a plugin'],
    ['github:someone', 'an address of keys'],
    ['age1bad', 'malformed recipient'],
    [IDENTITY, 'an identity, which is secret'],
  ])('%s is refused', (recipient, message) => {
    const result = lanewise(['encrypt', '-r', recipient, '-o', 'none', 'input']);
    failed(result, message);
    expect(result.stderr).not.toContain(IDENTITY);
    expect(there('none')).toBe(false);
    put('bad.txt', `# one\n${recipient}\n`);
    failed(lanewise(['encrypt', '-R', 'bad.txt', 'input']), `bad.txt: line 2: ${message}`);
  });
});

describe('outputs', () => {
  it.each([
    ['a wrong identity', ['decrypt', '-i', 'wrong.txt', 'test.age'], 'no identity matched'],
    ['no identity', ['decrypt', 'test.age'], 'not passphrase-encrypted, identities are required'],
    ['a missing identity', ['decrypt', '-i', 'notexist', 'test.age'], 'notexist: No such file'],
    ['a missing input', ['decrypt', '-i', 'key.txt', 'notexist'], 'notexist: No such file'],
    ['a bad recipient', ['encrypt', '-r', 'BAD', 'input'], 'malformed recipient'],
    ['a missing input to encrypt', ['encrypt', '-r', RECIPIENT, 'notexist'], 'notexist: No such file'],
    ['a truncated input', ['decrypt', '-i', 'key.txt', 'cut.age'], 'large|truncated'],
    ['a file that is none of age', ['decrypt', '-i', 'key.txt', 'input'], 'input: not an age file'],
    ['an empty file', ['decrypt', '-i', 'key.txt', 'empty'], 'empty: empty, no age file'],
  ])('%s leaves none, and no other file', (_, values, message) => {
    const large = lanewise(['encrypt', '-r', RECIPIENT, 'large']).stdout;
    put('cut.age', large.subarray(0, 1_000_000));
    put('old', 'as it was');
    const before = readdirSync(folder).sort();
    failed(lanewise([...values, '-o', 'none']), new RegExp(message));
    failed(lanewise([...values, '-o', 'old']), new RegExp(message));
    expect(readdirSync(folder).sort()).toEqual(before);
    expect(get('old').toString()).toBe('as it was');
  });

  it('replace what is there, behind a symbolic link, and keep its mode', () => {
    put('old', 'old');
    symlinkSync('old', join(folder, 'link'));
    done(lanewise(['decrypt', '-i', 'key.txt', '-o', 'link', 'test.age']));
    expect(get('old').toString()).toBe('test\n');
    expect(statSync(join(folder, 'link')).isFile()).toBe(true);
  });

  it.each(['same', './same', 'sub/../same'])('that are the input are refused: %s', (name) => {
    makeFolder('sub');
    put('same', 'test\n');
    failed(lanewise(['encrypt', '-r', RECIPIENT, '-o', name, 'same']), 'input and output file are the same', 2);
    expect(get('same').toString()).toBe('test\n');
  });

  it.each([
    ['decrypt', '-i', 'key.txt', 'test.age'],
    ['encrypt', '-i', 'key.txt', 'input'],
    ['encrypt', '-R', 'recipients.txt', 'input'],
    ['keygen', '-y', 'key.txt'],
  ])('that are a file of keys are refused: %s %s %s', (command, option, name, ...inputs) => {
    const before = get(name);
    failed(lanewise([command, '-o', name, option, name, ...inputs]), 'input and output file are the same', 2);
    expect(get(name)).toEqual(before);
  });

  it.each([['encrypt', '-r', RECIPIENT, 'input'], ['decrypt', '-i', 'key.txt', 'test.age'], ['keygen']])(
    'that would be a folder which is not there are refused by their names: %s',
    (command, ...inputs) => {
      const name = `none-${command}/`;
      failed(lanewise([command, '-o', name, ...inputs]), new RegExp(`^lanewise ${command}: ${name}: No such file`));
      expect(there(`none-${command}`)).toBe(false);
    },
  );

  it('of several inputs go to a folder', () => {
    makeFolder('out');
    makeFolder('back');
    put('second', 'two');
    done(lanewise(['encrypt', '-r', RECIPIENT, '-o', 'out', 'input', 'second']));
    done(lanewise(['decrypt', '-i', 'key.txt', '-o', 'back', 'out/input.age', 'out/second.age']));
    expect(get('back/second').toString()).toBe('two');
    const result = lanewise(['decrypt', '-i', 'key.txt', '-o', 'back', 'out/input.age', 'input']);
    expect(result.stderr).toBe(
      'lanewise decrypt: input: not an age file: it does not start with "age-encryption.org/v1"\n',
    );
    expect(result.status).toBe(1);
    failed(lanewise(['encrypt', '-r', RECIPIENT, 'input', 'second']), '2 inputs need -o with a folder', 2);
    failed(
      lanewise(['encrypt', '-r', RECIPIENT, '-o', 'nowhere', 'input', 'second']),
      'several inputs need a folder',
      2,
    );
    failed(
      lanewise(['encrypt', '-r', RECIPIENT, '-o', 'out', 'input', 'sub/../input']),
      'is the output of two inputs',
      2,
    );
  });
});

describe('passphrases', () => {
  it('from the environment', () => {
    const { stdout } = done(withPassphrase('password', ['encrypt', '-p', 'input']));
    expect(done(withPassphrase('password', ['decrypt'], stdout)).stdout.toString()).toBe('test\n');
    failed(withPassphrase('wrong', ['decrypt'], stdout), 'incorrect passphrase');
    failed(
      withPassphrase('password', ['decrypt', '-i', 'key.txt'], stdout),
      'passphrase-encrypted but identities were specified',
    );
  });

  it('from a file descriptor', () => {
    const script =
      'AGE_PASSPHRASE_WORK_FACTOR=8 AGE_PASSPHRASE_FD=3 "$@" encrypt -p -o fd.age input 3<<E\npassword\nE\n';
    expect(shell(script, process.execPath, main).stderr).toBe('');
    expect(done(withPassphrase('password', ['decrypt', 'fd.age'])).stdout.toString()).toBe('test\n');
    const latin = shell(`printf 'caf\\351' | AGE_PASSPHRASE_FD=3 "$@" encrypt -p input 3<&0`, process.execPath, main);
    expect(latin.stderr).toBe('lanewise encrypt: AGE_PASSPHRASE_FD: the passphrase is not valid UTF-8\n');
    expect(latin.status).toBe(1);
  });

  it('that nobody can be asked for', () => {
    const result = shell('setsid -w "$@" encrypt -p input < /dev/null', process.execPath, main);
    expect(result.stderr).toContain('there is no terminal to ask for the passphrase');
    expect(result.status).toBe(1);
  });

  it('beside recipients', () => failed(lanewise(['encrypt', '-p', '-r', RECIPIENT]), 'one passphrase or keys', 2));

  it('of identity files', () => {
    done(withPassphrase('password', ['encrypt', '-p', '-a', '-o', 'key.age', 'key.txt']));
    expect(done(withPassphrase('password', ['decrypt', '-i', 'key.age', 'test.age'])).stdout.toString()).toBe('test\n');
    failed(withPassphrase('wrong', ['decrypt', '-i', 'key.age', 'test.age']), 'key.age: incorrect passphrase');
  });
});

describe('parts', () => {
  beforeAll(() => void done(lanewise(['encrypt', '-r', RECIPIENT, '-o', 'parts.age', 'large'])));

  it.each([
    [0, 10],
    [65_530, 20],
    [2_999_990, 100],
    [3_000_000, 1],
    [100_000, 2_000_000],
  ])('--offset %i --length %i', (offset, length) => {
    const result = lanewise([
      'decrypt',
      '-i',
      'key.txt',
      '--offset',
      `${offset}`,
      '--length',
      `${length}`,
      'parts.age',
    ]);
    expect(done(result).stdout).toEqual(get('large').subarray(offset, offset + length));
  });

  it('behind the end, from standard input, and of armor', () => {
    failed(
      lanewise(['decrypt', '-i', 'key.txt', '--offset', '3000001', 'parts.age']),
      '--offset expected at most 3000000',
    );
    const { stdout } = lanewise(['encrypt', '-a', '-r', RECIPIENT, 'input']);
    put('text.age', stdout);
    failed(lanewise(['decrypt', '-i', 'key.txt', '--offset', '1', 'text.age']), 'need a binary file');
    const piped = shell('cat parts.age | "$@" decrypt -i key.txt --offset 1', process.execPath, main);
    expect(piped.stderr).toContain('need a binary file');
  });
});

describe('--check', () => {
  it('says what it found, and writes nothing', () => {
    const { stderr, status, stdout } = lanewise(['decrypt', '--check', '-i', 'key.txt', 'test.age', 'large.age']);
    expect(stderr).toMatch(/test.age: authentic and complete\n.*large.age: authentic and complete/);
    expect([stdout.length, status]).toEqual([0, 0]);
    put('cut.age', get('large.age').subarray(0, -1));
    failed(lanewise(['decrypt', '--check', '-i', 'key.txt', 'cut.age']), /truncated/);
    failed(lanewise(['decrypt', '--check', '-o', 'x', '-i', 'key.txt', 'test.age']), '--check writes nothing', 2);
  });
});

describe('keygen', () => {
  it('writes for the owner only, and never replaces', () => {
    const { stderr, stdout, status } = lanewise(['keygen', '-o', 'new.txt']);
    expect([stdout.length, status]).toEqual([0, 0]);
    expect(statSync(join(folder, 'new.txt')).mode & 0o777).toBe(0o600);
    const text = get('new.txt').toString();
    expect(text).toMatch(
      /^# created: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)\n# public key: age1\w{58}\nAGE-SECRET-KEY-1\w{58}\n$/,
    );
    expect(stderr).toBe(`lanewise keygen: public key: ${/age1\w+/.exec(text)![0]}\n`);
    failed(lanewise(['keygen', '-o', 'new.txt']), 'new.txt: is there; identities are never replaced');
    expect(get('new.txt').toString()).toBe(text);
  });

  it('shows recipients', () => {
    expect(done(lanewise(['keygen', '-y', 'key.txt'])).stdout.toString()).toBe(`${RECIPIENT}\n`);
    expect(done(lanewise(['keygen', '-y'], `${IDENTITY}\n`)).stdout.toString()).toBe(`${RECIPIENT}\n`);
    failed(lanewise(['keygen', '-y', 'recipients.txt']), 'recipients.txt: line 3: malformed identity');
  });
});

describe('inspect', () => {
  it('tells what is public', () => {
    const [found] = done(lanewise(['inspect', '--json', 'large.age']))
      .stdout.toString()
      .trim()
      .split('\n');
    expect(JSON.parse(found)).toMatchObject({
      name: 'large.age',
      armored: false,
      recipients: ['X25519'],
      postQuantum: false,
      plaintextSize: 3_000_000,
      size: get('large.age').length,
    });
    const { stdout } = done(withPassphrase('password', ['encrypt', '-a', '-p', 'input']));
    const text = done(lanewise(['inspect'], stdout)).stdout.toString();
    for (const line of ['armored       yes', 'recipients    scrypt', 'work factor   2^8', 'plaintext     5 bytes'])
      expect(text).toContain(line);
  });
});

describe('wrong arguments', () => {
  it.each([
    [['encrypt'], 'for whom?'],
    [['encrypt', '-x'], "Unknown option '-x'"],
    [['encrypt', '-p', '-p', 'input'], '--passphrase is given more than once'],
    [['encrypt', '-R', '-', '-'], 'standard input, -, is given more than once'],
    [['decrypt', '--length', 'x'], '--length expects a number of bytes'],
    [['decrypt', '-o', ''], '--output is empty'],
    [['keygen', 'input'], 'an input is for -y only'],
    [['keygen', '-y', '--pq'], '--pq makes one'],
  ])('%j', (values, message) => failed(lanewise(values), message, 2));

  it.each(['encrypt', 'decrypt', 'keygen', 'inspect'])('%s --help', (command) => {
    expect(done(lanewise([command, '--help'])).stdout.toString()).toContain(`lanewise ${command}`);
  });
});
