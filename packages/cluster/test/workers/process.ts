/** A worker as a process of its own, for tests that kill it: `node process.ts QUEUE OPTIONS`, with its log on standard output. */
import type { Socket } from 'node:net';
import { createWorker } from '../../src/index.ts';
import type { WorkerOptions } from '../../src/index.ts';

const [queue, options] = process.argv.slice(2);
const worker = await createWorker(queue, {
  ...(JSON.parse(options) as WorkerOptions),
  log: (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
});
process.once('SIGTERM', () => void worker.stop());
// Ends with the test, however that ends, and of itself when the worker has stopped.
process.stdin.resume().once('end', () => process.exit());
(process.stdin as Socket).unref();
