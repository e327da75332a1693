/**
 * `npm run site`: builds the site and serves it on this machine, and the app at an origin of its own, both with the headers that their `_headers`
 * tell to hosts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { serveFiles, type Serving } from '../../packages/lab/src/lab/serve.ts';
import { dist } from '../app/build.ts';
import { headersIn } from '../app/headers-file.ts';
import { buildLibrary, servePorts } from '../app/ports.ts';
import { serveApp } from '../app/serve.ts';
import { APP_PORT, SITE_PORT } from './pages.ts';

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

if (import.meta.main)
  await servePorts('npm run site', { port: SITE_PORT, 'app-port': APP_PORT }, async (ports) => {
    buildLibrary();
    process.env['SITE_URL'] ??= `http://localhost:${ports.port}/`;
    process.env['APP_URL'] ??= `http://localhost:${ports['app-port']}/`;
    const { buildSite } = await import('./build.ts');
    await buildSite();
    const { url } = await serveSite(join(import.meta.dirname, '../dist'), ports.port);
    const app = await serveApp(dist, ports['app-port']);
    process.stdout.write(`${url}\nthe app: ${app.url}\n`);
  });
