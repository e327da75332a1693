/**
 * Runs a program in an engine and returns its result, for measurements that aren't contests. A program is a module of
 * `programs/` that exports `measure`: it is bundled with the library, and finds the worker of the library beside it.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { browse, findBrowser, type Browser } from '../../../runtimes/src/browsers.ts';
import { chromium } from '../../../runtimes/src/chromium.ts';
import { fetched } from '../../../runtimes/src/fetched.ts';
import { firefox } from '../../../runtimes/src/firefox.ts';
import { pageOf, serveLocally } from '../../../runtimes/src/loopback.ts';
import { inWords, start } from '../../../runtimes/src/processes.ts';
import { webkit } from '../../../runtimes/src/webkit.ts';
import { POOL_WORKER, poolWorkerBundle } from '../bundle.ts';
import { HEADERS } from '../engines/page-server.ts';
import type { Runtime } from '../engines/runtime.ts';
import { programs } from '../engines/runtimes.ts';
import { lab } from '../host.ts';
import { UsageError } from '../terminal.ts';

/** A host of JavaScript that programs run in. */
export interface Host {
  readonly id: string;
  readonly name: string;
  /** Rejects if the host is missing or the program fails. */
  run(program: string, task: unknown): Promise<unknown>;
}

/** A program that takes longer hangs. */
const LIMIT_MILLISECONDS = 600_000;

/** The last line that the program prints is its result. */
const RUNTIME_MAIN = (program: string): string => `
import { measure } from ${JSON.stringify(program)};
const result = await measure(JSON.parse(process.argv.at(-1)));
process.stdout.write('\\n' + JSON.stringify(result) + '\\n', () => process.exit());
`;
const PAGE_MAIN = (program: string): string => `
import { measure } from ${JSON.stringify(program)};
const tell = (said) => fetch('result', { method: 'POST', body: JSON.stringify(said) });
addEventListener('unhandledrejection', ({ reason }) => tell({ error: String(reason) }));
measure(await (await fetch('task.json')).json()).then((result) => tell({ result }), (error) => tell({ error: String(error) }));
`;

const bundled = async (contents: string): Promise<string> => {
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    tsconfigRaw: '{}',
    logLevel: 'error',
  });
  return outputFiles[0].text;
};

/** Writes a program and the worker of the library to a folder below this package. */
async function written(name: string, main: (program: string) => string): Promise<{ file: string; end: () => void }> {
  const cache = join(lab, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'program-'));
  const [program, worker] = await Promise.all([bundled(main(`./programs/${name}.ts`)), poolWorkerBundle()]);
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  writeFileSync(join(folder, POOL_WORKER), worker);
  return { file, end: () => rmSync(folder, { recursive: true, force: true }) };
}

async function output(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const piece of stream.setEncoding('utf8')) text += piece as string;
  return text;
}

/** Rejects after a time; the timer ends with `work`. */
async function limited<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took more than ${LIMIT_MILLISECONDS / 1000} s`)), LIMIT_MILLISECONDS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function inRuntime({ origin, command = [], settings }: Runtime, file: string, task: unknown): Promise<unknown> {
  const path = 'path' in origin ? origin.path : await fetched(origin.fetch);
  const { arguments: flags = [], environment = {} } = settings;
  const running = await start(
    {
      path,
      arguments: [...command, ...flags, file, JSON.stringify(task)],
      environment: { NODE_OPTIONS: '', ...environment },
    },
    ['ignore', 'pipe', 'pipe'],
  );
  try {
    const [text, ending] = await limited(Promise.all([output(running.child.stdout!), running.ended]));
    if (ending.code !== 0) throw new Error(`it ${inWords(ending)}`);
    return JSON.parse(text.trimEnd().split('\n').at(-1)!) as unknown;
  } finally {
    await running.stop();
  }
}

async function inBrowser(browser: Browser, file: string, task: unknown): Promise<unknown> {
  const found = await findBrowser(browser);
  if (found.missing !== undefined) throw new Error(`there is no ${found.missing}: ${found.howToGet}`);
  let tell!: (text: string) => void;
  const told = new Promise<string>((resolve) => (tell = resolve));
  const texts: Readonly<Record<string, string>> = {
    '/': pageOf('program.mjs'),
    '/program.mjs': readFileSync(file, 'utf8'),
    [`/${POOL_WORKER}`]: readFileSync(join(file, '..', POOL_WORKER), 'utf8'),
    '/task.json': JSON.stringify(task),
  };
  const server = await serveLocally({
    headers: HEADERS,
    get: (path) => Promise.resolve(texts[path] as string | undefined),
    post: (_, text) => tell(text),
  });
  try {
    const over = limited(told).then(() => undefined);
    const ending = await browse(browser, found.path, server.url, over);
    if (ending) throw new Error(`it ${inWords(ending)} before it was done`);
    const { result, error } = JSON.parse(await told) as { result?: unknown; error?: string };
    if (error !== undefined) throw new Error(error);
    return result;
  } finally {
    await server.close();
  }
}

const ran =
  (main: (program: string) => string, run: (file: string, task: unknown) => Promise<unknown>): Host['run'] =>
  async (program, task) => {
    const { file, end } = await written(program, main);
    try {
      return await run(file, task);
    } finally {
      end();
    }
  };

const ofRuntime = (runtime: Runtime): Host => ({
  id: runtime.id,
  name: runtime.name,
  run: ran(RUNTIME_MAIN, (file, task) => inRuntime(runtime, file, task)),
});
const ofBrowser = (browser: Browser): Host => ({
  id: browser.id,
  name: browser.name,
  run: ran(PAGE_MAIN, (file, task) => inBrowser(browser, file, task)),
});

/** The newest Node, Bun and Deno. */
export const newestRuntimes: readonly Host[] = programs
  .filter(({ id }, i) => !id.startsWith('node') || !programs.slice(i + 1).some((later) => later.id.startsWith('node')))
  .map(ofRuntime);
export const browserHosts: readonly Host[] = [chromium, firefox, webkit].map(ofBrowser);

/** Those that are asked for; all unless any are. `node` is the newest Node. */
export function chosenHosts(all: readonly Host[], wanted: readonly string[] | undefined): readonly Host[] {
  const matches = (host: Host, name: string): boolean => host.id === name || host.id.replace(/\d+$/, '') === name;
  for (const name of wanted ?? [])
    if (!all.some((host) => matches(host, name)))
      throw new UsageError(`there is no engine "${name}" here; there are ${all.map(({ id }) => id).join(', ')}`);
  return all.filter((host) => wanted?.some((name) => matches(host, name)) ?? true);
}
