/**
 * The installed package under tools that came before `exports`, typed arrays with parameters, or `require` of modules: compilers,
 * resolvers and a Node of 2023. They are fetched when they are needed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fetched, nodePackage, type Package } from '../../runtimes/src/fetched.ts';
import { block } from '../test/installed/guide.ts';
import { doors } from './rooms.ts';

const typescript = (version: string): Package => ({
  spec: `typescript@${version}`,
  program: 'node_modules/typescript/bin/tsc',
});
const JEST: Package = { spec: 'jest@30.2.0', program: 'node_modules/jest/bin/jest.js' };

/** Whether all are asked, as at night. Each change has the oldest, the newest and one between, and of Node's types the first and the last. */
const hasAll = process.env['LANEWISE_TOOLS'] === 'all';

/** Each the first or the last of something: of 5.x, with `using`, without parameters of typed arrays, with them, of 6.x, in Go. */
const VERSIONS = hasAll ? ['5.0.4', '5.2.2', '5.6.3', '5.7.3', '5.9.3', '6.0.3', '7.0.2'] : ['5.0.4', '5.7.3', '7.0.2'];
/** `module`, and `moduleResolution` where it does not follow. */
const RESOLUTIONS = [
  ['commonjs', 'node10'],
  ['es2022', 'node10'],
  ['node16', 'node16'],
  ['es2022', 'bundler'],
] as const;

/** Those that are not about Node alone. */
const universal = doors.filter((door) => !door.endsWith('-node') && door !== 'index');

/** A result that depends on the types of the library's results. */
const PROGRAM = `
import { xchacha20poly1305 } from 'lanewise/chacha.js';
import { blake3 } from 'lanewise/blake3.js';
import { chunked } from 'lanewise/stream.js';
import { createPool } from 'lanewise/pool.js';
${universal.map((door, i) => `export * as m${i} from 'lanewise/${door}.js';`).join('\n')}
export * as all from 'lanewise';

const sealed: Uint8Array = xchacha20poly1305(new Uint8Array(32), new Uint8Array(24)).encrypt(new Uint8Array(5));
const digest: Uint8Array = blake3(sealed, { dkLen: 64 });
export const stream: ReadableStream<Uint8Array> = chunked(new Uint8Array(32)).encrypt(digest);
export const hashed: Promise<Uint8Array> = createPool({ threads: 1 }).blake3(sealed);
// @ts-expect-error -- there is no such option, and types are not \`any\`
blake3(sealed, { length: 64 });
// @ts-expect-error -- a digest isn't a string
export const text: string = digest;
`;

/** Prints the outcome; the output if it is not good. */
function outcome(name: string, program: string, values: readonly string[], folder: string): boolean {
  const { status, stdout, stderr } = spawnSync(program, values, { cwd: folder, encoding: 'utf8' });
  console.log(`${name.padEnd(52)}${status === 0 ? 'ok' : 'FAILED'}`);
  if (status !== 0) console.log(`${stdout}${stderr}`.split('\n').slice(0, 12).join('\n'));
  return status === 0;
}

/** Fetches a tool, or prints why it is not run. */
async function toolOf(wanted: Package): Promise<string | undefined> {
  try {
    return await fetched(wanted);
  } catch (error) {
    console.log(`${wanted.spec.padEnd(52)}NOT RUN, could not be fetched: ${(error as Error).message}`);
    return undefined;
  }
}

async function checkTypeScript(folder: string): Promise<boolean> {
  let good = true;
  for (const extension of ['ts', 'cts', 'mts']) writeFileSync(join(folder, `old.${extension}`), PROGRAM);
  for (const version of VERSIONS) {
    const compiler = await toolOf(typescript(version));
    if (compiler === undefined) continue;
    // TypeScript 6 deprecates the resolution of Node 10.
    const resolutions = RESOLUTIONS.filter(([, resolution]) => parseInt(version) < 6 || resolution !== 'node10');
    for (const [module, moduleResolution] of resolutions) {
      const options = { module, moduleResolution, target: 'es2022', lib: ['es2022', 'dom'], types: [], noEmit: true };
      const files = module === 'node16' ? ['old.cts', 'old.mts'] : ['old.ts'];
      const config = { compilerOptions: { ...options, strict: true }, files };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      const name = `TypeScript ${version}, ${module}, ${moduleResolution}`;
      good = outcome(name, process.execPath, [compiler, '-p', '.'], folder) && good;
    }
  }
  return good;
}

/** Without the types of browsers, as a program of Node has it; and with those that docs/guide/environments.md names. */
const LIBRARIES = {
  '5.9.3': [['es2022'], ['es2022', 'dom', 'dom.asynciterable']],
  '7.0.2': [['es2022'], ['es2022', 'dom']],
};
const NODE_TYPES = hasAll ? ['20', '22', '24', '26'] : ['20', '26'];
const STREAMS = `
import { pipeline } from 'node:stream/promises';
import { createWriteStream } from 'node:fs';
import { chunked } from 'lanewise/stream.js';

const key = new Uint8Array(32);
for await (const part of chunked(key).encrypt(new Uint8Array(5))) console.log(part.length);
await pipeline(chunked(key).encrypt(new Uint8Array(5)), createWriteStream('file'));
`;

