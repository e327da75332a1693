/**
 * Runs the original packages' own tests over the lines that take their place: `npm run test:drop-ins`, after a build. The tests are
 * fetched from the public repositories; where these cannot be had, a message says so. `--clones DIR` names a folder with clones.
 * `--original` runs the tests over the original packages, `--only noble-ciphers-2` one suite.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { findBrowser } from '../../runtimes/src/browsers.ts';
import { chromium } from '../../runtimes/src/chromium.ts';
import type { Found, Missing } from '../../runtimes/src/found.ts';
import { manifestOf, modulesOf, pathOf } from './folders.ts';
import { versionOf, type Line } from './lines.ts';
import { runInPages } from './pages.ts';
import { checkOut, emptyFolder, lineOf, packLibrary, packLine, run } from './shell.ts';

interface Vectors {
  readonly name: string;
  readonly commit: string;
  readonly paths: readonly string[];
  readonly at: string;
}

interface Suite {
  readonly line: Line;
  readonly repository: { readonly owner: string; readonly name: string; readonly commit: string };
  /** Other repositories' files that the tests read: where they go. */
  readonly vectors?: Vectors;
  /** The files of the repository that are taken: its folder `test` unless given. */
  readonly paths?: readonly string[];
  /** Tests in TypeScript, and where the original's build puts them: among the files of the package, of which they are run in a copy. */
  readonly compiled?: { readonly from: string; readonly to: string; readonly files: RegExp };
  /** Tests that need Chromium. */
  readonly inBrowser?: RegExp;
  /** Where the tests import the sources from: `src/chacha.ts` or `esm/chacha.js`. */
  readonly sources?: { readonly folder: string; readonly extension: '.ts' | '.js' };
  /** Internal modules that the tests import, too. Neither package has a path for them, so they are files of the original. */
  readonly internal: readonly string[];
  readonly entry: readonly string[];
  /** The number of tests in the output. */
  readonly result?: RegExp;
  /** Parts of the tests that are left out, and why: a text of a file, and its replacement. */
  readonly edits?: readonly {
    readonly file: string;
    readonly from: string;
    readonly to: string;
    readonly because: string;
    /** Left out where the tests run over the original only. */
    readonly ofOriginal?: true;
  }[];
  readonly dependencies: Readonly<Record<string, string>>;
}

const vectorsAt = (paths: readonly string[]): Vectors => ({
  name: 'acvp-vectors',
  commit: '2e9216ceafb854d7bc113088a2f8b043654226a8',
  paths: ['utils.js', ...paths],
  at: 'test/vectors/acvp-vectors',
});
const FOR_2 = { '@paulmillr/jsbt': '0.7.1', '@scure/base': '2.3.0', 'fast-check': '4.2.0' };
const JUDGES_BY_TIME = 'it judges by time';
const FOR_1 = { 'micro-should': '0.5.2', '@scure/base': '1.2.5', 'fast-check': '3.0.0' };

