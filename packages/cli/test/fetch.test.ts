/** `lanewise fetch` over servers of this machine: ranges, wrong bytes, slow mirrors, cut connections, servers without ranges, interrupted runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { blake3 } from '@noble/hashes/blake3.js';
import { encode, outboard } from 'lanewise/bao.js';
import { Failure, UsageError } from '../src/command.ts';
import { Remote } from '../src/bao/remote.ts';
import { run } from '../src/commands/fetch.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bytes, folder, main } from './programs.ts';

const GROUP = 16_384;
const content = bytes(2_000_000);
const digits = Buffer.from(blake3(content)).toString('hex');
const objects = new Map<string, Uint8Array>([['/film.bin', content]]);

/** How servers answer, apart from `/right`: a request after which a path answers otherwise, and the bytes that it sent. */
type Handler = (request: IncomingMessage, response: ServerResponse, object: Buffer) => void;
let asked: string[] = [];
/** How many bytes of objects were sent. */
let sent = 0;

const rangeOf = ({ headers }: IncomingMessage, size: number): [number, number] => {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  return first === undefined ? [0, size] : [Number(first), Math.min(size, Number(last) + 1)];
};

function head(request: IncomingMessage, response: ServerResponse, object: Buffer): Buffer {
  const [from, to] = rangeOf(request, object.length);
  sent += to - from;
  const headers = { ETag: '"1"', 'Content-Length': to - from };
  if (request.headers.range === undefined) response.writeHead(200, headers);
  else response.writeHead(206, { ...headers, 'Content-Range': `bytes ${from}-${to - 1}/${object.length}` });
  return object.subarray(from, to);
}

const right: Handler = (request, response, object) => response.end(head(request, response, object));
let counts = 0;
const handlers: Readonly<Record<string, Handler>> = {
  right,
  wrong(request, response, object) {
    const bad = Buffer.from(object);
    bad[1_000_000] ^= 1;
    right(request, response, bad);
  },
  silent: () => undefined,
  /** Two of the first answers end in their midst. */
  cut(request, response, object) {
    const its = head(request, response, object);
    if (counts++ % 3 || counts > 6) response.end(its);
    else response.write(its.subarray(0, its.length / 2), () => request.socket.destroy());
  },
  /** Goes silent in the midst of an answer, once. */
  stuck(request, response, object) {
    const its = head(request, response, object);
    if (counts++ === 2) response.write(its.subarray(0, 1000));
    else response.end(its);
  },
  busy(request, response, object) {
    if (counts++ < 2) response.writeHead(503).end();
    else right(request, response, object);
  },
  /** Knows no ranges. */
  whole(_, response, object) {
    response.writeHead(200, { 'Content-Length': object.length }).end(object);
  },
  /** Ends every connection after the first million bytes. */
  million(request, response, object) {
    const [, to] = rangeOf(request, object.length);
    if (to > 1_000_000 && to < 1_900_000) request.socket.destroy();
    else right(request, response, object);
  },
  /** Knows no ranges, and sends the object when the test lets it. */
  held({ headers, socket }, response, object) {
    response.writeHead(200, { 'Content-Length': object.length });
    if (headers.range === undefined) held.push({ socket, letGo: () => response.end(object) });
    else response.end(object);
  },
  missing: (_, response) => response.writeHead(404).end(),
  /** Has an object without bytes. */
  empty: (_, response) => response.writeHead(416, { ETag: '"1"', 'Content-Range': 'bytes */0' }).end(),
  /** Tells no version of its objects, and knows no condition. */
  plain(request, response, object) {
    const [from, to] = rangeOf(request, object.length);
    if (request.headers['if-match'] !== undefined) response.writeHead(412).end();
    else
      response
        .writeHead(206, { ETag: 'W/"1"', 'Content-Range': `bytes ${from}-${to - 1}/${object.length}` })
        .end(object.subarray(from, to));
  },
};

const held: { readonly socket: Socket; readonly letGo: () => void }[] = [];

