/**
 * Runs of `lanewise disk` on one image at once, on a simulated disk: two or three of them in any order of their operations,
 * some stopped for a while, some killed. Afterwards the image is whole, in a state that the runs can have brought it to.
 */
import { adiantum } from 'lanewise/disk.js';
import { expect, test } from 'vitest';
import { Failure, UsageError } from '../src/command.ts';
import { convertInPlace, recover } from '../src/disk/in-place.ts';
import type { Settings } from '../src/disk/options.ts';
import { Sectors } from '../src/disk/sectors.ts';
import { convertToFile } from '../src/disk/to-file.ts';
import { Disk } from './failing-storage.ts';
import { generator } from './random.ts';
import { Killed, SimulatedProcess } from './simulated-process.ts';

const ROUNDS = Number(process.env['LANEWISE_ROUNDS'] ?? 1500);
const SECTOR = 512;
const BATCH = 2 * SECTOR;
/** Three batches, and a shorter one. */
const SIZE = 7 * SECTOR;
/** More operations than a run has. */
const OPERATIONS = 90;
const IMAGE = 'image';
const SOURCE = 'source';

const seed = Number(process.env['LANEWISE_SEED'] ?? Date.now() % 2 ** 31);
console.log(`disk-races: LANEWISE_SEED=${seed}`);
const random = generator(seed);
const below = (count: number): number => Math.floor(random() * count);
const oneOf = <Item>(...items: readonly Item[]): Item => items[below(items.length)];

const key = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);
const settings: Settings = { cipher: 'adiantum', rounds: 12, sectorSize: SECTOR, tweak: 'index64', first: 5n };
const meter = { start() {}, advance() {}, stop() {} };
const pages = { pageSize: SECTOR, tweak: 'index64', first: 5 } as const;
const cipher = adiantum(key);
const sectors = new Sectors(settings, key);

/** A text encrypted several times; with a negative number, decrypted. */
function states(text: Uint8Array): Map<string, number> {
  const found = new Map<string, number>();
  for (const direction of [1, -1]) {
    const bytes = text.slice();
    for (let times = 0; times <= 4; times++) {
      found.set(Buffer.from(bytes).toString('latin1'), direction * times);
      if (direction > 0) cipher.encryptPages(bytes, pages);
      else cipher.decryptPages(bytes, pages);
    }
  }
  return found;
}

const text = (first: number): Uint8Array => Uint8Array.from({ length: SIZE }, (_, i) => first ^ i ^ (i >> 8));
const image = states(text(0));
const source = states(text(100));
const has = (known: Map<string, number>, bytes: Uint8Array): number | undefined =>
  known.get(Buffer.from(bytes).toString('latin1'));

const place = (storage: SimulatedProcess) => ({ storage, image: IMAGE, size: SIZE, key, meter, force: false });

/** Each of these can be run beside each. */
const runs = {
  encrypt: (process) => convertInPlace(place(process), 'encrypt', settings, BATCH),
  decrypt: (process) => convertInPlace(place(process), 'decrypt', settings, BATCH),
  resume: (process) => recover(place(process), 'resume'),
  undo: (process) => recover(place(process), 'undo'),
  'to another file': (process) => toFile(process, IMAGE, 'output'),
  'from another file': (process) => toFile(process, SOURCE, IMAGE),
} as const satisfies Record<string, (process: SimulatedProcess) => Promise<unknown>>;
type Run = keyof typeof runs;

const toFile = (storage: SimulatedProcess, from: string, output: string): Promise<void> =>
  convertToFile({
    storage,
    image: from,
    size: SIZE,
    output,
    mode: 0o600,
    force: true,
    sectorSize: SECTOR,
    convert: (bytes, at) => sectors.encrypt(bytes, at),
    most: BATCH,
    advance() {},
  });

let processes = 100;

/** @returns the outcome of a run: its result, `refused` or `killed`. */
async function start(disk: Disk, run: Run, killedAt?: number): Promise<unknown> {
  const process = new SimulatedProcess(disk, ++processes, random, killedAt);
  try {
    return (await runs[run](process)) ?? 'done';
  } catch (error) {
    if (error instanceof Killed) return 'killed';
    if (error instanceof Failure || error instanceof UsageError) return 'refused';
    throw error;
  } finally {
    process.end();
  }
}

test('two or three runs on one image at once', async () => {
  let recovered = 0;
  let refused = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const disk = new Disk().put(IMAGE, text(0)).put(SOURCE, text(100));
    disk.hardLinks = random() < 0.8;
    const past: unknown[] = [];
    if (random() < 0.6) past.push(await start(disk, oneOf('encrypt', 'decrypt'), below(OPERATIONS)));
    const names = Array.from({ length: 2 + below(2) }, () => oneOf(...(Object.keys(runs) as Run[])));
    const outcomes = await Promise.all(names.map((run) => start(disk, run, oneOf(Infinity, below(OPERATIONS)))));
    const last = await start(disk, oneOf('resume', 'undo'));
    const story = JSON.stringify({ seed, round, past, names, outcomes, last });

    if (last === 'encrypt' || last === 'decrypt') recovered++;
    refused += outcomes.filter((outcome) => outcome === 'refused').length;
    expect(last, story).not.toBe('refused');
    const found = disk.get(IMAGE)!;
    expect(has(image, found) ?? has(source, found), story).toBeDefined();
    const output = disk.get('output');
    if (output) expect(has(image, output) ?? has(source, output), story).toBeDefined();
    expect(disk.names, story).toEqual(output ? [IMAGE, 'output', SOURCE] : [IMAGE, SOURCE]);
    if (past.length === 0 && !outcomes.includes('killed') && !names.includes('from another file')) {
      // Nothing was interrupted, so the image says how many have encrypted and decrypted it.
      const did = (run: Run): number => names.filter((name, i) => name === run && outcomes[i] === 'done').length;
      expect(has(image, found)! - did('encrypt') + did('decrypt'), story).toBe(0);
    }
  }
  console.log(`disk-races: ${ROUNDS} rounds, ${refused} runs refused, ${recovered} images recovered in the end`);
  expect(recovered).toBeGreaterThan(ROUNDS / 10);
  expect(refused).toBeGreaterThan(ROUNDS / 10);
});
