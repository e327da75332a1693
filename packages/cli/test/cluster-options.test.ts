/** Commands for queues: wrong calls of every kind, the lines about a queue, and log lines. No queue is there. */
import type { Health } from '@lanewise/cluster';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDecryptOptions, readEncryptOptions } from '../src/age/options.ts';
import { asCommandError, reasonFor, reasonOf } from '../src/cluster/library.ts';
import { queueFrom, withoutSecrets } from '../src/cluster/queue.ts';
import { readWorkerOptions } from '../src/cluster/worker-options.ts';
import { Failure, UsageError } from '../src/command.ts';
import type { Argument } from '../src/command-line.ts';
import { run as jobs } from '../src/commands/jobs.ts';
import { readOptions as readHashOptions } from '../src/hash/options.ts';
import { IDENTITY, put, RECIPIENT } from './age-programs.ts';
import { lanewise } from './programs.ts';

const QUEUE = 'redis://127.0.0.1:6379';
const PASSWORD = 'p%40ss%2Fword-7f31';
const SECRET_QUEUE = `rediss://somebody:${PASSWORD}@queue.example:6380/3?token=hidden-19ac`;

const given = (line: string): readonly Argument[] =>
  line === '' ? [] : line.split(' ').map((text) => ({ text, path: text }));

const variable = process.env['LANEWISE_QUEUE'];
beforeEach(() => {
  delete process.env['LANEWISE_QUEUE'];
});
afterEach(() => {
  if (variable !== undefined) process.env['LANEWISE_QUEUE'] = variable;
});

/** The error of a refused call. */
async function refusalOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error('the call was taken');
}

