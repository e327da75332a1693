/**
 * `npm run site`: serves the built site on this machine, and the app at an origin of its own, both with the headers that their `_headers`
 * tell to hosts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { serveFiles, type Serving } from '../../packages/lab/src/lab/serve.ts';
import { dist } from '../app/build.ts';
import { headersIn } from '../app/headers-file.ts';
import { serveApp } from '../app/serve.ts';
import { APP_PORT } from './pages.ts';

/** The pages of a folder. */
export async function serveSite(folder: string, port: number): Promise<Serving> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const headersOf = headersIn(readFileSync(join(folder, '_headers'), 'utf8'));
  return serveFiles(new Map(files.map((path) => [relative(folder, path).replaceAll(sep, '/'), readFileSync(path)])), {
    port,
    isolated: false,
    headersOf: (name) => headersOf(`/${name}`),
  });
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '8080' }, 'app-port': { type: 'string', default: String(APP_PORT) } },
  });
  const [port, appPort] = (['port', 'app-port'] as const).map((name) => {
    const number = Number(values[name]);
    if (!Number.isInteger(number) || number < 0 || number > 65535)
      throw new RangeError(`"${name}" expected 0 to 65535, got ${values[name]}`);
    return number;
  });
  const { url } = await serveSite(join(import.meta.dirname, '../dist'), port);
  const app = await serveApp(dist, appPort);
  process.stdout.write(`${url}\nthe app: ${app.url}\n`);
}
