/** Serves the built app on this machine: `npm run app`. */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { buildApp } from './build.ts';
import { HEADERS, SERVICE_WORKER_HEADERS } from './src/policy.ts';

export const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

export const headersOf = (name: string): Readonly<Record<string, string>> => ({
  ...(name === 'service-worker.js' ? SERVICE_WORKER_HEADERS : HEADERS),
  'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
  'cache-control': 'no-cache',
});

if (import.meta.main) {
  const folder = await buildApp();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    const missing = (): unknown =>
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such file.\n');
    // All files are in one folder.
    if (!/^[\w-]+(\.[\w-]+)+$/.test(name)) missing();
    else readFile(join(folder, name)).then((bytes) => response.writeHead(200, headersOf(name)).end(bytes), missing);
  });
  const port = Number(process.env['PORT'] ?? 8080);
  server.on('error', (error: NodeJS.ErrnoException) => {
    console.error(
      error.code === 'EADDRINUSE' ? `Port ${port} is in use; PORT=8081 npm run app takes another.` : error.message,
    );
    process.exitCode = 1;
  });
  server.listen(port, '127.0.0.1', () => {
    console.log(`http://localhost:${(server.address() as AddressInfo).port}/  (Ctrl+C ends it)`);
  });
}