describe('lanewise hash', () => {
  const q = `--queue ${QUEUE}`;
  it.each([
    [`${q} --check --key-id a sums`, '--check cannot be used with --key-id'],
    [`${q} --check --leaf-bytes 1024 sums`, '--check cannot be used with --leaf-bytes'],
    [`--queue localhost --check sums`, '--queue takes an address that starts with redis://'],
    [
      `${q} --keyed s3://b/k`,
      '--keyed cannot be used with --queue: the key is in files of the workers, --key-id names it',
    ],
    [`${q} --key-file k s3://b/k`, '--key-file cannot be used with --queue: the key is in files'],
    [`${q} --num-threads 2 s3://b/k`, '--num-threads cannot be used with --queue: each worker has its own'],
    [`${q} --key-id a --derive-key c s3://b/k`, '--key-id cannot be used with --derive-key'],
    [`${q} --key-id= s3://b/k`, '--key-id is empty'],
    [`${q} --detach --raw s3://b/k`, '--detach cannot be used with --raw'],
    [`${q} --detach --tag s3://b/k`, '--detach cannot be used with --tag'],
    [`${q} --detach --no-names s3://b/k`, '--detach cannot be used with --no-names'],
    [`${q} --leaf-bytes 3000 s3://b/k`, '--leaf-bytes takes a power of two from 1024 to 2^40'],
    [`${q} --leaf-bytes 512 s3://b/k`, '--leaf-bytes takes a power of two from 1024 to 2^40'],
    [`${q} --leaf-bytes x s3://b/k`, '--leaf-bytes takes an integer'],
    [`${q} --leaf-bytes 2199023255552 s3://b/k`, '--leaf-bytes takes a power of two from 1024 to 2^40'],
    [`${q} --queue ${QUEUE} s3://b/k`, '--queue is given more than once'],
    [`${q} --name= s3://b/k`, '--name is empty'],
    [`${q} --leaf s3://b/k`, "Unknown option '--leaf'"],
    [q, 'workers cannot read standard input'],
    [`${q} -`, '-: no object that workers can read'],
    [`${q} archive.tar`, 'archive.tar: no object that workers can read'],
    [`${q} s3://b/k archive.tar`, 'archive.tar: no object that workers can read'],
    [`${q} ftp://host/file`, 'ftp://host/file: no object that workers can read'],
    ['s3://b/k', 'which queue? --queue URL or LANEWISE_QUEUE names it'],
    ['file:///srv/data/a', 'which queue?'],
    ['--queue= s3://b/k', 'which queue?'],
    ['--queue localhost s3://b/k', '--queue takes an address that starts with redis://'],
    ['--queue amqp://host s3://b/k', '--queue takes an address that starts with redis://'],
    ['--queue redis:///0 s3://b/k', '--queue takes an address with a host'],
    ['--key-id a file', '--key-id needs objects that workers hash'],
    ['--leaf-bytes 1024 file', '--leaf-bytes needs objects'],
    ['--detach file', '--detach needs objects'],
    ['--name other file', '--name needs objects'],
    ['--detach --check checks', '--check cannot be used with --detach'],
  ])('%s', async (line, message) => {
    expect(await refusalOf(() => readHashOptions(given(line)))).toContain(message);
  });

  it('takes what fits', () => {
    process.env['LANEWISE_QUEUE'] = QUEUE;
    expect(readHashOptions(given('s3://b/k --key-id a --leaf-bytes 65536 --name n'))).toMatchObject({
      remote: { queue: { address: QUEUE, name: 'n', driver: 'ioredis' }, keyId: 'a', leafBytes: 65_536, detach: false },
    });
    expect(readHashOptions(given('--queue postgres://u:p@db/jobs --detach HTTPS://h/x'))).toMatchObject({
      remote: { queue: { driver: 'pg', shown: 'postgres://db/jobs' }, detach: true },
    });
  });

  it('--check needs a queue for objects only, and says so in their lines', () => {
    const sum = '0'.repeat(64);
    put('objects.sums', `${sum}  s3://b/k\n${sum}  file:///srv/data\n`);
    const result = lanewise(['hash', '--check', 'objects.sums'], '', { LANEWISE_QUEUE: '' });
    const why = '(an object: --queue URL or LANEWISE_QUEUE names the queue whose workers check it)';
    expect(result.stdout.toString()).toBe(`s3://b/k: FAILED ${why}\nfile:///srv/data: FAILED ${why}\n`);
    expect(result.status).toBe(1);
    put('files.sums', lanewise(['hash', 'objects.sums']).stdout);
    expect(lanewise(['hash', '--check', 'files.sums'], '', { LANEWISE_QUEUE: 'none' })).toMatchObject({ status: 0 });
    expect(lanewise(['hash', '--check', 'objects.sums'], '', { LANEWISE_QUEUE: 'none' })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('LANEWISE_QUEUE takes an address') as string,
    });
  });

  it('the variable alone changes nothing for files', () => {
    process.env['LANEWISE_QUEUE'] = QUEUE;
    expect(readHashOptions(given('archive.tar ./s3://b/k'))).toMatchObject({ remote: undefined });
    expect(readHashOptions(given('--check s3://b/checks'))).toMatchObject({ remote: undefined });
  });
});

