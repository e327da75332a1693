/**
 * Calls that write a file: after a failure at any step the output's name has its file from before or none, and
 * nothing beside it. A process that is killed can leave a draft; then only its owner can read that, and the next run removes it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newFile } from 'lanewise/stream-node.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { IDENTITY, PLAINTEXT, RECIPIENT, temporary, wholes, type Whole } from './drafts.ts';

const packages = join(import.meta.dirname, '../..');
const OLD = 'as it was';
let folder: ReturnType<typeof temporary>;
let output: string;
beforeEach(() => {
  folder = temporary();
  output = join(folder.path, 'output');
});
afterEach(() => folder.remove());

const MINE = new Error('mine');
async function* broken(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes.subarray(0, bytes.length >> 1);
  throw MINE;
}
const flipped = (bytes: Uint8Array, at: number): Uint8Array => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));

/** Failures, by the step at which they come. */
const failures: Readonly<Record<string, (whole: Whole) => Promise<unknown>>> = {
  'the source breaks': ({ run, sealed }) => run(broken(sealed), { to: newFile(output) }),
  'the last tag is wrong': ({ run, sealed }) =>
    run([flipped(sealed, sealed.length - 1)] as never, { to: newFile(output) }),
  'a tag in the midst is wrong': ({ run, sealed }) =>
    run([flipped(sealed, sealed.length >> 1)] as never, { to: newFile(output) }),
  'the source is truncated': ({ run, sealed }) => run([sealed.subarray(0, -20)] as never, { to: newFile(output) }),
  'there is more than allowed': ({ run, sealed }) =>
    run([sealed] as never, { to: newFile(output), maxLength: 500_000 }),
  'it is aborted'({ run, sealed }) {
    const controller = new AbortController();
    async function* aborting(): AsyncGenerator<Uint8Array> {
      yield sealed.subarray(0, sealed.length >> 1);
      await sleep(1);
      controller.abort(MINE);
      yield sealed.subarray(sealed.length >> 1);
    }
    return run(aborting(), { to: newFile(output), signal: controller.signal });
  },
  'the place cannot be written'({ run, sealed }) {
    const to = newFile(output);
    return run([sealed] as never, {
      to: {
        async createWritable() {
          const file = await to.createWritable();
          let count = 0;
          return {
            write: (bytes) => (count++ ? Promise.reject(MINE) : file.write(bytes)),
            close: () => file.close(),
            abort: (reason) => file.abort(reason),
          };
        },
      },
    });
  },
  'the place cannot be closed'({ run, sealed }) {
    const to = newFile(output);
    return run([sealed] as never, {
      to: {
        async createWritable() {
          const file = await to.createWritable();
          return {
            write: (bytes) => file.write(bytes),
            close: () => Promise.reject(MINE),
            abort: (reason) => file.abort(reason),
          };
        },
      },
    });
  },
};

/** Nothing else is left. A call that is aborted does not wait long for the removal of its file: on a busy machine that comes later. */
const leaves = (names: readonly string[], failure: string): Promise<void> =>
  vi.waitFor(() => expect(folder.names()).toEqual(names), { timeout: failure === 'it is aborted' ? 30_000 : 0 });

describe.each(wholes)('$title', (whole) => {
  test.each(Object.keys(failures))('%s', async (name) => {
    await expect(failures[name](whole)).rejects.toBeInstanceOf(Error);
    await leaves([], name);
    writeFileSync(output, OLD);
    await expect(failures[name](whole)).rejects.toBeInstanceOf(Error);
    await leaves(['output'], name);
    expect(readFileSync(output, 'utf8')).toBe(OLD);
  });

  test('its place becomes a folder', async () => {
    const { run, sealed } = whole;
    async function* late(): AsyncGenerator<Uint8Array> {
      yield sealed.subarray(0, sealed.length >> 1);
      await sleep(1);
      mkdirSync(output);
      yield sealed.subarray(sealed.length >> 1);
    }
    await expect(run(late(), { to: newFile(output) })).rejects.toBeInstanceOf(Error);
    expect(folder.names()).toEqual(['output']);
  });
});

/** A program that reads standard input and writes `output`. */
interface Writer {
  readonly title: string;
  readonly input: Uint8Array;
  readonly start: () => ChildProcess;
  /** Whether it can end by itself with `process.exit`. */
  readonly exits: boolean;
}
const stdio = ['pipe', 'ignore', 'ignore'] as const;
const main = join(packages, 'cli/src/main.ts');
const command = (title: string, input: Uint8Array, values: () => readonly string[]): Writer => ({
  title: `cli ${title}`,
  input,
  exits: false,
  start: () => spawn(process.execPath, [main, ...values()], { cwd: folder.path, stdio: [...stdio] }),
});
const writers: readonly Writer[] = [
  ...wholes.map(({ title, sealed, program: [imports, call] }): Writer => ({
    title,
    input: sealed,
    exits: true,
    start: () =>
      spawn(
        process.execPath,
        [
          '--input-type=module',
          '-e',
          `${imports} import { newFile } from 'lanewise/stream-node.js'; const to = newFile(${JSON.stringify(output)});
            process.on('SIGUSR2', () => process.exit(3)); await ${call};`,
        ],
        { cwd: import.meta.dirname, stdio: [...stdio] },
      ),
  })),
  command('decrypt', wholes.at(-1)!.sealed, () => ['decrypt', '-i', key(), '-o', output]),
  command('encrypt', PLAINTEXT, () => ['encrypt', '-r', RECIPIENT, '-o', output]),
];
function key(): string {
  const path = join(folder.path, 'key');
  writeFileSync(path, `${IDENTITY}\n`);
  return path;
}
const others = (): string[] => folder.names().filter((name) => name !== 'output' && name !== 'key');
const LIMIT_MS = 60_000;

/** Starts a program, gives it half of its input, waits for its draft, and ends it. */
async function killed({ start, input }: Writer, signal: NodeJS.Signals): Promise<void> {
  const child = start();
  const over = once(child, 'close');
  child.stdin!.on('error', () => undefined);
  child.stdin!.write(input.subarray(0, (input.length * 3) >> 2));
  for (
    const end = performance.now() + LIMIT_MS;
    others().length === 0 && child.exitCode === null && performance.now() < end;
  )
    await sleep(5);
  expect(others(), 'its draft').not.toEqual([]);
  child.kill(signal);
  await over;
}

describe.each(writers)('$title, killed', (writer) => {
  test('leaves nothing under the name, and a later run tidies up', async () => {
    writeFileSync(output, OLD);
    for (const signal of ['SIGTERM', ...(writer.exits ? (['SIGUSR2'] as const) : []), 'SIGKILL'] as const) {
      await killed(writer, signal);
      expect(readFileSync(output, 'utf8'), signal).toBe(OLD);
      for (const name of others()) expect(folder.modeOf(name).toString(8), `${name} after ${signal}`).toBe('600');
    }
    const child = writer.start();
    const over = once(child, 'close');
    child.stdin!.end(writer.input);
    expect((await over)[0]).toBe(0);
    expect(others()).toEqual([]);
    expect(readFileSync(output).length).toBeGreaterThan(OLD.length);
  });
});