/** Declarations that are checked themselves (no skipLibCheck). */
async function checkNodeTypes(folder: string): Promise<boolean> {
  let good = true;
  for (const [version, libraries] of Object.entries(LIBRARIES)) {
    const compiler = await toolOf(typescript(version));
    if (compiler !== undefined) good = (await checkNodeTypesBy(compiler, version, libraries, folder)) && good;
  }
  return good;
}

async function checkNodeTypesBy(
  compiler: string,
  compilerVersion: string,
  libraries: readonly (readonly string[])[],
  folder: string,
): Promise<boolean> {
  let good = true;
  const all = doors.map((door, i) => `export * as m${i} from 'lanewise${door === 'index' ? '' : `/${door}.js`}';`);
  writeFileSync(join(folder, 'node.mts'), `${all.join('\n')}\n${STREAMS}`);
  for (const version of NODE_TYPES) {
    const types = await toolOf({ spec: `@types/node@${version}`, program: 'node_modules/@types/node/index.d.ts' });
    if (types === undefined) continue;
    for (const lib of libraries) {
      const options = {
        module: 'node16',
        target: 'es2022',
        lib,
        types: ['node'],
        typeRoots: [dirname(dirname(types))],
      };
      const compilerOptions = { ...options, strict: true, noEmit: true };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['node.mts'] }));
      const name = `${compilerVersion}, @types/node ${version}, ${lib.join(', ')}`;
      good = outcome(name, process.execPath, [compiler, '-p', '.'], folder) && good;
    }
  }
  return good;
}

/** Known answer: the hash of no bytes begins with these (BLAKE3's test vectors). */
const REQUIRING = `
const { blake3 } = require('lanewise/blake3.js');
const { createPool } = require('lanewise/pool.js');
const { bytesToHex } = require('lanewise');
const answer = 'af1349b9f5f9a1a6a0404dea36dcc949';
`;

const VITEST = `
import { expect, test } from 'vitest';
import { blake3 } from 'lanewise/blake3.js';
import { createPool } from 'lanewise/pool.js';
import { bytesToHex } from 'lanewise';

test('hash', async () => {
  expect(bytesToHex(blake3(new Uint8Array(0))).slice(0, 32)).toBe('af1349b9f5f9a1a6a0404dea36dcc949');
  const pool = createPool({ threads: 1, threshold: 4_000_000 });
  const long = new Uint8Array(50_000_000);
  expect(bytesToHex(await pool.blake3(long))).toBe(bytesToHex(blake3(long)));
  await pool.close();
});
`;

/** The workspace's Vitest, in a project of its own. */
function checkVitest(folder: string): boolean {
  const project = join(folder, 'vitest');
  mkdirSync(project);
  const resolve = createRequire(import.meta.url).resolve;
  const vitest = join(dirname(resolve('vitest/package.json')), 'vitest.mjs');
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  writeFileSync(join(project, 'hash.test.js'), VITEST);
  const good = outcome('Vitest', process.execPath, [vitest, 'run', '--root', project], project);
  rmSync(project, { recursive: true, force: true });
  return good;
}

async function checkRequire(folder: string): Promise<boolean> {
  let good = true;
  const program = `${REQUIRING}
    const long = new Uint8Array(50_000_000);
    createPool({ threads: 2, threshold: 4_000_000 }).blake3(long).then((digest) => {
      if (bytesToHex(digest) !== bytesToHex(blake3(long))) process.exitCode = 1;
    });
    if (bytesToHex(blake3(new Uint8Array(0))).slice(0, 32) !== answer) process.exitCode = 1;`;
  writeFileSync(join(folder, 'required.cjs'), program);
  for (const version of ['20.0.0', '20.20.2', '22.0.0', '24']) {
    const node = await toolOf(nodePackage(version));
    if (node !== undefined) good = outcome(`require(), Node ${version}`, node, ['required.cjs'], folder) && good;
  }
  const jest = await toolOf(JEST);
  if (jest === undefined) return good;
  // Jest takes files of the folder in which it is started, which has no other configuration than its own.
  const tests = join(folder, 'jest');
  mkdirSync(tests);
  writeFileSync(join(tests, 'package.json'), '{ "private": true }');
  const test = `${REQUIRING}
    test('hash', async () => {
      expect(bytesToHex(blake3(new Uint8Array(0))).slice(0, 32)).toBe(answer);
      const pool = createPool({ threads: 1, threshold: 4_000_000 });
      const long = new Uint8Array(50_000_000);
      expect(await pool.blake3(long)).toEqual(blake3(long));
      await pool.close();
    });`;
  writeFileSync(join(tests, 'hash.test.js'), test);
  writeFileSync(join(tests, 'guide.test.js'), block('hash.test.js', 'environments'));
  return outcome('Jest by default', process.execPath, [jest, '--rootDir', tests], tests) && good;
}

/**
 * @param folder - Where the package is installed.
 * @returns Whether all is well.
 */
export async function checkTools(folder: string): Promise<boolean> {
  const types = (await checkTypeScript(folder)) && (await checkNodeTypes(folder));
  const required = await checkRequire(folder);
  rmSync(join(folder, 'jest'), { recursive: true, force: true });
  const vitest = checkVitest(folder);
  return types && required && vitest;
}