describe('lanewise encrypt and decrypt', () => {
  const q = `--queue ${QUEUE} --worker-recipient ${RECIPIENT}`;
  const to = `-r ${RECIPIENT}`;
  it.each([
    [`${q} -p -o s3://b/t s3://b/k`, '-p cannot be used with --queue'],
    [`${q} ${to} -a -o s3://b/t s3://b/k`, '-a cannot be used with --queue'],
    [`${q} ${to} --num-threads 2 -o s3://b/t s3://b/k`, '--num-threads cannot be used with --queue'],
    [`${q} ${to} -o s3://b/t`, 'workers take one object at a time'],
    [`${q} ${to} -o s3://b/t s3://b/k s3://b/l`, 'workers take one object at a time'],
    [`${q} ${to} s3://b/k`, 'workers need -o with an object'],
    [`${q} ${to} -o file s3://b/k`, 'file: no object that workers can reach'],
    [`${q} ${to} -o - s3://b/k`, '-: no object that workers can reach'],
    [`${q} ${to} -o s3://b/t file`, 'file: no object that workers can reach'],
    [`${q} ${to} -o https://h/t s3://b/k`, 'https://h/t: workers write s3://… and file:///… only'],
    [`${q} ${to} -o s3://b/k s3://b/k`, 's3://b/k: is input and output'],
    [`--queue ${QUEUE} ${to} -o s3://b/t s3://b/k`, 'which workers may have the key of the file? --worker-recipient'],
    [`${to} --worker-recipient ${RECIPIENT} -o s3://b/t s3://b/k`, 'which queue?'],
    [`${to} -o file s3://b/k`, 'which queue?'],
    [`${to} -o s3://b/t file`, 'which queue?'],
    [`${to} --worker-recipient ${RECIPIENT} -o t file`, '--worker-recipient needs objects'],
    [`${to} --detach -o t file`, '--detach needs objects'],
    [`${to} --name n -o t file`, '--name needs objects'],
    [`${q} -o s3://b/t s3://b/k`, 'for whom?'],
    [`${q} ${to} --part-chunks 0 -o s3://b/t s3://b/k`, '--part-chunks takes an integer from 1 to 81920'],
    [`${q} ${to} --part-chunks 1.5 -o s3://b/t s3://b/k`, '--part-chunks takes an integer from 1 to 81920'],
    [`${to} --part-chunks 80 -o t file`, '--part-chunks needs objects'],
  ])('encrypt %s', async (line, message) => {
    expect(await refusalOf(() => readEncryptOptions(given(line)))).toContain(message);
  });
  it.each([
    [`${q} -i key --check s3://b/k`, '--check cannot be used with --queue: pipe the object in, without --queue'],
    ['-i key --check s3://b/k', '--check cannot be used with objects, s3://… or file:///…: pipe the object in'],
    ['-i key --offset 1 -o t s3://b/k', '--offset cannot be used with objects, s3://… or file:///…'],
    [`${q} -i key --offset 1 -o s3://b/t s3://b/k`, '--offset cannot be used with --queue'],
    [`${q} -i key --length 1 -o s3://b/t s3://b/k`, '--length cannot be used with --queue'],
    [`${q} -o s3://b/t s3://b/k`, '-i names a file with an identity'],
    [`${q} -i key s3://b/k`, 'workers need -o with an object'],
    [`--queue ${QUEUE} -i key -o s3://b/t s3://b/k`, 'which workers may have the key of the file?'],
  ])('decrypt %s', async (line, message) => {
    expect(await refusalOf(() => readDecryptOptions(given(line)))).toContain(message);
  });

  it('keys of other kinds', () => {
    put('identity', `${IDENTITY}\n`);
    const call = (...values: string[]) =>
      lanewise(['encrypt', '--queue', QUEUE, '-o', 's3://b/t', 's3://b/k', ...values]);
    const { status, stderr } = call('-r', RECIPIENT, '--worker-recipient', IDENTITY);
    expect(stderr).toBe(
      'lanewise encrypt: --worker-recipient: an identity, which is secret; -i takes it from a file\n',
    );
    expect(status).toBe(1);
    expect(call('-i', 'identity', '--worker-recipient', 'age1nobody').stderr).toContain(
      '--worker-recipient: malformed recipient',
    );
  });
});

