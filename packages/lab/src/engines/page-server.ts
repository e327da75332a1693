/**
 * Serves a browser the page of one session, which runs the client. The page is cross-origin isolated, so that its clock
 * is finer.
 */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Task } from '../client/messages.ts';
import type { SessionOptions } from './engine.ts';
import {
  EMPTY_PAGE,
  emptyPage,
  PAGE_SCRIPT,
  pageOf,
  serveLocally,
  type Server,
} from '../../../runtimes/src/loopback.ts';
import { parsed } from './session.ts';

export const HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Runs the client in the page; messages are posted one after the other, in order. */
const sessionCode = (client: string): string => `
import { run } from './client/${client}';
let last = Promise.resolve();
const send = (message) => {
  last = last.then(() => fetch('message', { method: 'POST', body: JSON.stringify(message) }));
};
const fail = (error) => send({ type: 'error', message: String(error?.message ?? error) });
addEventListener('error', (event) => fail(event.error ?? event.message));
addEventListener('unhandledrejection', (event) => fail(event.reason));
const task = await (await fetch('task.json')).json();
await run(task, send, { workerUrl: new URL('client/${client}', location.href).href });
`;
/** `receive` gets whatever the page posts. */
export function servePage(task: Task, { client }: SessionOptions, receive: (value: unknown) => void): Promise<Server> {
  const texts: Readonly<Record<string, string>> = {
    '/': pageOf(PAGE_SCRIPT),
    [`/${EMPTY_PAGE}`]: emptyPage,
    '/task.json': JSON.stringify(task),
    [`/${PAGE_SCRIPT}`]: sessionCode(basename(client)),
  };
  return serveLocally({
    headers: HEADERS,
    // The client may load other files of its folder.
    get: (path) =>
      path.startsWith('/client/')
        ? readFile(join(dirname(client), basename(path)))
        : Promise.resolve(texts[path] as string | undefined),
    post: (_, text) => receive(parsed(text)),
  });
}
