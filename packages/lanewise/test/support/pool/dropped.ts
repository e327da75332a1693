/** A program, run with --expose-gc: work whose callers drop all that they had of it. Its argument is the URL of a worker that searches. */
import { Worker } from 'node:worker_threads';
import { createPool } from '../../../src/pool.ts';
import { agePayload } from '../../../src/stream.ts';

const MiB = 1_048_576;
const key = Uint8Array.from({ length: 32 }, (_, i) => (Math.imul(i + 1, 0x9e3779b1) >>> 24) | 1);
const workers: Worker[] = [];
const pool = createPool({
  threads: 1,
  threshold: 4 * MiB,
  spawn() {
    const worker = new Worker(new URL(process.argv[2]));
    workers.push(worker);
    return worker;
  },
});
/** Questions to idle workers do not keep the process running. */
const running = setInterval(() => undefined, 1000);
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));
const hasKey = (): Promise<boolean> =>
  new Promise((resolve) => {
    const listen = ({ found }: { found?: boolean[] }): void => {
      if (!found) return;
      workers[0].off('message', listen);
      resolve(found[0]);
    };
    workers[0].on('message', listen);
    workers[0].postMessage({ search: [key.slice(0, 8)] });
  });

while (!pool.describe().running) await pool.blake3(new Uint8Array(5 * MiB));

/** A source that stops in the midst, and that no one can wake. */
async function* sleeping(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < 10; i++) yield new Uint8Array(MiB);
  await new Promise(() => undefined);
}
const works: Record<string, () => void> = {
  blake3: () => void pool.blake3(sleeping(), { key }),
  encrypt() {
    void agePayload(key).encrypt(sleeping(), { pool }).pipeTo(new WritableStream());
  },
};
for (const [name, work] of Object.entries(works)) {
  work();
  for (let i = 0; i < 50 && !(await hasKey()); i++) await turn();
  const before = await hasKey();
  for (let i = 0; i < 50 && (await hasKey()); i++) {
    (globalThis as unknown as { gc(): void }).gc();
    await turn();
  }
  console.log(`${name}: ${before}, ${await hasKey()}`);
}
await pool.close();
clearInterval(running);
