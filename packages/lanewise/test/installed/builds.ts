/** Builds an application with the installed library, serves it, and lets browsers check it. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { fetched, folderOf } from '../../../runtimes/src/fetched.ts';
import { pageOf, serveLocally } from '../../../runtimes/src/loopback.ts';
import { inWords, start } from '../../../runtimes/src/processes.ts';
import { ESBUILD, NEXT, PARCEL, VITE, VITE_7, type Build } from './bundlers.ts';
import { block } from './guide.ts';
import { copyInstalled } from './package.ts';
import type { Checked } from './visit.ts';

const SOURCES = join(import.meta.dirname, 'app');
const PATIENCE_MILLISECONDS = 30_000;
const MOST_BUILDING_MILLISECONDS = 300_000;
const environment = { NEXT_TELEMETRY_DISABLED: '1' };

/** A served application. */
export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** The program of a bundler. It is fetched if it is missing. */
export async function programOf({ bundler }: Build): Promise<string> {
  if (bundler !== ESBUILD) return fetched(bundler);
  return createRequire(import.meta.url).resolve('esbuild/bin/esbuild');
}

/** The files of the application in a folder of its own, where the bundler's packages are found. */
async function applicationOf({ bundler, files = {} }: Build, installed: string): Promise<string> {
  const folder = await mkdtemp(join(bundler === ESBUILD ? tmpdir() : folderOf(bundler), 'app-'));
  const sources = bundler === NEXT ? join(folder, 'app') : folder;
  if (bundler === NEXT) {
    await cp(join(SOURCES, 'next'), folder, { recursive: true });
    // Otherwise it takes the folder of the lock file that it finds above.
    const config = 'next.config.mjs' in files ? block(files['next.config.mjs']) : 'export default {};';
    const root = JSON.stringify(folderOf(bundler));
    const more = `{ turbopack: { root: ${root} }, outputFileTracingRoot: ${root} }`;
    await writeFile(join(folder, 'users.config.mjs'), config);
    const lines = `import users from './users.config.mjs';\nexport default { ...users, ...${more} };\n`;
    await writeFile(join(folder, 'next.config.mjs'), lines);
  }
  for (const name of ['check.js', 'main.js', 'pool.js']) await cp(join(SOURCES, name), join(sources, name));
  if (bundler !== NEXT)
    for (const [name, its] of Object.entries(files)) await writeFile(join(folder, name), block(its));
  const dependencies = { lanewise: '*', ...(bundler === NEXT && { next: '*', react: '*', 'react-dom': '*' }) };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  await writeFile(join(folder, 'index.html'), pageOf('/main.js'));
  // Parcel takes the folder of the lock file for the root of the application.
  if (bundler === PARCEL) await writeFile(join(folder, 'package-lock.json'), '{}');
  // Otherwise webpack finds that of this workspace, which says that `lanewise` is its sources.
  await writeFile(join(folder, bundler === NEXT ? 'jsconfig.json' : 'tsconfig.json'), '{}');
  copyInstalled(installed, folder);
  return folder;
}

/** The files of a folder, and the page. */
async function serveFolder(folder: string, page: string, headers: Build['headers'] = {}): Promise<Served> {
  return serveLocally({
    headers,
    isAtRoot: true,
    get: async (path) => (path === '/' ? page : readFile(join(folder, path))),
    post: () => undefined,
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the bundler's own server. */
async function serveBy(program: string, args: readonly string[], folder: string): Promise<Served> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const its = args.map((argument) => argument.replace('PORT', `${port}`));
  const running = await start({ path: process.execPath, arguments: [program, ...its], folder, environment });
  let ended: string | undefined;
  void running.ended.then((ending) => (ended = inWords(ending)));
  const until = Date.now() + PATIENCE_MILLISECONDS;
  const answers = (): Promise<boolean> =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (ended === undefined && Date.now() < until) await after(100);
    else {
      await running.stop();
      throw new Error(`the server ${ended ?? 'does not answer'}`);
    }
  }
  return { url, close: () => running.stop() };
}

/** Runs the bundler in the folder of an application; rejects with its message. */
async function bundle(build: Build, program: string, folder: string): Promise<void> {
  if (!build.build) return;
  const args = typeof build.build === 'string' ? block(build.build).trim().split(' ').slice(2) : build.build;
  const options = { cwd: folder, timeout: MOST_BUILDING_MILLISECONDS, env: { ...process.env, ...environment } };
  await promisify(execFile)(process.execPath, [program, ...args], options).catch((error: unknown) => {
    const { stdout, stderr, message } = error as Error & { stdout: string; stderr: string };
    throw new Error(`${message.split('\n')[0]}\n${stdout}${stderr}`.slice(0, 4000), { cause: error });
  });
}

const removed = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });

/** The size of an application with this program, minified and gzipped. */
export async function sizeOfBuild(build: Build, installed: string, code: string): Promise<number> {
  const folder = await applicationOf(build, installed);
  try {
    await writeFile(join(folder, 'main.js'), code);
    await bundle(build, await programOf(build), folder);
    const files = await readdir(join(folder, 'dist'), { recursive: true });
    let size = 0;
    for (const file of files.filter((name) => name.endsWith('.js'))) {
      const text = await readFile(join(folder, 'dist', file), 'utf8');
      const { code: small } = await transform(text, { minify: true, target: 'es2022', format: 'esm' });
      size += gzipSync(small, { level: 9 }).length;
    }
    return size;
  } finally {
    await removed(folder);
  }
}

/** Builds and serves an application; rejects with the bundler's message. `close` removes it. */
export async function serveBuild(build: Build, installed: string): Promise<Served> {
  const program = await programOf(build);
  const folder = await applicationOf(build, installed);
  try {
    await bundle(build, program, folder);
    if (build.copiesWorker)
      await cp(join(folder, 'node_modules/lanewise/dist/worker.js'), join(folder, 'dist/worker.js'));
    // These make the page, too.
    const page = (): Promise<string> | string =>
      [VITE, VITE_7, PARCEL].some((its) => its === build.bundler)
        ? readFile(join(folder, 'dist/index.html'), 'utf8')
        : pageOf('/main.js');
    const served = build.serve
      ? await serveBy(program, build.serve, folder)
      : await serveFolder(join(folder, 'dist'), await page(), build.headers);
    return {
      url: served.url,
      async close() {
        await served.close();
        await removed(folder);
      },
    };
  } catch (error) {
    await removed(folder);
    throw error;
  }
}

/** The server's own pools: in a route, and in a component. */
export async function askServer(url: string): Promise<Checked[]> {
  const text = async (path: string): Promise<string> => (await fetch(url + path)).text();
  const [, escaped] = /<p>(\{.*?\})<\/p>/s.exec(await text('component')) ?? [];
  return [
    JSON.parse(await text('route')),
    JSON.parse((escaped ?? '{"failed":["the page has no report"]}').replaceAll('&quot;', '"')),
  ] as Checked[];
}