describe('lanewise worker', () => {
  const q = `--queue ${QUEUE}`;
  it.each([
    ['', 'which queue?'],
    [q, 'what may be read? --allow PREFIX'],
    [`${q} --allow s3://b/ more`, "'more': a worker takes options only"],
    [`${q} --allow s3://b/ --threads 0`, '--threads takes an integer from 1 to 1024'],
    [`${q} --allow s3://b/ --threads two`, '--threads takes an integer from 1 to 1024'],
    [`${q} --allow s3://b/ --health 65536`, '--health takes an integer from 0 to 65535'],
    [`${q} --allow s3://b/ --health -1`, '--health'],
    [`${q} --allow s3://b/ --health 0.0.0.0:`, '--health takes an integer from 0 to 65535'],
    [`${q} --allow s3://b/ --health :80`, '--health takes an integer from 0 to 65535'],
    [`${q} --allow s3://b/ --health ::1:80`, '--health takes an integer from 0 to 65535'],
    [`${q} --allow s3://b/ --log-level loud`, "--log-level is one of error, warning, info, debug, not 'loud'"],
    [`${q} --allow s3://b/ --key-file key`, '--key-file takes ID=FILE'],
    [`${q} --allow s3://b/ --key-file =key`, '--key-file takes ID=FILE'],
    [`${q} --allow s3://b/ --key-file a=`, '--key-file takes ID=FILE'],
    [`${q} --allow s3://b/ --key-file a=x --key-file a=y`, '--key-file: a is given more than once'],
    [`${q} --allow s3://b/ --identity=`, '--identity is empty'],
    [`${q} --allow s3://b/ --num-threads 2`, "Unknown option '--num-threads'"],
  ])('%s', async (line, message) => {
    expect(await refusalOf(() => readWorkerOptions(given(line)))).toContain(message);
  });

  it('takes what fits; a file name may have an equals sign', () => {
    expect(
      readWorkerOptions(given(`${q} --allow s3://b/ --allow file:///d/ --key-file a=b=c --health 0`)),
    ).toMatchObject({
      allow: ['s3://b/', 'file:///d/'],
      allowWrite: [],
      keyFiles: { a: 'b=c' },
      health: { host: '127.0.0.1', port: 0 },
      level: 'info',
      native: true,
      threads: undefined,
    });
  });
});

it.each([
  ['8080', '127.0.0.1', 8080],
  ['0.0.0.0:8080', '0.0.0.0', 8080],
  ['[::]:0', '::', 0],
  ['pod-7.local:80', 'pod-7.local', 80],
])('--health %s', (text, host, port) => {
  const line = `--queue ${QUEUE} --allow s3://b/ --health ${text} --log-level debug`;
  expect(readWorkerOptions(given(line))).toMatchObject({ health: { host, port }, level: 'debug' });
});

it('health is answered on the address that is given', async () => {
  const { answerHealth } = await import('../src/cluster/health.ts');
  const health = { state: 'ready' } as Health;
  const answering = await answerHealth({ host: '0.0.0.0', port: 0 }, () => health);
  try {
    const { port } = new URL(answering.url);
    // Another address than the one that is taken without a host.
    expect(await (await fetch(`http://127.0.0.2:${port}/health`)).json()).toEqual(health);
  } finally {
    answering.close();
  }
});

describe('lanewise jobs', () => {
  it.each([
    ['', 'which queue?'],
    ['all', "unknown action 'all': list, show, wait and cancel are there"],
    [`list x --queue ${QUEUE}`, 'list takes no ID'],
    [`show --queue ${QUEUE}`, 'show takes an ID'],
    [`cancel --queue ${QUEUE}`, 'cancel takes an ID'],
    [`wait a b --queue ${QUEUE}`, 'wait takes one ID'],
    [`wait a --json --queue ${QUEUE}`, '--json is for list and show'],
  ])('%s', async (line, message) => {
    expect(await refusalOf(() => jobs(given(line)))).toContain(message);
  });
});

