/**
 * Serves a film with a page that plays it, and trusts its hash only: `node examples/verified-video/serve.js film.mp4 [video/mp4]`. The page
 * has a button that lets this server tamper with the film.
 */
import { createReadStream, rmSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { outboard } from 'lanewise/bao.js';
import { bytesToHex } from 'lanewise/utils.js';
import { bundle, serveFile } from '../video/serve.js';

const here = import.meta.dirname;

/** Flips a bit of one byte in 10,000, wherever a range begins: every group of 16 KiB is wrong then. */
const tampering = (from) =>
  async function* (pieces) {
    let at = from;
    for await (const piece of pieces) {
      for (let i = (10_000 - (at % 10_000)) % 10_000; i < piece.length; i += 10_000) piece[i] ^= 1;
      at += piece.length;
      yield piece;
    }
  };

/** Answers of a server that has a film at `/film` and its outboard at `/film.obao`, and tampers when it is told to. */
export async function answers(film, tree, alias = {}) {
  const scripts = await bundle(alias, here);
  const page = await readFile(join(here, 'index.html'), 'utf8');
  let tampers = false;
  const tamper = (is, response) => {
    tampers = is;
    response.writeHead(204).end();
  };
  return (request, response) => {
    // Any page can send `GET //`, which is no path.
    const base = 'http://localhost';
    const pathname = URL.canParse(request.url, base) ? new URL(request.url, base).pathname : undefined;
    const fail = () => (response.headersSent ? response.destroy() : response.writeHead(500).end());
    if (pathname === undefined) response.writeHead(400).end();
    else if (pathname === '/tamper' && request.method === 'POST') tamper(true, response);
    else if (pathname === '/be-honest' && request.method === 'POST') tamper(false, response);
    else if (pathname === '/film') serveFile(film, request, response, tampers && tampering).catch(fail);
    else if (pathname === '/film.obao') serveFile(tree, request, response).catch(fail);
    else if (pathname === '/') response.setHeader('content-type', 'text/html').end(page);
    else if (Object.hasOwn(scripts, pathname))
      response.setHeader('content-type', 'text/javascript').end(scripts[pathname]);
    else response.writeHead(404).end();
  };
}

async function main(film, type = 'video/mp4') {
  const folder = await mkdtemp(join(tmpdir(), 'film-'));
  // However the process ends, unless it is killed.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit());
  const made = await outboard(createReadStream(film), { groupLength: 16384 });
  const tree = join(folder, 'film.obao');
  await writeFile(tree, made.outboard);
  const server = createServer(await answers(film, tree));
  server.listen(0, '127.0.0.1', () =>
    console.log(`http://localhost:${server.address().port}/#${bytesToHex(made.hash)},${encodeURIComponent(type)}`),
  );
}

if (argv[1] && pathToFileURL(argv[1]).href === import.meta.url) {
  if (argv.length < 3) console.log('node examples/verified-video/serve.js FILM [MEDIA-TYPE]');
  else await main(...argv.slice(2));
}
