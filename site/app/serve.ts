/** Serves the built app on this machine: `npm run app`. */
import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { onLoopback } from '../../packages/runtimes/src/requests.ts';
import { buildApp } from './build.ts';
import { headersIn, type Headers } from './headers-file.ts';
import { buildLibrary, servePorts } from './ports.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

/** The headers of a file of the app: those of `_headers`, as hosts send them. */
export async function headersOfApp(folder: string): Promise<(name: string) => Headers> {
  const headersOf = headersIn(await readFile(join(folder, '_headers'), 'utf8'));
  return (name) => ({
    ...headersOf(`/${name}`),
    'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
    'cache-control': 'no-cache',
  });
}

/** Serves the app at an origin of its own. Rejects if the port is taken. */
export async function serveApp(
  folder: string,
  port: number,
): Promise<{ readonly url: string; readonly server: Server }> {
  const headersOf = await headersOfApp(folder);
  const server = createServer(
    onLoopback(async ({ path }, request, response) => {
      const name = path === '/' ? 'index.html' : path.slice(1);
      // All files are in one folder.
      const bytes = /^[\w-]+(\.[\w-]+)+$/.test(name)
        ? await readFile(join(folder, name)).catch(() => undefined)
        : undefined;
      if (bytes) response.writeHead(200, headersOf(name)).end(request.method === 'HEAD' ? undefined : bytes);
      else
        response.writeHead(404, { ...headersOf(name), 'content-type': 'text/plain' }).end('There is no such file.\n');
    }),
  );
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return { server, url: `http://localhost:${(server.address() as AddressInfo).port}/` };
}

if (import.meta.main)
  await servePorts('npm run app', { port: 8082 }, async ({ port }) => {
    buildLibrary();
    const { url } = await serveApp(await buildApp(), port);
    console.log(`${url}  (Ctrl+C ends it)`);
  });
