/**
 * Encrypts a film, and serves it with a page that plays it: `node examples/video/serve.js film.mp4 [video/mp4]`. The server has only
 * the encrypted film.
 */
import { createServer } from 'node:http';
import { mkdtemp, open, readFile, stat } from 'node:fs/promises';
import { createReadStream, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { chunked } from 'lanewise/stream.js';
import { bytesToHex, randomBytes } from 'lanewise/utils.js';
import { rangeOf } from './range.js';

const here = import.meta.dirname;

/** The page's scripts, each with all that it imports. */
export async function bundle(alias = {}, folder = here) {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'main.js'), join(folder, 'service-worker.js')],
    outdir: '/',
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
    alias,
  });
  return Object.fromEntries(outputFiles.map(({ path, text }) => [path.replace(/.*[\\/]/, '/'), text]));
}

/** Writes the encrypted film to a file. */
export async function encryptFile(from, to, key) {
  const sealer = await chunked(key).sealer();
  const file = await open(to, 'wx');
  try {
    await file.appendFile(sealer.header);
    for await (const piece of createReadStream(from, { highWaterMark: 1 << 20 }))
      await file.appendFile(sealer.push(piece));
    await file.appendFile(sealer.end());
  } finally {
    await file.close();
  }
}

/**
 * Answers for a file as servers of static files do: ranges, and conditions by which nobody gets a mixture of two versions. `change` makes a
 * transform of the bytes from a place on.
 */
export async function serveFile(path, { method, headers }, response, change) {
  const { size, mtimeMs } = await stat(path);
  const etag = `"${size}-${mtimeMs}"`;
  response.setHeader('accept-ranges', 'bytes').setHeader('etag', etag);
  if (headers['if-match'] !== undefined && headers['if-match'] !== etag) return response.writeHead(412).end();
  const other = headers['if-range'] !== undefined && headers['if-range'] !== etag;
  const range = rangeOf(other ? null : (headers.range ?? null), size);
  if (range === 'none') return response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
  const [from, to] = range === 'all' ? [0, size] : range;
  response.setHeader('content-length', to - from);
  if (range !== 'all') response.setHeader('content-range', `bytes ${from}-${to - 1}/${size}`);
  response.writeHead(range === 'all' ? 200 : 206);
  if (method === 'HEAD' || from === to) return response.end();
  // A browser aborts a request at each seek; `pipeline` closes the file then, which `pipe` does not. A response that was cut has no other end.
  const bytes = createReadStream(path, { start: from, end: to - 1 });
  return pipeline([bytes, ...(change ? [change(from)] : []), response]).catch(() => undefined);
}

async function main(film, type = 'video/mp4') {
  const folder = await mkdtemp(join(tmpdir(), 'film-'));
  // However the process ends, unless it is killed.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit());
  const encrypted = join(folder, 'film.encrypted');
  const key = randomBytes(32);
  await encryptFile(film, encrypted, key);
  const scripts = await bundle();
  const page = await readFile(join(here, 'index.html'), 'utf8');
  const server = createServer((request, response) => {
    // Any page can send `GET //`, which is no path.
    const base = 'http://localhost';
    const pathname = URL.canParse(request.url, base) ? new URL(request.url, base).pathname : undefined;
    const fail = () => (response.headersSent ? response.destroy() : response.writeHead(500).end());
    if (pathname === undefined) response.writeHead(400).end();
    else if (pathname === '/film.encrypted') serveFile(encrypted, request, response).catch(fail);
    else if (pathname === '/') response.setHeader('content-type', 'text/html').end(page);
    else if (Object.hasOwn(scripts, pathname))
      response.setHeader('content-type', 'text/javascript').end(scripts[pathname]);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1', () =>
    console.log(`http://localhost:${server.address().port}/#${bytesToHex(key)},${encodeURIComponent(type)}`),
  );
}

if (argv[1] && pathToFileURL(argv[1]).href === import.meta.url) {
  if (argv.length < 3) console.log('node examples/video/serve.js FILM [MEDIA-TYPE]');
  else await main(...argv.slice(2));
}