const suites: readonly Suite[] = [
  {
    line: lineOf('@noble/ciphers', 2),
    // The last commit before 2.4.0.
    repository: { owner: 'paulmillr', name: 'noble-ciphers', commit: '201ed9ed0b72a7ff700d2d0080038b957706dc6e' },
    vectors: vectorsAt(['acvp/ctrDRBG-1.0', 'wycheproof']),
    sources: { folder: 'src', extension: '.ts' },
    internal: [],
    entry: ['test/index.ts'],
    dependencies: FOR_2,
  },
  {
    line: lineOf('@noble/ciphers', 1),
    // The tag 1.3.0.
    repository: { owner: 'paulmillr', name: 'noble-ciphers', commit: '953f9aabb4dd91f02bb64a8df424dd1912ddd62a' },
    sources: { folder: 'esm', extension: '.js' },
    internal: [],
    entry: ['test/index.js'],
    dependencies: FOR_1,
  },
  {
    line: lineOf('@noble/hashes', 2),
    // The last commit before 2.4.0.
    repository: { owner: 'paulmillr', name: 'noble-hashes', commit: 'bb0d615dde70f55c79c5475fc48fd64e613cac79' },
    vectors: vectorsAt(['acvp/SHA*', 'acvp/HMAC*', 'acvp/PBKDF*', 'acvp/*SHAKE*', 'acvp/*Hash*', 'acvp/KMAC*']),
    sources: { folder: 'src', extension: '.ts' },
    internal: ['_u64'],
    entry: ['test/index.ts'],
    dependencies: FOR_2,
    edits: [
      {
        file: 'test/utils.test.ts',
        from: `it('checkOpts'`,
        to: `it.skip('checkOpts'`,
        because: 'the published 2.4.0 gives an object without prototype there, which this test does not expect',
      },
      {
        file: 'test/argon2.test.ts',
        from: `it('destroys every`,
        to: `it.skip('destroys every`,
        because: `it watches the original's BLAKE2b`,
      },
      { file: 'test/async.test.ts', from: 'info.avg < ms + 2', to: 'true', because: JUDGES_BY_TIME },
      { file: 'test/async.test.ts', from: 'info.total > ms', to: 'true', because: JUDGES_BY_TIME },
    ],
  },
  {
    line: lineOf('@noble/hashes', 1),
    // The tag 1.8.0.
    repository: { owner: 'paulmillr', name: 'noble-hashes', commit: '32f700f38ec49d7e6b2ab687904d6b2d7d60d80a' },
    sources: { folder: 'esm', extension: '.js' },
    internal: ['_u64'],
    entry: ['test/index.js'],
    dependencies: FOR_1,
    edits: [
      { file: 'test/async.test.js', from: 'info.avg < ms + 2', to: 'true', because: JUDGES_BY_TIME },
      { file: 'test/async.test.js', from: 'info.total > ms', to: 'true', because: JUDGES_BY_TIME },
    ],
  },
  {
    line: lineOf('tweetnacl', 1),
    // Version 1.0.3; the repository has no tag for it.
    repository: { owner: 'dchest', name: 'tweetnacl-js', commit: '5bf1ff5fa15e89ae249401b0d5aa54c5c5955041' },
    internal: [],
    entry: ['node_modules/tape/bin/tape', 'test/*.js'],
    result: /# pass .*/,
    dependencies: { tape: '4.13.0', 'tweetnacl-util': '0.15.1' },
  },
  {
    line: lineOf('blake3-wasm', 2),
    // The commit that added this package, with the version 2.1.5.
    repository: { owner: 'connor4312', name: 'blake3', commit: 'ad6509b7174d4d6960a707f48974efdc1fd5cf65' },
    paths: ['ts', 'test-input.txt', 'browser-async.test.html'],
    compiled: { from: 'ts', to: 'dist', files: /\.test\.ts$|test-helpers\.ts$/ },
    inBrowser: /browser\.test\.ts$/,
    internal: [],
    entry: ['node_modules/mocha/bin/_mocha', '--exit', '--timeout', '300000', 'dist/**/*.test.js'],
    result: /\d+ passing.*/,
    edits: [
      {
        file: 'ts/node.test.ts',
        from: `describe('node.js native', () => suite(native));`,
        to: '',
        because: 'this package has no native code',
      },
      {
        file: 'ts/browser.test.ts',
        from: `executablePath: 'google-chrome-stable'`,
        to: 'executablePath: process.env.CHROMIUM',
        because: 'Chromium is elsewhere',
      },
      {
        file: 'ts/browser.test.ts',
        from: 'server.listen(0, resolve)',
        to: `server.listen(0, 'localhost', resolve)`,
        because: 'it is for this machine only',
      },
      { file: 'ts/browser.test.ts', from: 'this.timeout(20 * 1000);', to: '', because: JUDGES_BY_TIME },
      {
        file: 'ts/browser.test.ts',
        from: `describe('webpack'`,
        to: `describe.skip('webpack'`,
        because: 'the published 2.1.5 lacks a file of its module for bundlers',
        ofOriginal: true,
      },
    ],
    dependencies: {
      chai: '4.4.0',
      mocha: '10.8.2',
      puppeteer: 'npm:puppeteer-core@24.10.0',
      'serve-handler': '6.1.6',
      'stream-buffers': '3.0.3',
      webpack: '5.99.9',
    },
  },
  {
    line: lineOf('blake3-jit', 1),
    // The version 1.1.0.
    repository: { owner: 'Brooooooklyn', name: 'blake3-jit', commit: 'f683aa76fa4dc5d87f3c54126fef75ddc9cd953e' },
    sources: { folder: 'src', extension: '.js' },
    internal: [],
    entry: ['node_modules/vitest/vitest.mjs', 'run', '--no-color'],
    result: /^ *Tests .*/m,
    dependencies: { vitest: '5.0.1' },
  },
  {
    line: lineOf('hash-wasm', 4),
    // The version 4.12.0: the repository has no later one. Left out are the tests that replace modules by means of jest, and those of internal
    // functions, of which neither package has a module.
    repository: { owner: 'Daninet', name: 'hash-wasm', commit: '373b796205ab55fb4a657374dad6ea589bf75815' },
    sources: { folder: 'lib', extension: '.ts' },
    internal: [],
    entry: [
      'node_modules/vitest/vitest.mjs',
      ...['run', '--globals', '--no-color', '--testTimeout=300000'],
      ...['browser', 'base', 'base64'].flatMap((name) => ['--exclude', `test/${name}.test.ts`]),
    ],
    result: /^ *Tests .*/m,
    edits: [
      {
        file: 'test/pbkdf2.test.ts',
        from: 'test("invalid parameters"',
        to: 'test.skip("invalid parameters"',
        because: 'it does not await its promises, which vitest refuses',
      },
    ],
    dependencies: { vitest: '5.0.1' },
  },
];

const { values: options } = parseArgs({
  options: { clones: { type: 'string' }, original: { type: 'boolean', default: false }, only: { type: 'string' } },
});

