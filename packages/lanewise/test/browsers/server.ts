/** The server of one run in a browser: it serves page, bundles and plan, and receives the results. */
import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { pageOf, serveLocally, type Server } from '../../../runtimes/src/loopback.ts';
import type { Plan, Result } from './page/messages.ts';

export interface Listener {
  readonly started: (file: string) => void;
  readonly result: (result: Result) => void;
  readonly done: () => void;
}

/** `headers` go with every answer. */
export function serve(
  folder: string,
  plan: Plan,
  headers: Readonly<Record<string, string>>,
  { started, result, done }: Listener,
): Promise<Server> {
  const texts: Readonly<Record<string, string>> = {
    '/': pageOf('/page.js'),
    '/realm.html': pageOf('/realm.js'),
    '/plan.json': JSON.stringify(plan),
  };
  const said: Readonly<Record<string, (body: never) => void>> = {
    '/started': started,
    '/result': result,
    '/done': done,
  };
  return serveLocally({
    headers,
    isAtRoot: true,
    get: async (path) =>
      texts[path] ?? (await readFile(join(folder, normalize(path).replace(/^\/again\/\d+\.js$/, '/again.js')))),
    post: (path, text) => said[path](JSON.parse(text) as never),
  });
}