const server = createServer((request, response) => {
  asked.push(request.url!);
  const [, kind, path] = /^\/(\w+)(\/[^?]*)/.exec(request.url!) ?? [];
  handlers[kind](request, response, Buffer.from(objects.get(path) ?? []));
});
let base = '';
const at = (kind: string, path = 'film.bin'): string => `${base}/${kind}/${path}`;

interface Ended {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly status: number | null;
}

/** Runs the command in this process, into film.bin, because starting a process takes most of the time of a short run. */
async function fetching(...values: readonly string[]): Promise<Ended> {
  const output = values.some((value) => /^(-o|--output)/.test(value)) ? [] : ['-o', join(folder, 'film.bin')];
  const ended = { stdout: Buffer.alloc(0), stderr: '', status: 0 };
  try {
    const status = await run([...values, ...output].map((text) => ({ text, path: text })));
    return { ...ended, status };
  } catch (error) {
    if (!(error instanceof Failure || error instanceof UsageError)) throw error;
    return { ...ended, stderr: error.message, status: error instanceof Failure ? 1 : 2 };
  }
}

/** Runs the command as users do, in the folder, while the servers answer. */
async function inShell(...values: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [main, 'fetch', ...values], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (piece: Buffer) => stdout.push(piece));
  child.stderr.on('data', (piece: Buffer) => stderr.push(piece));
  const [status] = (await once(child, 'close')) as [number | null];
  return { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString(), status };
}

const quick = ['--timeout=0.5', '--patience=0.1', `--group-length=${GROUP}`];
const local = join(folder, 'film.obao');
const tree = (): string[] => [...quick, '--outboard', at('right', 'film.obao')];
const read = (name: string): Buffer => readFileSync(join(folder, name));
const PART = `film.bin.${digits.slice(0, 16)}.part`;

function refused({ stdout, stderr, status }: Ended, code: number, message: RegExp | string): void {
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stdout.toString()).toBe('');
  expect(status).toBe(code);
}

beforeAll(async () => {
  objects.set('/film.obao', (await outboard(content, { groupLength: GROUP })).outboard);
  objects.set('/film.bao', (await encode(content)).encoded);
  writeFileSync(join(folder, 'film.obao'), objects.get('/film.obao')!);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  [asked, counts] = [[], 0];
  for (const name of readdirSync(folder)) if (name !== 'film.obao') rmSync(join(folder, name), { recursive: true });
});

describe('all bytes come', () => {
  test.each([
    ['from one server', () => [at('right'), digits, ...tree()]],
    ['with a tree of this machine', () => [at('right'), digits, ...quick, '--outboard', local]],
    [
      'from servers that tell no version',
      () => [at('plain'), digits, ...quick, '--outboard', at('plain', 'film.obao')],
    ],
    ['over cut connections', () => [at('cut'), digits, ...tree()]],
    ['from a server that is silent in the midst', () => [at('stuck'), digits, ...tree()]],
    ['from a server that is busy at first', () => [at('busy'), digits, ...tree()]],
    ['from a server without ranges', () => [at('whole'), digits, ...tree()]],
    [
      'with a tree of a server without ranges',
      () => [at('right'), digits, ...quick, '--outboard', at('whole', 'film.obao')],
    ],
    ['from a mirror of one that is wrong', () => [at('wrong'), digits, ...tree(), '--mirror', at('right')]],
    ['from a mirror of one that is silent', () => [at('silent'), digits, ...tree(), '--mirror', at('right')]],
    [
      'from the last of three',
      () => [at('missing'), digits, ...tree(), '--mirror', at('wrong'), '--mirror', at('right')],
    ],
  ] as const)('%s', async (_, values) => {
    expect(await fetching(...values())).toMatchObject({ stderr: '', status: 0 });
    expect(read('film.bin').equals(content)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['film.bin', 'film.obao']);
  });

  test('under the last part of the URL', async () => {
    const ended = await inShell(`${at('right')}?a=/b`, digits, ...tree());
    expect({ ...ended, stdout: ended.stdout.toString() }).toEqual({ stdout: 'film.bin: OK\n', stderr: '', status: 0 });
    expect(read('film.bin').equals(content)).toBe(true);
  });

  test('a range, on standard output', async () => {
    const { stdout, status } = await inShell(at('right'), digits, ...tree(), '--range=1000-900000', '-o-');
    expect(status).toBe(0);
    expect(stdout.equals(content.subarray(1000, 900_000))).toBe(true);
  });

  test.each(['right', 'whole'])('an encoding: %s', async (kind) => {
    expect(await fetching(at(kind, 'film.bao'), digits, '-o', join(folder, 'out'))).toMatchObject({
      stderr: '',
      status: 0,
    });
    expect(read('out').equals(content)).toBe(true);
  });
});

