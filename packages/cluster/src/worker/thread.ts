/** A thread of a worker: it reads and hashes, so that the worker's own event loop is free to renew the leases of jobs. */
import { parentPort, workerData } from 'node:worker_threads';
import { checked, FinalError, sentOf, type SentError } from '../jobs/errors.ts';
import type { JobKind } from '../jobs/kind.ts';
import { kindOf } from '../jobs/kinds.ts';
import { shown } from '../objects/errors.ts';
import { allowed } from '../objects/index.ts';
import { providerAt } from '../objects/provided.ts';
import { loadNative } from './native.ts';
import type { SentSettings, ThreadSettings } from './settings.ts';

/** A job for a thread. */
export interface Task {
  /** Whether to run the job, or to clean up after a failed task. */
  readonly action: 'run' | 'abandon';
  readonly name: string;
  readonly data: unknown;
  readonly children: readonly unknown[];
}

export type ToThread = { readonly task: Task } | { readonly abort: true };
export type FromThread = { readonly result: unknown } | { readonly error: SentError } | { readonly notice: string };

const { credentials, ...sent } = workerData as SentSettings;
const settings: ThreadSettings = credentials
  ? { ...sent, objects: { ...sent.objects, credentials: providerAt(credentials) } }
  : sent;

/** The data of a job, checked, and within this worker's permissions. */
function permitted(kind: JobKind, given: unknown): unknown {
  const data = kind.check(given);
  const { source, target } = kind.touches(data);
  if (!allowed(source, settings.allow))
    throw new FinalError(`${shown(source)}: "source" expected an object that "allow" of its worker names, got another`);
  if (target !== undefined && !allowed(target, settings.allowWrite))
    throw new FinalError(
      `${shown(target)}: "target" expected an object that "allowWrite" of its worker names, got another`,
    );
  return data;
}

async function perform({ action, name, data: given, children }: Task, signal: AbortSignal): Promise<unknown> {
  const kind = checked(() => kindOf(name));
  const data = checked(() => permitted(kind, given));
  const context = { settings, children, signal };
  if (action === 'run') return await kind.run(data, context);
  await kind.abandon?.(data, context);
  return undefined;
}

// Without a port, this file was imported elsewhere by mistake.
if (!parentPort) throw new Error('a thread of a worker cannot run in the main thread');
const port = parentPort;
let current: AbortController | undefined;
/** Not in the main thread, whose program chooses its engine itself. */
const loading = settings.native ? loadNative() : undefined;
void loading?.then((broken) => {
  if (broken !== undefined) port.postMessage({ notice: broken } satisfies FromThread);
});

async function answer(task: Task): Promise<FromThread> {
  const aborter = new AbortController();
  current = aborter;
  try {
    await loading;
    return { result: await perform(task, aborter.signal) };
  } catch (error) {
    return { error: sentOf(error) };
  } finally {
    current = undefined;
  }
}

port.on('message', (message: ToThread) => {
  if ('abort' in message) current?.abort();
  else void answer(message.task).then((sent) => port.postMessage(sent));
});
