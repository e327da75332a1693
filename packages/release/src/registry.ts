/** A registry on this machine that has the packages of the release; it sends clients elsewhere for all others. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { tarballOf } from '../../lanewise/scripts/tarballs.ts';
import { onLoopback } from '../../runtimes/src/requests.ts';
import { published, workspace } from './packages.ts';
import { run } from './run.ts';

export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

export interface Tarball {
  readonly name: string;
  readonly version: string;
}

/** When everything here was published, so to speak. */
const PUBLISHED = '2026-01-01T00:00:00.000Z';

/** A registry's answer about the versions of a package. */
async function packument(all: readonly Tarball[], name: string, folder: string, url: string): Promise<object> {
  const its = all.filter((one) => one.name === name);
  const versions = await Promise.all(
    its.map(async (one) => {
      const file = tarballOf(one);
      const bytes = await readFile(join(folder, file));
      const manifest = JSON.parse(
        await run('tar', ['-xzOf', join(folder, file), 'package/package.json'], folder),
      ) as object;
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      const shasum = createHash('sha1').update(bytes).digest('hex'); // older clients ask for it
      return [one.version, { ...manifest, dist: { tarball: `${url}/-/${file}`, integrity, shasum } }] as const;
    }),
  );
  const [latest] = its.map(({ version }) => version).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  // Yarn and pnpm take no version that is younger than a day, or that has no date.
  const time = Object.fromEntries(its.map(({ version }) => [version, PUBLISHED]));
  return { name, 'dist-tags': { latest }, versions: Object.fromEntries(versions), time };
}

/** Serves the tarballs of a folder: all that are published, and `more`. */
export async function serveRegistry(folder: string, more: readonly Tarball[] = []): Promise<Registry> {
  const all = [...published, ...more];
  const elsewhere = (await run('npm', ['config', 'get', 'registry', '--loglevel', 'error'], workspace)).trim();
  const names = new Set(all.map(({ name }) => name));
  const files = new Set(all.map(tarballOf));
  let url = '';
  const server = createServer(
    onLoopback(async ({ path: asked }, request, response) => {
      const path = asked.slice(1);
      if (path.startsWith('-/') && files.has(path.slice(2))) response.end(await readFile(join(folder, path.slice(2))));
      else if (names.has(path)) response.end(JSON.stringify(await packument(all, path, folder, url)));
      else response.writeHead(302, { location: new URL(request.url!.slice(1), elsewhere).href }).end();
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