describe('a run that was interrupted', () => {
  test('is continued after the bytes that are proven', async () => {
    const first = await fetching(at('million'), digits, ...tree(), '--retries=1');
    refused(
      first,
      1,
      `; ${statSync(join(folder, PART)).size} bytes are in ${join(folder, PART)}, and the same command goes on after them`,
    );
    expect(existsSync(join(folder, 'film.bin'))).toBe(false);
    const part = read(PART);
    expect(part.length).toBeGreaterThan(400_000);
    expect(part.equals(content.subarray(0, part.length))).toBe(true);
    sent = 0;
    expect(await fetching(at('right'), digits, ...tree())).toMatchObject({ status: 0, stderr: '' });
    expect(read('film.bin').equals(content)).toBe(true);
    expect(existsSync(join(folder, PART))).toBe(false);
    // The rest, the tree, and the first bytes of both.
    expect(sent).toBeLessThan(content.length - part.length + 3 * GROUP);
  });

  test.each([
    ['wrong bytes in it are fetched again', (part: Buffer) => void (part[700_000] ^= 1), content.length],
    ['all of it is there', () => undefined, content.length],
    ['more is there than belongs to it', () => undefined, content.length + 5],
  ])('%s', async (_, damage, length) => {
    const part = Buffer.concat([content, Buffer.alloc(5)]).subarray(0, length);
    damage(part);
    writeFileSync(join(folder, PART), part);
    expect(await fetching(at('right'), digits, ...tree())).toMatchObject({ status: 0, stderr: '' });
    expect(read('film.bin').equals(content)).toBe(true);
  });

  test('but not into a file of another kind', async () => {
    mkdirSync(join(folder, PART));
    refused(await fetching(at('right'), digits, ...tree()), 1, PART);
  });
});

describe('nothing gets the name', () => {
  test.each([
    [
      'wrong',
      () => [at('wrong'), digits, ...tree()],
      /film\.bin: bytes 999424 to 1015808 do not match the hash; \d+ bytes are in/,
    ],
    [
      'missing',
      () => [at('missing'), digits, ...tree()],
      /film\.bin: cannot fetch bytes 0 to 4096: the server answered with status 404/,
    ],
    ['silent', () => [at('silent'), digits, ...tree(), '--retries=0'], 'the server was silent for 0.5 seconds'],
    [
      'the tree is missing',
      () => [at('right'), digits, ...quick, '--outboard', at('missing', 'film.obao')],
      'status 404',
    ],
    [
      'the tree is of other groups',
      () => [at('right'), digits, '--outboard', local],
      '--group-length tells another length',
    ],
    ['no tree is told', () => [at('right'), digits], '--outboard FILE names the tree'],
    [
      'the hash is another',
      () => [at('right'), '0'.repeat(64), ...tree()],
      'the tree over bytes 0 to 2000000 does not match the hash',
    ],
    [
      'the tree is empty',
      () => [at('right'), digits, ...quick, '--outboard', at('empty', 'film.obao')],
      /film\.bin: the outboard is truncated: it has 0 bytes, and its header has 8$/,
    ],
    ...[0, 7].map(
      (length) =>
        [
          `the file of the tree has ${length} bytes`,
          () => {
            writeFileSync(join(folder, 'short.obao'), content.subarray(0, length));
            return [at('right'), digits, ...quick, '--outboard', join(folder, 'short.obao')];
          },
          `: the outboard is truncated: it has ${length} bytes, and its header has 8`,
        ] as const,
    ),
    ['the place is a folder', () => [at('right'), digits, ...tree(), '-o', folder], / Is a directory \(os error 21\)$/],
    [
      'another port',
      () => [`http://127.0.0.1:1/film.bin?secret=1`, digits, ...tree(), '--retries=0'],
      /127\.0\.0\.1:1\/film\.bin: (connection refused|bad port)/i,
    ],
  ] as const)('%s', async (_, values, message) => {
    const ended = await fetching(...values());
    refused(ended, 1, message);
    expect(ended.stderr).not.toContain('secret');
    expect(existsSync(join(folder, 'film.bin'))).toBe(false);
  });

  test('where a file is', async () => {
    writeFileSync(join(folder, 'film.bin'), 'mine');
    refused(await inShell(at('right'), digits, ...tree()), 1, 'film.bin: is there; -o film.bin replaces it');
    expect(read('film.bin').toString()).toBe('mine');
    expect(await inShell(at('right'), digits, ...tree(), '-o', 'film.bin')).toMatchObject({ status: 0, stderr: '' });
    expect(read('film.bin').equals(content)).toBe(true);
  });
});

