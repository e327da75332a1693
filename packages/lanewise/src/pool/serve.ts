/** The worker's side of a pool. */
import { contentsOf, messageOf, PROTOCOL, transferable, type Order, type Report } from './protocol.ts';
import { Files } from '../io/files.ts';
import { builtin } from '../io/node.ts';
import type { Handler, JobKind } from '../work/threads.ts';
import { fillBytes, isShared } from '../engine/intrinsics.ts';

/** As far as it is used, the port of a worker to the thread that has started it. */
interface Parent {
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
}
interface NodeParent extends Parent {
  on(event: string, listener: (data: unknown) => void): void;
}
interface EventParent extends Parent {
  addEventListener(event: string, listener: (event: { data: unknown }) => void): void;
}
/**
 * The port to the pool.
 *
 * @param onLost - Called for an order that could not be read, as when there is no memory for it.
 */
function parentOf(onOrder: (order: Order) => void, onLost: () => void): Parent {
  const take = (data: unknown): void => {
    const order = contentsOf<Order>(data);
    if (order) onOrder(order);
  };
  const threads = builtin('node:worker_threads') as { parentPort?: NodeParent | null } | undefined;
  if (threads?.parentPort) {
    threads.parentPort.on('message', take);
    threads.parentPort.on('messageerror', onLost);
    return threads.parentPort;
  }
  const its = globalThis as unknown as Partial<EventParent> & { document?: unknown };
  if (its.document !== undefined || typeof its.postMessage !== 'function')
    throw new Error('lanewise/worker.js runs in workers only: import lanewise/pool.js, which starts them');
  its.addEventListener!('message', ({ data }) => take(data));
  its.addEventListener!('messageerror', onLost);
  return its as EventParent;
}

/**
 * Serves a pool, until it ends the worker.
 *
 * @param kinds - The code for jobs.
 */
export function serve(kinds: readonly JobKind[]): void {
  const sessions = new Map<number, Handler>();
  const files = new Files();

  const post = (report: Report): void => parent.postMessage({ lanewise: report }, transferable(report));

  const close = (session: number): void => {
    sessions.get(session)?.wipe();
    sessions.delete(session);
    files.wipe();
  };

  const run = async ({ session, task, job, input, output, range }: Extract<Order, { type: 'run' }>): Promise<void> => {
    const tell = (progress: number): void => post({ type: 'progress', task, progress });
    try {
      let bytes = input;
      if (range) {
        // Nothing is awaited if the bytes are there: they are in memory that the next job uses, too.
        const read = files.read(range.file, range.from, range.to);
        bytes = read instanceof Promise ? await read : read;
        if (!bytes) {
          post({ type: 'undone', task });
          return;
        }
      }
      if (range?.into) {
        const handler = sessions.get(session);
        handler?.run(job, bytes, bytes);
        const isDone = handler && files.write(range.into, bytes!, range.from);
        post(isDone ? { type: 'done', task, answer: undefined } : { type: 'undone', task });
        return;
      }
      // The session may have been closed while the file was read. The answer is not wanted then.
      const made: unknown = sessions.get(session)?.run(job, bytes, output ?? bytes, tell);
      const answer: unknown = made instanceof Promise ? await made : made;
      // Memory of a file that is not used again.
      if (range && bytes && !('fd' in range.file)) fillBytes(bytes, 0);
      // Shared memory stays where it is.
      const given = transferable(answer);
      const isGiven = (memory: Uint8Array): boolean => given.includes(memory.buffer as ArrayBuffer);
      const isOwn = input && !isShared(input);
      const memory = isOwn ? input : output;
      // One of both comes back.
      if (isOwn && output && !isGiven(output)) fillBytes(output, 0);
      post({ type: 'done', task, answer, ...(memory && !isGiven(memory) && { memory }) });
    } catch (error) {
      post({ type: 'failed', reason: messageOf(error) });
    }
  };

  const onOrder = (order: Order): void => {
    switch (order.type) {
      case 'open': {
        const kind = kinds.find((its) => its.kind === order.kind)!;
        sessions.set(order.session, kind.open(order.parameters, order.secrets));
        break;
      }
      case 'run':
        void run(order);
        break;
      case 'close':
        close(order.session);
        break;
      case 'ping':
        post({ type: 'pong' });
        break;
      case 'end':
        for (const session of sessions.keys()) close(session);
        post({ type: 'bye' });
    }
  };
  const parent = parentOf(onOrder, () => post({ type: 'failed', reason: 'an order could not be read' }));
  post({ type: 'hello', protocol: PROTOCOL });
}
