/**
 * A long Blob is hashed while a timer of the page tells how long the page could not answer: the time between two of its
 * turns beyond its period.
 */
import { blake3 } from 'lanewise/blake3.js';
import { createPool } from 'lanewise/pool.js';

export interface StallsTask {
  readonly mebibytes: number;
  readonly rounds: number;
}

/** How long the page could not answer, and how fast the work was. */
export interface Row {
  readonly source: 'memory' | 'file' | 'none';
  readonly way: string;
  readonly megabytesPerSecond: number[];
  /** The longest stall of each round, in milliseconds. */
  readonly longest: number[];
  /** Stalls of more than 20 ms in all rounds. */
  readonly long: number;
}
export interface StallsResult {
  readonly cores: number;
  readonly rows: readonly Row[];
  /** Why a row is missing. */
  readonly missing: readonly string[];
}

const MIB = 2 ** 20;
const LONG_MILLISECONDS = 20;
/** Browsers do not run a timer in a timer more often. HTML Standard, "timer initialization steps" */
const PERIOD_MILLISECONDS = 4;
const QUIET_MILLISECONDS = 2000;

/** Measures the turns of the event loop while `work` runs. */
async function stallsOf(
  work: () => Promise<unknown>,
): Promise<{ longest: number; long: number; milliseconds: number }> {
  let [longest, long, last, over] = [0, 0, performance.now(), false];
  const look = (): void => {
    const stall = performance.now() - last - PERIOD_MILLISECONDS;
    last += stall + PERIOD_MILLISECONDS;
    longest = Math.max(longest, stall);
    if (stall > LONG_MILLISECONDS) long++;
    if (!over) setTimeout(look, PERIOD_MILLISECONDS);
  };
  setTimeout(look, PERIOD_MILLISECONDS);
  const start = performance.now();
  await work();
  const milliseconds = performance.now() - start;
  // A stall at the end of the work shows at the next turn.
  await new Promise((resolve) => setTimeout(resolve, 2 * PERIOD_MILLISECONDS));
  over = true;
  return { longest, long, milliseconds };
}

/** Each MiB of the data has its number in it. */
function piecesOf(mebibytes: number): (from: number, count: number) => Uint8Array<ArrayBuffer> {
  const pattern = Uint8Array.from({ length: MIB }, (_, i) => (i * 167 + (i >> 8) * 13) & 255);
  return (from, count) => {
    const bytes = new Uint8Array(Math.min(count, mebibytes - from) * MIB);
    for (let i = 0; i * MIB < bytes.length; i++) {
      bytes.set(pattern, i * MIB);
      new DataView(bytes.buffer).setUint32(i * MIB, from + i);
    }
    return bytes;
  };
}

const AT_ONCE = 16;

function inMemory(mebibytes: number): Blob {
  const pieces = piecesOf(mebibytes);
  const parts: Blob[] = [];
  for (let from = 0; from < mebibytes; from += AT_ONCE) parts.push(new Blob([pieces(from, AT_ONCE)]));
  return new Blob(parts);
}

/** A file of the browser's own file system. */
async function inFile(mebibytes: number): Promise<File> {
  const folder = await navigator.storage.getDirectory();
  const file = await folder.getFileHandle('lanewise-lab', { create: true });
  const writable = await file.createWritable();
  const pieces = piecesOf(mebibytes);
  for (let from = 0; from < mebibytes; from += AT_ONCE) await writable.write(pieces(from, AT_ONCE));
  await writable.close();
  return file.getFile();
}

/** Pieces that are read and hashed one after the other, on this thread. */
async function onThisThread(blob: Blob): Promise<Uint8Array> {
  const hasher = blake3.create();
  for (let at = 0; at < blob.size; at += MIB)
    hasher.update(new Uint8Array(await blob.slice(at, at + MIB).arrayBuffer()));
  return hasher.digest();
}

const SPINNING = 'const end = Date.now() + 60000; while (Date.now() < end);';

/** Workers that only use processors: what the scheduler of the system does to the page. */
async function besideSpinning(count: number): Promise<void> {
  const url = URL.createObjectURL(new Blob([SPINNING], { type: 'text/javascript' }));
  const workers = Array.from({ length: count }, () => new Worker(url));
  await new Promise((resolve) => setTimeout(resolve, QUIET_MILLISECONDS));
  for (const worker of workers) worker.terminate();
  URL.revokeObjectURL(url);
}

export async function measure({ mebibytes, rounds }: StallsTask): Promise<StallsResult> {
  const cores = navigator.hardwareConcurrency;
  const usual = createPool();
  const all = createPool({ threads: cores });
  const missing: string[] = [];
  const sources: { source: Row['source']; blob: Blob }[] = [{ source: 'memory', blob: inMemory(mebibytes) }];
  try {
    sources.push({ source: 'file', blob: await inFile(mebibytes) });
  } catch (error) {
    missing.push(`a file: ${String(error)}`);
  }
  const idle = () => new Promise((resolve) => setTimeout(resolve, QUIET_MILLISECONDS));
  const { threads } = usual.describe();
  const ways = [
    { source: 'none' as const, way: 'nothing', size: 0, work: idle },
    { source: 'none' as const, way: `${cores} workers that spin`, size: 0, work: () => besideSpinning(cores) },
    ...sources.flatMap(({ source, blob }) => [
      { source, way: 'this thread', size: blob.size, work: () => onThisThread(blob) },
      { source, way: `pool, ${threads} (the default)`, size: blob.size, work: () => usual.blake3(blob) },
      ...(cores === threads ? [] : [{ source, way: `pool, ${cores}`, size: blob.size, work: () => all.blake3(blob) }]),
    ]),
  ];
  const rows = ways.map(({ source, way }) => ({
    source,
    way,
    megabytesPerSecond: [] as number[],
    longest: [] as number[],
    long: 0,
  }));
  const digests = new Set<string>();
  for (let round = 0; round < rounds; round++)
    for (const [i, { size, work }] of ways.entries()) {
      let digest: unknown;
      const { longest, long, milliseconds } = await stallsOf(async () => (digest = await work()));
      if (digest instanceof Uint8Array) digests.add(String(digest));
      rows[i].longest.push(longest);
      rows[i].long += long;
      if (size > 0) rows[i].megabytesPerSecond.push(size / 1000 / milliseconds);
    }
  if (digests.size !== 1) throw new Error('the hashes differ');
  await Promise.all([usual.close(), all.close()]);
  return { cores, rows, missing };
}