test('wrong arguments', async () => {
  const url = 'http://127.0.0.1/film.bin';
  const ofUrl = async (...values: string[]): Promise<Ended> => {
    const ended = { stdout: Buffer.alloc(0), status: 2 };
    const error = await run(values.map((text) => ({ text, path: text }))).catch((error: unknown) => error);
    return { ...ended, stderr: error instanceof UsageError ? error.message : String(error) };
  };
  const cases: readonly (readonly [string[], string])[] = [
    [[url], 'fetch takes URL and HASH'],
    [['film.bin', digits], 'URL is an address that starts with http:// or https://'],
    [['http://me:secret@127.0.0.1/', digits], 'URL has a name or password'],
    [[url, digits.slice(1)], 'HASH is 64 hexadecimal digits'],
    [['http://127.0.0.1/', digits], '-o FILE tells one'],
    [['http://127.0.0.1/..%2Ffilm', digits], '-o FILE tells one'],
    [[url, digits, '--mirror', url], '--mirror needs --outboard'],
    [[url, digits, '--outboard', 'film.obao', '--mirror', 'ftp://x'], '--mirror is an address'],
    [[url, digits, '--outboard', '-'], '--outboard takes a URL'],
    [[url, digits, '--timeout', '0'], '--timeout takes seconds'],
    [[url, digits, '--retries', '-1'], "'--retries' needs a value"],
    [[url, digits, '--range', '5-4'], '--range takes FROM-TO'],
    [[url, digits, '--outboard', local, '-o', local], 'film.obao: input and output file are the same'],
  ];
  for (const [values, message] of cases) refused(await ofUrl(...values), 2, message);
  expect(asked).toEqual([]);
});

describe('reads at the same time of an object whose server knows no ranges', () => {
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
  };

  test('a read that is given up ends no other', async () => {
    held.length = 0;
    const remote = new Remote(new URL(at('held')), 60_000, content.length);
    const [first, second] = [new AbortController(), new AbortController()];
    const given = remote.read(10, 20, first.signal);
    await until(() => held.length === 1);
    const other = remote.read(30, 40, second.signal);
    first.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    held[0].letGo();
    expect(Buffer.from(await other)).toEqual(Buffer.from(content.subarray(30, 40)));
    expect(held).toHaveLength(1);
  });

  test('the last that is given up ends the request', async () => {
    held.length = 0;
    const remote = new Remote(new URL(at('held')), 60_000, content.length);
    const controllers = [new AbortController(), new AbortController()];
    const reads = controllers.map(({ signal }) => expect(remote.read(10, 20, signal)).rejects.toThrow('enough'));
    await until(() => held.length === 1);
    const [{ socket }] = held;
    for (const controller of controllers) controller.abort(new Error('enough'));
    await Promise.all(reads);
    await until(() => socket.destroyed);
    const again = remote.read(10, 20, new AbortController().signal);
    await until(() => held.length === 2);
    held[1].letGo();
    expect(Buffer.from(await again)).toEqual(Buffer.from(content.subarray(10, 20)));
  });
});