it('packages that are not installed are named', () => {
  // A Node that doesn't find the package.
  const hooks = `import { registerHooks } from 'node:module';
registerHooks({ resolve(name, context, next) {
  if (name === '@lanewise/cluster') throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
  return next(name, context);
} });`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hooks)}`;
  for (const [queue, driver] of [
    [QUEUE, 'ioredis'],
    ['postgres://h/x', 'pg'],
  ])
    expect(lanewise(['jobs', '--queue', queue], '', { NODE_OPTIONS })).toMatchObject({
      status: 1,
      stderr: `lanewise jobs: queues need a package that is not installed: npm install @lanewise/cluster ${driver}\n`,
    });
});

describe('the address of a queue', () => {
  const queue = queueFrom({ queue: SECRET_QUEUE });
  it('is shown without user, password and parameters', () => {
    expect(queue.shown).toBe('rediss://queue.example:6380/3');
    for (const secret of ['p@ss/word-7f31', PASSWORD, 'hidden-19ac'])
      expect(withoutSecrets(`connect ${SECRET_QUEUE} as somebody:${secret} ?token=${secret}`, queue)).not.toContain(
        '7f31',
      );
    expect(withoutSecrets(`ECONNREFUSED ${SECRET_QUEUE}`, queue)).toBe('ECONNREFUSED rediss://queue.example:6380/3');
    expect(withoutSecrets('x', queueFrom({ queue: QUEUE }))).toBe('x');
  });

  it('is not in errors, also of drivers', () => {
    const error = asCommandError(new Error(`WRONGPASS of p@ss/word-7f31 at ${SECRET_QUEUE}`), queue);
    expect(error).toBeInstanceOf(Failure);
    expect(error.message).toBe('WRONGPASS of *** at rediss://queue.example:6380/3');
    expect(asCommandError(new Error('no such job'), queue).message).toBe('no such job');
    expect(asCommandError(new RangeError('"allow" expected …'), queue)).toBeInstanceOf(UsageError);
    expect(() => reasonOf(new TypeError('x is undefined'), queue)).toThrow('x is undefined');
    expect(reasonOf(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), queue)).toBe('ECONNREFUSED');
    expect(reasonOf(new Error('\x1b[31mred'), queue)).toBe('\\u{1b}[31mred');
  });

  it.each([`redis://u:${PASSWORD}@`, `red is://u:${PASSWORD}@h`, `amqp://u:${PASSWORD}@h`])(
    'is not repeated: %s',
    async (address) => {
      expect(await refusalOf(() => queueFrom({ queue: address }))).not.toContain(PASSWORD);
    },
  );
});

describe('errors of the library', () => {
  const queue = queueFrom({ queue: QUEUE });
  it.each([
    ['"keyId" expected string, got null', '--key-id expected string, got null'],
    ['"allow" expected a URL of s3:, got "allow"', '--allow expected a URL of s3:, got "allow"'],
    ['"keyFiles.a.b" expected a file outside of "allow"', '--key-file a.b expected a file outside of --allow'],
    ['"endpoint" expected https://host', 'AWS_ENDPOINT_URL_S3 expected https://host'],
    ['"source" expected a bucket, got "s3://B"', 'expected a bucket, got "s3://B"'],
    [
      's3://b/t: "target" expected an object that "allowWrite" of',
      's3://b/t: -o expected an object that --allow-write of',
    ],
    ['s3://b/k: "source" expected an object', 's3://b/k: expected an object'],
    ['"sheet" is for none of the identities', '"sheet" is for none of the identities'],
  ])('%s', (message, shown) => {
    expect(reasonOf(new RangeError(message), queue)).toBe(shown);
  });

  it('name the object once, whichever it is', () => {
    const [source, target] = ['s3://b/in', 's3://b/out'];
    expect(reasonFor(source, new Error('gone'), queue, target)).toBe('s3://b/in: gone');
    expect(reasonFor(source, new Error(`${source}: gone`), queue, target)).toBe('s3://b/in: gone');
    expect(reasonFor(source, new Error(`${target}: denied`), queue, target)).toBe('s3://b/out: denied');
    expect(reasonFor(source, new Error(`${source}put: odd`), queue)).toBe('s3://b/in: s3://b/input: odd');
  });
});

it.each([
  ['hash', 's3:/bucket/key'],
  ['hash', ' s3://bucket/key'],
  ['hash', 's4://bucket/key'],
  ['decrypt', 'file:/srv/data'],
])('lanewise %s %j: what an object is called, where there is no such file', (command, name) => {
  const { status, stderr } = lanewise([command, name]);
  expect(stderr).toMatch(
    /^lanewise \w+: .*: No such file or directory.*; objects of workers are s3:\/\/…, https:\/\/… and file:\/\/\/…\n$/,
  );
  expect(status).toBe(1);
});

it('a file that is not there and looks like no object has the message of b3sum', () => {
  expect(lanewise(['hash', 'c:none']).stderr).toBe('lanewise hash: c:none: No such file or directory (os error 2)\n');
});
