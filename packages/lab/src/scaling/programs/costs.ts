/** The cost of a job of a pool, part by part: on the caller's thread, on the way, in the worker, and in memory that all share. */
import { blake3 } from 'lanewise/blake3.js';
import { adiantum } from 'lanewise/disk.js';
import { createPool, type Pool } from 'lanewise/pool.js';
import { agePayload } from 'lanewise/stream.js';
import { cores } from '../../client/place.ts';
import { median } from '../../results/medians.ts';

/** Milliseconds for each job of a MiB, unless said otherwise. */
export interface Costs {
  readonly cores: number;
  /** A copy into memory that is used again, on the caller's thread. */
  readonly copy: number;
  /** The caller's thread, for a message with a buffer to a worker and its answer. */
  readonly trip: number;
  /** From a message to its answer, by a worker that sleeps: for any number of bytes. */
  readonly wake: number;
  /** Copies by one worker, and by two at the same time, which share the memory of the machine. */
  readonly copyByOne: number;
  readonly copyByTwo: number;
  /** Reading a Blob in one worker, and in two at the same time. */
  readonly blobByOne: number;
  readonly blobByTwo: number;
  /** The same for a file of the system that is in its cache; undefined where there is none. */
  readonly fileByOne?: number;
  readonly fileByTwo?: number;
  readonly works: readonly WorkCost[];
}
export interface WorkCost {
  readonly name: string;
  /** One thread. */
  readonly one: number;
  /** Pools of one and of two threads, to compare the model with. */
  readonly pools: readonly [one: number, two: number];
}

export interface CostsTask {
  readonly rounds: number;
}

const MIB = 2 ** 20;
const LONG = 64;
const TRIPS = 400;
const IN_FLIGHT = 4;
const WAKES = 40;
const PAUSE_MILLISECONDS = 4;

/** Answers with the message, or copies or reads as it is told. */
const ECHO = `
const builtin = (name) => globalThis.process?.getBuiltinModule?.(name);
const port = builtin('node:worker_threads')?.parentPort ?? globalThis;
const MIB = ${MIB};
const now = () => performance.now();
async function answer(job) {
  if (job.kind === 'echo') return [job, job.buffer ? [job.buffer] : []];
  if (job.kind === 'copy') {
    const from = new Uint8Array(job.count * MIB).fill(1);
    const to = new Uint8Array(job.count * MIB).fill(2);
    const start = now();
    for (let i = 0; i < 4 * job.count; i++) { const at = (i % job.count) * MIB; to.set(from.subarray(at, at + MIB), at); }
    return [{ milliseconds: (now() - start) / (4 * job.count) }, []];
  }
  const start = now();
  if (job.kind === 'blob')
    for (let at = job.from; at < job.to; at += MIB) await job.blob.slice(at, at + MIB).arrayBuffer();
  else {
    const fs = builtin('node:fs');
    const file = fs.openSync(job.path);
    const into = new Uint8Array(MIB);
    for (let at = job.from; at < job.to; at += MIB) fs.readSync(file, into, 0, MIB, at);
    fs.closeSync(file);
  }
  return [{ milliseconds: ((now() - start) * MIB) / (job.to - job.from) }, []];
}
const on = async (job) => { port.postMessage(...await answer(job)); };
if (port.on) port.on('message', on); else port.onmessage = ({ data }) => on(data);
port.postMessage({});
`;

interface Answer {
  readonly buffer?: ArrayBuffer;
  readonly milliseconds?: number;
}
interface Echo {
  post(job: object, transfer?: ArrayBuffer[]): void;
  next(): Promise<Answer>;
  end(): void;
}
/** A module of Node, where there is any. */
const builtin = (name: string): unknown =>
  (globalThis as { process?: { getBuiltinModule?(name: string): unknown } }).process?.getBuiltinModule?.(name);

async function startEcho(): Promise<Echo> {
  const answers: Answer[] = [];
  let waiting: ((answer: Answer) => void) | undefined;
  const heard = (answer: Answer): void => {
    if (!waiting) answers.push(answer);
    waiting?.(answer);
    waiting = undefined;
  };
  const next = (): Promise<Answer> =>
    answers.length > 0 ? Promise.resolve(answers.shift()!) : new Promise((resolve) => (waiting = resolve));
  const started = next();
  if (typeof Worker === 'function') {
    const isPage = 'document' in globalThis;
    const url = isPage
      ? URL.createObjectURL(new Blob([ECHO], { type: 'text/javascript' }))
      : `data:text/javascript,${encodeURIComponent(ECHO)}`;
    const worker = new Worker(url, { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => heard(data));
    await started;
    return { post: (job, transfer = []) => worker.postMessage(job, transfer), next, end: () => worker.terminate() };
  }
  const { Worker: Thread } = builtin('node:worker_threads') as typeof import('node:worker_threads');
  const worker = new Thread(ECHO, { eval: true });
  worker.on('message', (value: Answer) => heard(value));
  await started;
  return { post: (job, transfer = []) => worker.postMessage(job, transfer), next, end: () => void worker.terminate() };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));

/** The same messages again and again, always some of them under way. */
async function tripOf(echo: Echo): Promise<number> {
  const start = performance.now();
  let [sent, answered] = [0, 0];
  const post = (buffer: ArrayBuffer): void => {
    sent++;
    echo.post({ kind: 'echo', buffer }, [buffer]);
  };
  for (let i = 0; i < IN_FLIGHT; i++) post(new ArrayBuffer(MIB));
  while (answered < TRIPS) {
    const { buffer } = await echo.next();
    answered++;
    if (sent < TRIPS) post(buffer!);
  }
  return (performance.now() - start) / TRIPS;
}

