/** The hosts whose engines are measured, and how each is started so that it runs one of its kinds of code. */
import { execFile } from 'node:child_process';
import { appendFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { HERMES, METRO } from '../../../lanewise/test/installed/hermes.ts';
import { browse, findBrowser, type Browser } from '../../../runtimes/src/browsers.ts';
import { chromium } from '../../../runtimes/src/chromium.ts';
import { BUN, fetched } from '../../../runtimes/src/fetched.ts';
import { firefox } from '../../../runtimes/src/firefox.ts';
import { pageOf, serveLocally } from '../../../runtimes/src/loopback.ts';
import { inWords, temporaryFolder } from '../../../runtimes/src/processes.ts';
import { versionOf } from '../../../runtimes/src/programs.ts';
import type { Plan, Sample, Start } from './measure.ts';

export interface Answer extends Start {
  /** The host, with its version. */
  readonly host: string;
  readonly samples: readonly Sample[];
}

export interface Host {
  /** The kinds of code that it can be held to; the first is the one that users get. */
  readonly codes: readonly string[];
  run(code: string, plan: Plan): Promise<Answer>;
}

const here = import.meta.dirname;

async function bundled(program: 'shell' | 'page', plan: Plan): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(here, `${program}.ts`)],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
    define: { PLAN: JSON.stringify(plan) },
  });
  return outputFiles[0].text;
}

function answerOf(host: string, lines: readonly string[]): Answer {
  const [start, ...samples] = lines.map((line) => JSON.parse(line) as unknown);
  return { host, ...(start as Start), samples: samples as Sample[] };
}

interface Shell {
  readonly codes: Readonly<
    Record<string, { readonly flags?: readonly string[]; readonly env?: Record<string, string> }>
  >;
  readonly find: () => Promise<{ path: string; host: string }>;
  /** The text of the program that it can run. */
  readonly prepare?: (text: string) => Promise<string>;
}

const inShell = ({ codes, find, prepare }: Shell): Host => ({
  codes: Object.keys(codes),
  async run(code, plan) {
    const { path, host } = await find();
    const { flags = [], env = {} } = codes[code];
    const folder = await temporaryFolder();
    try {
      const file = join(folder.path, 'program.js');
      const text = await bundled('shell', plan);
      await writeFile(file, prepare ? await prepare(text) : text);
      const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 30 };
      const { stdout } = await promisify(execFile)(path, [...flags, file], options);
      return answerOf(host, stdout.trim().split('\n'));
    } finally {
      await folder.remove();
    }
  },
});

/** As isolated pages get, whose clocks are the finest. */
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

const inBrowser = (codes: Readonly<Record<string, Browser>>): Host => ({
  codes: Object.keys(codes),
  async run(code, plan) {
    const browser = codes[code];
    const found = await findBrowser(browser);
    if (found.missing !== undefined) throw new Error(`there is no ${found.missing}: ${found.howToGet}`);
    const text = await bundled('page', plan);
    const lines: string[] = [];
    let end: (said: string) => void = () => undefined;
    const said = new Promise<string>((resolve) => (end = resolve));
    const server = await serveLocally({
      headers: ISOLATED,
      get: (path) => Promise.resolve({ '/': pageOf('program.js'), '/program.js': text }[path]),
      post: (path, message) => (path === '/line' ? void lines.push(message) : end(JSON.parse(message) as string)),
    });
    try {
      const ending = await browse(
        browser,
        found.path,
        server.url,
        said.then(() => undefined),
      );
      if (ending) throw new Error(`the browser ${inWords(ending)}`);
      const error = await said;
      if (error !== '') throw new Error(error);
    } finally {
      await server.close();
    }
    return answerOf(`${browser.name} ${found.version}`, lines);
  },
});

/** Options of V8. Its optimizing compilers are left out for the other two. */
const V8 = {
  optimized: [],
  baseline: ['--no-opt', '--no-maglev', '--always-sparkplug'],
  interpreter: ['--no-opt', '--no-maglev', '--no-sparkplug'],
} as const satisfies Record<string, readonly string[]>;

const chromiumWith = (options: readonly string[]): Browser => ({
  ...chromium,
  async program(path, session) {
    const program = await chromium.program(path, session);
    return { ...program, arguments: [`--js-flags=${options.join(' ')}`, ...program.arguments!] };
  },
});

const firefoxWithout = (...compilers: readonly string[]): Browser => ({
  ...firefox,
  async program(path, session) {
    const program = await firefox.program(path, session);
    const lines = compilers.map((name) => `user_pref("javascript.options.${name}", false);\n`);
    await appendFile(join(session.folder, 'profile/user.js'), lines.join(''));
    return program;
  },
});

/** Babel, as React Native configures it for Hermes, which has no classes. */
async function forHermes(text: string): Promise<string> {
  const require = createRequire(await fetched(METRO));
  const { transformAsync } = require('@babel/core') as {
    transformAsync: (text: string, options: object) => Promise<{ code: string }>;
  };
  const profile = { unstable_transformProfile: 'hermes-stable', enableBabelRuntime: false };
  const preset = [require.resolve('@react-native/babel-preset'), profile];
  const options = { presets: [preset], babelrc: false, configFile: false, compact: false, filename: 'program.js' };
  return (await transformAsync(text, options)).code;
}

export const HOSTS: Readonly<Record<string, Host>> = {
  node: inShell({
    codes: Object.fromEntries(Object.entries(V8).map(([code, flags]) => [code, { flags }])),
    find: () =>
      Promise.resolve({ path: process.execPath, host: `Node ${process.versions.node}, V8 ${process.versions.v8}` }),
  }),
  bun: inShell({
    codes: {
      optimized: {},
      baseline: { env: { BUN_JSC_useDFGJIT: '0' } },
      interpreter: { env: { BUN_JSC_useJIT: '0' } },
    },
    async find() {
      const path = await fetched(BUN);
      return { path, host: `Bun ${await versionOf(path)}` };
    },
  }),
  chromium: inBrowser({
    optimized: chromium,
    baseline: chromiumWith(V8.baseline),
    interpreter: chromiumWith(V8.interpreter),
  }),
  firefox: inBrowser({
    optimized: firefox,
    baseline: firefoxWithout('ion'),
    'baseline interpreter': firefoxWithout('ion', 'baselinejit'),
    interpreter: firefoxWithout('ion', 'baselinejit', 'blinterp'),
  }),
  hermes: inShell({
    codes: { interpreter: { flags: ['-O', '-w'] } },
    async find() {
      return { path: await fetched(HERMES), host: `Hermes ${HERMES.spec.split('@')[1]}` };
    },
    prepare: forHermes,
  }),
};
