/** A worker of a pool that meets with an end of its own when it is told how, by `{ fault }`. */
import { parentPort } from 'node:worker_threads';

let isDoomed = false;
const faults: Record<string, () => void> = {
  throw() {
    throw new Error('a bug');
  },
  reject: () => void Promise.reject(new Error('a bug in a promise')),
  exit: () => process.exit(3),
  memory() {
    const kept: unknown[] = [];
    for (;;) kept.push(new Array(100_000).fill({}));
  },
  lost: () => void parentPort!.emit('messageerror', new Error('no memory for it')),
  /** It ends as soon as it has work. */
  doom: () => void (isDoomed = true),
};
interface Message {
  readonly fault?: string;
  readonly lanewise?: { readonly type: string };
}
parentPort!.on('message', ({ fault, lanewise }: Message) => {
  if (fault !== undefined) faults[fault]();
  if (isDoomed && lanewise?.type === 'run') faults['throw']();
});

await import('../../../src/worker.ts');