async function wakeOf(echo: Echo): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < WAKES; i++) {
    await pause();
    const start = performance.now();
    const answer = echo.next();
    echo.post({ kind: 'echo' });
    await answer;
    times.push(performance.now() - start);
  }
  return median(times);
}

function copyHere(): number {
  const from = new Uint8Array(LONG * MIB).fill(3);
  const to = new Uint8Array(MIB);
  const start = performance.now();
  for (let i = 0; i < 2 * LONG; i++) to.set(from.subarray((i % LONG) * MIB, ((i % LONG) + 1) * MIB));
  return (performance.now() - start) / (2 * LONG);
}

/** The same by one worker, and by two, a half each. The time of two is of a job of either, halved. */
async function byOneAndTwo(echoes: readonly Echo[], job: (from: number, to: number) => object) {
  const ask = async (from: number, to: number, echo: Echo): Promise<number> => {
    const answer = echo.next();
    echo.post(job(from, to));
    return (await answer).milliseconds!;
  };
  const one = await ask(0, LONG * MIB, echoes[0]);
  const half = (LONG / 2) * MIB;
  const two = await Promise.all(echoes.map((echo, i) => ask(i * half, (i + 1) * half, echo)));
  return { one, two: Math.max(...two) / 2 };
}

/** A file of the system's folder for such, where there is one. */
function fileOf(): { path: string; end(this: void): void } | undefined {
  const system = builtin('node:fs') as typeof import('node:fs') | undefined;
  const folder = (builtin('node:os') as Partial<typeof import('node:os')> | undefined)?.tmpdir?.();
  if (!system || folder === undefined) return undefined;
  const made = system.mkdtempSync(`${folder}/lanewise-lab-`);
  const path = `${made}/data`;
  system.writeFileSync(path, new Uint8Array(LONG * MIB).fill(5));
  return { path, end: () => system.rmSync(made, { recursive: true }) };
}

interface ThreadedWork {
  readonly name: string;
  readonly one: (data: Uint8Array<ArrayBuffer>) => unknown;
  readonly pooled: (pool: Pool, data: Uint8Array<ArrayBuffer>) => Promise<unknown>;
}

const KEY = new Uint8Array(32).fill(1);
const PAGES = { pageSize: 4096, tweak: 'index64' } as const;

async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  while (!(await reader.read()).done);
}

/** The work of pools: the same bytes on one thread and on those of a pool. */
function works(): readonly ThreadedWork[] {
  const pages = adiantum(KEY);
  return [
    { name: 'BLAKE3', one: (data) => blake3(data), pooled: (pool, data) => pool.blake3(data) },
    {
      name: 'age payload, encrypt',
      one: (data) => drain(agePayload(KEY).encrypt(data)),
      pooled: (pool, data) => drain(agePayload(KEY).encrypt(data, { pool })),
    },
    {
      name: 'Adiantum pages',
      one: (data) => pages.encryptPages(data, PAGES),
      pooled: (pool, data) => pool.encryptPages(pages, data, PAGES),
    },
  ];
}

async function workCosts(rounds: number): Promise<WorkCost[]> {
  const data = new Uint8Array(LONG * MIB).fill(9);
  const pools = [1, 2].map((threads) => createPool({ threads, idle: 120_000, threshold: 4 * MIB }));
  for (const pool of pools) await pool.blake3(data);
  const costs: WorkCost[] = [];
  for (const { name, one, pooled } of works()) {
    const ways = [() => one(data), ...pools.map((pool) => () => pooled(pool, data))];
    const times = ways.map((): number[] => []);
    for (let round = 0; round < rounds; round++)
      for (const [i, way] of ways.entries()) {
        const start = performance.now();
        await way();
        times[i].push((performance.now() - start) / LONG);
      }
    const [its, first, second] = times.map(median);
    costs.push({ name, one: its, pools: [first, second] });
  }
  await Promise.all(pools.map((pool) => pool.close()));
  return costs;
}

export async function measure({ rounds }: CostsTask): Promise<Costs> {
  const echoes = [await startEcho(), await startEcho()];
  const blob = new Blob(Array.from({ length: LONG }, () => new Uint8Array(MIB).fill(4)));
  const file = fileOf();
  type Measured = Omit<Costs, 'cores' | 'works'>;
  const all: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    const copies = await byOneAndTwo(echoes, () => ({ kind: 'copy', count: LONG }));
    const blobs = await byOneAndTwo(echoes, (from, to) => ({ kind: 'blob', blob, from, to }));
    const files = file && (await byOneAndTwo(echoes, (from, to) => ({ kind: 'file', path: file.path, from, to })));
    all.push({
      copy: copyHere(),
      trip: await tripOf(echoes[0]),
      wake: await wakeOf(echoes[0]),
      copyByOne: copies.one,
      copyByTwo: copies.two,
      blobByOne: blobs.one,
      blobByTwo: blobs.two,
      ...(files && { fileByOne: files.one, fileByTwo: files.two }),
    });
  }
  for (const echo of echoes) echo.end();
  file?.end();
  const middle = Object.fromEntries(
    (Object.keys(all[0]) as (keyof Measured)[]).map((name) => [name, median(all.map((each) => each[name]!))]),
  ) as unknown as Measured;
  return { cores: cores(), ...middle, works: await workCosts(rounds) };
}
