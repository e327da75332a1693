/**
 * `lanewise disk`, several runs on one image at once, some of them killed or stopped where they happen to be. After a last
 * recovery the image is whole, in one state or the other. `LANEWISE_ROUNDS=300` takes some minutes.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hpolyc } from 'lanewise/disk.js';
import { blake3 } from 'lanewise/blake3.js';
import { bytesToHex } from 'lanewise/utils.js';
import { expect, test } from 'vitest';
import { bytes, ended, file, folder, KEY, SLOW, startDisk, until } from './programs.ts';
import { generator } from './random.ts';

const ROUNDS = Number(process.env['LANEWISE_ROUNDS'] ?? 15);
const seed = Number(process.env['LANEWISE_SEED'] ?? Date.now() % 2 ** 31);
console.log(`disk-stress: LANEWISE_SEED=${seed} LANEWISE_ROUNDS=${ROUNDS}`);
const random = generator(seed);
const below = (count: number): number => Math.floor(random() * count);
const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)];

/** Two batches, and a shorter one. */
const SIZE = 9 * 2 ** 20;
/** Milliseconds within which runs begin, are stopped, and are killed. Most of a run is over then. */
const BEGIN = 60;
const MEANWHILE = 250;
/** One run interrupted, and three at once, do no more. */
const MOST_TIMES = 4;

const keyed = ['--key-file', 'key'];
const inPlace = [...keyed, ...SLOW, '--in-place'];
/** Each of these can be run beside each. */
const runs = {
  encrypt: ['encrypt', 'image', ...inPlace],
  decrypt: ['decrypt', 'image', ...inPlace],
  resume: ['resume', 'image', ...keyed],
  undo: ['undo', 'image', ...keyed],
  'to another file': ['encrypt', 'image', ...keyed, ...SLOW, '-o', 'output', '--force'],
  'from another file': ['encrypt', 'source', ...keyed, ...SLOW, '-o', 'image', '--force'],
} as const;
type Run = keyof typeof runs;

const cipher = hpolyc(KEY, { rounds: 20 });
const read = (name: string): Buffer => readFileSync(join(folder, name));
const hashOf = (content: Uint8Array): string => bytesToHex(blake3(content));

/** A text, encrypted or decrypted any number of times. */
class Text {
  readonly #hashes: string[];
  readonly #contents: Record<'encryptPages' | 'decryptPages', Uint8Array>;

  constructor(text: Uint8Array) {
    this.#hashes = [hashOf(text)];
    this.#contents = { encryptPages: new Uint8Array(text), decryptPages: new Uint8Array(text) };
  }

  /** Most contents are among the first few. */
  has(hash: string): boolean {
    for (let times = 0; times < MOST_TIMES && !this.#hashes.includes(hash); times++)
      if (this.#hashes.length <= 2 * times + 1)
        for (const change of ['encryptPages', 'decryptPages'] as const) {
          cipher[change](this.#contents[change], { pageSize: 16, tweak: 'index64' });
          this.#hashes.push(hashOf(this.#contents[change]));
        }
    return this.#hashes.includes(hash);
  }
}

const plaintext = bytes(SIZE);
const source = bytes(SIZE).reverse();
const texts = [new Text(plaintext), new Text(source)];
const isWhole = (name: string): boolean => {
  const hash = hashOf(read(name));
  return texts.some((text) => text.has(hash));
};

const interrupted = { killed: 0, stopped: 0, between: 0, refused: 0 };

/** Stops and kills a run where chance wants it. */
async function disturb(child: ChildProcess): Promise<void> {
  if (random() < 0.5) {
    await sleep(random() * MEANWHILE);
    if (child.kill('SIGSTOP')) interrupted.stopped++;
    await sleep(random() * MEANWHILE);
  }
  if (random() < 0.4) {
    await sleep(random() * MEANWHILE);
    if (child.kill('SIGKILL')) interrupted.killed++;
  }
  child.kill('SIGCONT');
}

/** @returns the outcome of a run. A run that did not do its work says so in one line. */
async function start(run: Run): Promise<string> {
  await sleep(random() * BEGIN);
  const child = startDisk(...runs[run]);
  const [{ status, signal, stderr }] = await Promise.all([ended(child), disturb(child)]);
  if (signal) return signal;
  if (status === 0) return 'done';
  expect(stderr).toMatch(/^lanewise disk: .*\n$/);
  expect(status).toBe(1);
  interrupted.refused++;
  return stderr.trim();
}

/** Leaves a journal, mostly. */
async function interrupt(run: Run): Promise<void> {
  const child = startDisk(...runs[run]);
  const end = ended(child);
  await until(() => existsSync(join(folder, 'image.lanewise-journal')) || child.exitCode !== null);
  await sleep(random() * MEANWHILE * 0.5);
  child.kill('SIGKILL');
  await end;
}

test('two or three runs on one image at once, stopped and killed', { timeout: 3_600_000 }, async () => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  file('key', KEY);
  file('source', source);
  for (let round = 0; round < ROUNDS; round++) {
    file('image', plaintext);
    const begun = random() < 0.6 ? oneOf(['encrypt', 'decrypt'] as const) : undefined;
    if (begun) await interrupt(begun);
    const names = Array.from({ length: 2 + below(2) }, () => oneOf(Object.keys(runs) as Run[]));
    const outcomes = await Promise.all(names.map(start));
    if (!isWhole('image')) interrupted.between++;

    const story = JSON.stringify({ seed, round, begun, names, outcomes });
    const last = startDisk(oneOf(['resume', 'undo']), 'image', ...keyed);
    const { status, stderr } = await ended(last);
    expect(stderr, story).toMatch(status === 0 ? /^$/ : /^lanewise disk: image: nothing to (resume|undo): /);
    expect(isWhole('image'), story).toBe(true);
    if (existsSync(join(folder, 'output'))) {
      expect(isWhole('output'), story).toBe(true);
      rmSync(join(folder, 'output'));
    }
    expect(readdirSync(folder).sort(), story).toEqual(['image', 'key', 'source']);
  }
  console.log(`disk-stress: ${ROUNDS} rounds: ${JSON.stringify(interrupted)}`);
  expect(interrupted.killed).toBeGreaterThan(ROUNDS / 10);
  expect(interrupted.stopped).toBeGreaterThan(ROUNDS / 10);
});
