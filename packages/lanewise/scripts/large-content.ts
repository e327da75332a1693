/**
 * Verified streaming of a content of 10 GiB, or of `--gib N`: a file without blocks, so that no disk has to have room for it. Judges of the
 * hash are b3sum, where it is installed, and `verified`; the most memory of the process is printed, and compared with a limit.
 *
 *     node packages/lanewise/scripts/large-content.ts --gib 10
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { outboard, verified, verifiedReader } from '../src/bao.ts';
import { bytesToHex } from '../src/utils.ts';

const GIB = 2 ** 30;
/** Node itself has about 100 MiB, and the tree over 10 GiB 40. */
const MOST_MEMORY = 400 * 2 ** 20;
const groupLength = 16_384;

const { values } = parseArgs({ options: { gib: { type: 'string', default: '10' } } });
const size = Number(values.gib) * GIB;
if (!(size > 0 && Number.isSafeInteger(size))) throw new Error('--gib takes how many GiB the content has');

const folder = await mkdtemp(join(tmpdir(), 'lanewise-large-'));
const path = join(folder, 'content');
const file = await open(path, 'w+');
let most = 0;
const look = (): void => void (most = Math.max(most, process.memoryUsage.rss()));

function report(what: string, since: number): void {
  const seconds = (performance.now() - since) / 1000;
  console.log(`${what}: ${seconds.toFixed(1)} s, ${Math.round(size / seconds / 1e6)} MB/s`);
}

try {
  await file.truncate(size);
  // Bytes other than zeros at both ends, and in the middle.
  for (const at of [0, Math.floor(size / 2), size - 6]) await file.write(Buffer.from('middle'), 0, 6, at);

  let since = performance.now();
  const made = await outboard(file, { groupLength, onProgress: look });
  report('outboard', since);
  const hash = bytesToHex(made.hash);
  const { stdout, error } = spawnSync('b3sum', ['--no-names', path], { encoding: 'utf8' });
  if (error) console.log('SKIPPED: b3sum is not installed');
  else if (stdout.trim() !== hash) throw new Error(`b3sum says ${stdout.trim()}, and outboard ${hash}`);

  since = performance.now();
  let given = 0;
  const reader = verified(file, made.hash, { outboard: made.outboard, groupLength, onProgress: look }).getReader();
  for (let step = await reader.read(); step.value; step = await reader.read()) given += step.value.length;
  if (given !== size) throw new Error(`verified gave ${given} bytes of ${size}`);
  report('verified', since);

  since = performance.now();
  const random = await verifiedReader(file, made.hash, { outboard: made.outboard, groupLength });
  const end = await random.read(size - 6, size);
  if (Buffer.from(end).toString() !== 'middle') throw new Error('the last bytes are wrong');
  console.log(`the last bytes, from the start: ${(performance.now() - since).toFixed(1)} ms`);

  await file.write(Buffer.from('x'), 0, 1, Math.floor(size / 2));
  const damaged = await random.read(Math.floor(size / 2), Math.floor(size / 2) + 1).catch((error: unknown) => error);
  if (!(damaged instanceof Error)) throw new Error('a wrong byte was given');
  console.log(`a wrong byte: ${damaged.message}`);

  look();
  console.log(`the most memory: ${Math.round(most / 2 ** 20)} MiB`);
  if (most > MOST_MEMORY) throw new Error(`more than ${MOST_MEMORY / 2 ** 20} MiB of memory`);
} finally {
  await file.close();
  await rm(folder, { recursive: true });
}