/** The modules under the paths by which the tests import them. */
function writeSources({ line, sources, internal }: Suite, folder: string): void {
  if (line.within && sources) {
    mkdirSync(join(folder, sources.folder));
    writeFileSync(join(folder, sources.folder, `index${sources.extension}`), `export * from '${line.original}';\n`);
    return;
  }
  if (line.within) {
    const installed = join(folder, 'node_modules', line.original);
    for (const name of readdirSync(installed).filter((name) => name !== 'package.json'))
      cpSync(join(installed, name), join(folder, name), { recursive: true });
    return;
  }
  if (!sources) {
    for (const file of line.files ?? [])
      writeFileSync(join(folder, `${file}.js`), `module.exports = require('${line.original}');\n`);
    return;
  }
  mkdirSync(join(folder, sources.folder), { recursive: true });
  const write = (module: string, from: string): void =>
    writeFileSync(join(folder, sources.folder, `${module}${sources.extension}`), `export * from '${from}';\n`);
  for (const module of modulesOf(line)) write(module, `${line.original}${pathOf(line, module)}`);
  // The drop-in package has its copies in its own files, so the original is installed as well, for these.
  const installed = options.original ? line.original : line.alias;
  const folderInside = sources.extension === '.ts' ? '' : '/esm';
  for (const module of internal) write(module, `../node_modules/${installed}${folderInside}/${module}.js`);
  // A file of vectors imports the former CommonJS build.
  if (sources.folder === 'esm')
    for (const module of ['sha3-addons', 'utils'].filter((name) => modulesOf(line).includes(name)))
      writeFileSync(join(folder, `${module}.js`), `export * from './esm/${module}.js';\n`);
}

/** Strips the types of tests, as the original's build does. */
function compile({ compiled, inBrowser }: Suite, folder: string, title: string, browser?: Found | Missing): void {
  if (!compiled) return;
  const { from, to, files } = compiled;
  for (const path of readdirSync(join(folder, from), { recursive: true, encoding: 'utf8' })) {
    if (!files.test(path)) continue;
    if (browser?.missing !== undefined && inBrowser?.test(path)) {
      console.log(`${title}: without ${path}, because there is no ${browser.missing}: ${browser.howToGet}`);
      continue;
    }
    const { outputText } = ts.transpileModule(readFileSync(join(folder, from, path), 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
    });
    const target = join(folder, to, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, outputText);
  }
}

function runSuite(suite: Suite, browser?: Found | Missing): void {
  const { line, repository, vectors, entry, dependencies } = suite;
  const title = options.original ? `${line.original}@${line.takes}` : `@lanewise/${line.package}@${versionOf(line)}`;
  const folder = emptyFolder(`originals/${line.package}-${line.major}${options.original ? '-original' : ''}`);
  const missing = checkOut(repository, suite.paths ?? ['test'], folder, options.clones);
  const others =
    vectors &&
    checkOut({ owner: repository.owner, ...vectors }, vectors.paths, join(folder, vectors.at), options.clones);
  if (!missing || (vectors && !others)) {
    console.log(`${title}: not run, because ${repository.name} cannot be fetched from GitHub here`);
    return;
  }
  const original = options.original ? manifestOf(line.alias).version : `file:${packLine(line)}`;
  const library = options.original ? {} : { lanewise: `file:${packLibrary()}` };
  const internals =
    options.original || suite.internal.length === 0 ? {} : { [line.alias]: `npm:${line.original}@${line.takes}` };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      private: true,
      // Without one a bundler reads the formats of files from the files.
      ...((!line.within || line.modules === 'esm') && { type: line.files ? 'commonjs' : 'module' }),
      dependencies: { ...dependencies, ...library, ...internals, [line.original]: original },
    }),
  );
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error'], folder);
  writeSources(suite, folder);
  for (const path of missing) {
    // No vectors in place of those that the clone lacks.
    console.log(`${title}: without ${path}, which this clone does not have`);
    writeFileSync(join(folder, path), gzipSync('[]'));
  }
  for (const { file, from, to, because, ofOriginal = false } of suite.edits ?? []) {
    if (ofOriginal && !options.original) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
    writeFileSync(join(folder, file), text.replaceAll(from, to));
    console.log(`${title}: ${file} without ${from}, because ${because}`);
  }
  compile(suite, folder, title, browser);
  const chromiumAt = browser && browser.missing === undefined ? { CHROMIUM: browser.path } : {};
  // Not in the folder: the paths of Chromium's sockets have to be short.
  const temporary = mkdtempSync(join(tmpdir(), 'originals-'));
  try {
    const output = run(process.execPath, entry, folder, { ...chromiumAt, TMPDIR: temporary });
    console.log(`${title}: ${(suite.result?.exec(output)?.[0] ?? output).trim().split('\n').at(-1)}`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

for (const suite of suites)
  if (options.only === undefined || suite.line.alias === options.only)
    runSuite(suite, suite.inBrowser && (await findBrowser(chromium)));
if (!options.original) await runInPages(options.only);
