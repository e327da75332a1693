/** `lanewise disk` in place, killed thirty times at random moments: recovery then ends with a whole image. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hpolyc } from 'lanewise/disk.js';
import { expect, test } from 'vitest';
import { bytes, ended, file, folder, KEY, SLOW, startDisk } from './programs.ts';

const KILLS = 30;
/** Four batches. */
const SIZE = 2 ** 24;
const image = join(folder, 'image');
const journal = `${image}.lanewise-journal`;
const plaintext = bytes(SIZE);
const ciphertext = hpolyc(KEY, { rounds: 20 }).encryptPages(bytes(SIZE), { pageSize: 16, tweak: 'index64' });

const holds = (content: Uint8Array): boolean => readFileSync(image).equals(content);
const changed = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const hasDraft = (): boolean => readdirSync(folder).some((name) => name.includes('.lanewise-draft.'));
const oneOf = <Item>(...items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)];

/** How long a run takes from the first that it writes: a fast machine must not be done before it is killed. */
let duration = 0;

/** Runs the command, and kills it some time after it has first written something, or lets it end. */
async function run(fate: 'kill' | 'measure' | 'leave', ...values: readonly string[]): Promise<'killed' | 'ended'> {
  const before = changed(journal);
  const child = startDisk(values[0], image, '--key-file', 'key', ...values.slice(1));
  const end = ended(child);
  if (fate !== 'leave') while (child.exitCode === null && changed(journal) === before && !hasDraft()) await sleep(1);
  const begun = performance.now();
  if (fate === 'kill') {
    await sleep(Math.random() * duration);
    child.kill('SIGKILL');
  }
  const { status, signal, stderr } = await end;
  if (fate === 'measure') duration = performance.now() - begun;
  if (signal === 'SIGKILL') return 'killed';
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return 'ended';
}

test('killed at random points', { timeout: 300_000 }, async () => {
  file('key', KEY);
  file('image', plaintext);
  await run('measure', 'encrypt', ...SLOW, '--in-place');
  expect(holds(ciphertext)).toBe(true);
  let kills = 0;
  let between = 0;
  let encrypted = true;
  while (kills < KILLS) {
    const [from, to] = encrypted ? [ciphertext, plaintext] : [plaintext, ciphertext];
    // One run, and as many recoveries as it takes.
    let action: string = encrypted ? 'decrypt' : 'encrypt';
    let outcome = await run('kill', action, ...SLOW, '--in-place');
    while (outcome === 'killed') {
      kills++;
      if (existsSync(journal)) {
        if (!holds(from) && !holds(to)) between++;
        action = oneOf('resume', 'undo');
      } else {
        // Before there was a journal, or after.
        expect(holds(from) || holds(to)).toBe(true);
        if (!hasDraft()) break;
        expect(holds(from)).toBe(true);
        action = 'undo';
      }
      outcome = await run(oneOf('kill', 'leave'), action);
    }
    if (outcome === 'ended') expect(holds(action === 'undo' ? from : to)).toBe(true);
    expect(existsSync(journal)).toBe(false);
    encrypted = holds(ciphertext);
  }
  console.log(`disk-kill: ${kills} kills, ${between} of them with an image that was neither the one nor the other`);
  // Most of the time is spent there.
  expect(between).toBeGreaterThan(KILLS / 10);
});
