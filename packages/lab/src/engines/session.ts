/** The rules of a session in every engine: which messages are valid, which of them end it, and that it always ends. */
import { createInterface } from 'node:readline';
import type { Message, Task } from '../client/messages.ts';
import type { Found } from '../../../runtimes/src/found.ts';
import { message as schema } from '../results/schema.ts';
import type { Engine, SessionOptions } from './engine.ts';

const TYPES: ReadonlySet<unknown> = new Set(schema.options.map(({ entries }) => entries.type.literal));

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'type' in value && TYPES.has(value.type);

/** No message follows this one. */
const isLast = (message: Message): boolean =>
  message.type === 'done' || (message.type === 'error' && message.contest === undefined);

/** Parses JSON, or returns the text itself, which the caller rejects. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Passes on the lines of a stream, which are JSON, an unfinished one at the end, too; resolves when it has closed. */
export async function hear(input: NodeJS.ReadableStream, receive: (value: unknown) => void): Promise<void> {
  for await (const line of createInterface({ input })) receive(parsed(line));
}

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
};

/**
 * Starts an engine, passes its messages to `receive` until `over`, then ends the process and removes its files.
 * Resolves to the way it ended, in words; rejects if it could not be started.
 */
type Start = (receive: (value: unknown) => void, over: Promise<void>) => Promise<string>;

/** An engine by how it is found, and how a session is started at its path. */
export function engineBy(
  about: Pick<Engine, 'id' | 'name' | 'settings' | 'remarks'>,
  look: Engine['find'],
  start: (path: string, task: Task, options: SessionOptions) => Start,
): Engine {
  // A missing engine is looked for again.
  let known: Found | undefined;
  const find: Engine['find'] = async () => {
    if (known) return known;
    const answer = await look();
    if (answer.missing === undefined) known = answer;
    return answer;
  };
  return {
    ...about,
    find,
    run: (task, options, onMessage, signal) =>
      conduct(options.limitMilliseconds, onMessage, signal, async (receive, over) => {
        const found = await find();
        if (found.missing !== undefined) throw new Error(`there is no ${found.missing}: ${found.howToGet}`);
        return start(found.path, task, options)(receive, over);
      }),
  };
}

/** Never rejects: a failure is the last message. */
async function conduct(
  limitMilliseconds: number,
  onMessage: (message: Message) => void,
  signal: AbortSignal | undefined,
  start: Start,
): Promise<void> {
  let isOver = false;
  let end!: () => void;
  const over = new Promise<void>((resolve) => (end = resolve));
  const finish = (message: Message): void => {
    if (isOver) return;
    isOver = true;
    onMessage(message);
    end();
  };
  const fail = (message: string): void => finish({ type: 'error', message });
  const receive = (value: unknown): void => {
    if (isOver) return;
    if (!isMessage(value)) fail(`it sent an invalid message: ${shown(value)}`);
    else if (isLast(value)) finish(value);
    else onMessage(value);
  };

  const stop = (): void => fail('stopped');
  if (signal?.aborted) {
    stop();
    return;
  }
  signal?.addEventListener('abort', stop, { once: true });
  const limit = setTimeout(() => fail(`it took more than ${limitMilliseconds / 1000} s`), limitMilliseconds);
  try {
    fail(`it ${await start(receive, over)} before it was done`);
  } catch (error) {
    fail(`it could not be started: ${(error as Error).message}`);
  } finally {
    clearTimeout(limit);
    signal?.removeEventListener('abort', stop);
  }
}
