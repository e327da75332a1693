/**
 * Runs the command in a program that has a lockfile, another package of its own, both major versions of an original and direct
 * dependencies, with every package manager: `npm run test:swap`; `-- pnpm "npm 12"` runs some. The program itself says whose files its
 * dependents get, by the module system, before the swap, after it, and after it is taken back. The packages come from a registry on this
 * machine, and all others from that which npm is configured to ask.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { distOf, workspace } from '../../drop-ins/src/folders.ts';
import { lines, versionOf } from '../../drop-ins/src/lines.ts';
import { packLibrary, packLine } from '../../drop-ins/src/shell.ts';
import { serveRegistry } from '../../release/src/registry.ts';
import { environmentOf, managers, type Manager } from './managers.ts';

const { positionals: asked } = parseArgs({ allowPositionals: true });
const titled = (name: string): readonly Manager[] => managers.filter(({ title }) => title.startsWith(name));
const unknown = asked.filter((name) => titled(name).length === 0);
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; there are:\n${managers.map(({ title }) => title).join('\n')}`);
  process.exit(2);
}
const command = join(workspace, 'packages/swap/dist/main.js');

interface Said {
  readonly status: number;
  readonly output: string;
}

/** Runs a program to its end. */
const run = (values: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Said> =>
  new Promise((resolve) => {
    const settings = { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 28, timeout: 240_000 } as const;
    const child = execFile(values[0], values.slice(1), settings, (error, stdout, stderr) =>
      resolve({ status: error ? (typeof error.code === 'number' ? error.code : 1) : 0, output: `${stdout}${stderr}` }),
    );
    child.stdin?.end();
  });

function expect(isTrue: boolean, what: string, output: string): void {
  if (!isTrue) throw new Error(`${what}\n${output}`);
}

type Found = Readonly<Record<string, { readonly name: string; readonly hash: string }>>;

/** The package that each dependent gets in a program that isn't swapped. */
const ORIGINALS = {
  eciesjs: '@noble/ciphers@1.',
  'age-encryption': '@noble/ciphers@2.',
  'nostr-tools': '@noble/ciphers@2.',
  root: 'libsodium-wrappers@0.',
  a: 'tweetnacl@1.',
  sshpk: 'tweetnacl@0.14.',
};
/** The original's name and major version, and the file whose bytes are compared. */
const REPLACED = {
  eciesjs: { original: '@noble/ciphers', major: 1, file: 'chacha.js' },
  'age-encryption': { original: '@noble/ciphers', major: 2, file: 'chacha.js' },
  'nostr-tools': { original: '@noble/ciphers', major: 2, file: 'chacha.js' },
  a: { original: 'tweetnacl', major: 1, file: 'nacl-fast.js' },
  root: { original: 'libsodium-wrappers', major: 0, file: 'dist/modules/libsodium-wrappers.js' },
};

/** The files that a project's author wrote, and a manager's lockfile. */
const FILES = ['package.json', 'packages/a/package.json', 'pnpm-workspace.yaml', 'lanewise-swap.json'];

class Program {
  readonly #manager: Manager;
  readonly #root: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(manager: Manager, root: string, env: NodeJS.ProcessEnv) {
    this.#manager = manager;
    this.#root = root;
    this.#env = env;
  }

  /** Everything that the swap may change, with its bytes. */
  files(): string {
    return [...FILES, this.#manager.lockfile]
      .map((file) => join(this.#root, file))
      .map((path) => (existsSync(path) ? readFileSync(path, 'base64') : 'none'))
      .join('\n');
  }

  async install(values = this.#manager.install): Promise<void> {
    const { status, output } = await run([this.#manager.name, ...values], this.#root, this.#env);
    expect(status === 0, `${values.join(' ')} failed`, output);
  }

  /** As in a fresh clone, and only if the lockfile says all of it. */
  async installAnew(): Promise<void> {
    for (const name of ['node_modules', 'packages/a/node_modules', '.pnp.cjs'])
      rmSync(join(this.#root, name), { recursive: true, force: true });
    await this.install(this.#manager.frozen);
  }

  swap(...values: string[]): Promise<Said> {
    // From a package inside, as people do.
    return run([process.execPath, command, ...values], join(this.#root, 'packages/a'), this.#env);
  }

  /** The packages that dependents get, as the programs print them; they throw where something doesn't work. */
  async found(): Promise<Found> {
    const { status, output } = await run(
      [...this.#manager.run, join(this.#root, 'program.mjs')],
      this.#root,
      this.#env,
    );
    expect(status === 0, 'the program fails', output);
    return JSON.parse(output.split('\n').find((line) => line.startsWith('{')) ?? '{}') as Found;
  }

  async isOriginal(when: string): Promise<void> {
    const found = await this.found();
    for (const [dependent, start] of Object.entries(ORIGINALS))
      expect(
        found[dependent]?.name.startsWith(start),
        `${dependent} does not have ${start} ${when}`,
        JSON.stringify(found),
      );
  }

  async isOurs(): Promise<void> {
    const found = await this.found();
    for (const [dependent, { original, major, file }] of Object.entries(REPLACED)) {
      const line = lines.find((its) => its.original === original && its.major === major)!;
      const { name, hash } = found[dependent] ?? {};
      const built = createHash('sha256')
        .update(readFileSync(join(distOf(line), file)))
        .digest('hex');
      expect(
        name === `@lanewise/${line.package}@${versionOf(line)}` && hash === built,
        `${dependent} does not have ours`,
        JSON.stringify(found),
      );
    }
    expect(found['sshpk']?.name.startsWith('tweetnacl@0.14.'), 'tweetnacl 0.14 was replaced', JSON.stringify(found));
  }
}

async function test(manager: Manager, folder: string, registry: string): Promise<void> {
  const env = await environmentOf(manager, folder, registry);
  const root = join(folder, 'program');
  cpSync(join(import.meta.dirname, 'program'), root, { recursive: true });
  writeFileSync(join(root, '.npmrc'), `registry=${registry}/\n`);
  for (const [name, text] of Object.entries(manager.files ?? {})) writeFileSync(join(root, name), text);
  const program = new Program(manager, root, env);
  await program.install();
  await program.isOriginal('at the beginning');
  const before = program.files();

  const dry = await program.swap('--dry-run');
  expect(dry.status === 0 && program.files() === before, '--dry-run is not dry', dry.output);

  const swapped = await program.swap();
  expect(swapped.status === 0, 'the swap failed', swapped.output);
  await program.installAnew();
  await program.isOurs();
  const again = await program.swap();
  expect(again.status === 1 && /swapped already/.test(again.output), 'a second swap is not refused', again.output);

  const undone = await program.swap('--undo');
  expect(undone.status === 0, '--undo failed', undone.output);
  expect(program.files() === before, '--undo leaves other bytes', undone.output);
  await program.isOriginal('after --undo');

  // Where the author has edited a file since, only the lines of the swap go.
  const more = await program.swap('--leave', 'libsodium-wrappers@0');
  expect(more.status === 0, 'the swap with --leave failed', more.output);
  const manifest = join(root, 'package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"private"', '"license": "MIT",\n  "private"'));
  const back = await program.swap('--undo');
  expect(back.status === 0, '--undo after changes failed', back.output);
  expect(!readFileSync(manifest, 'utf8').includes('@lanewise'), 'a line is left', readFileSync(manifest, 'utf8'));
  expect(readFileSync(manifest, 'utf8').includes('"license"'), '--undo lost a change', readFileSync(manifest, 'utf8'));
  await program.isOriginal('after --undo of changed files');
}

const scratch = mkdtempSync(join(tmpdir(), 'lanewise-swap-'));
const tarballs = process.env['LANEWISE_TARBALLS'] ?? join(scratch, 'tarballs');
mkdirSync(tarballs, { recursive: true });
if (process.env['LANEWISE_TARBALLS'] === undefined)
  for (const tarball of [packLibrary(), ...lines.map(packLine)])
    cpSync(tarball, join(tarballs, tarball.split('/').at(-1)!));
const registry = await serveRegistry(tarballs);
let failures = 0;
const left = asked.length === 0 ? [...managers] : [...new Set(asked.flatMap(titled))];

async function work(): Promise<void> {
  for (let manager = left.shift(); manager; manager = left.shift()) {
    const started = performance.now();
    const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`;
    try {
      await environmentOf(manager, mkdtempSync(join(scratch, 'fetch-')), registry.url);
    } catch (error) {
      console.log(`${manager.title}: NOT RUN, it cannot be had: ${(error as Error).message}`);
      continue;
    }
    const folder = mkdtempSync(join(scratch, 'manager-'));
    try {
      await test(manager, folder, registry.url);
      console.log(`${manager.title}: swapped, right, taken back (${seconds()})`);
    } catch (error) {
      failures++;
      console.error(`${manager.title}: ${(error as Error).message}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

try {
  await Promise.all([work(), work()]);
} finally {
  await registry.close();
  rmSync(scratch, { recursive: true, force: true });
}
if (failures > 0) process.exitCode = 1;
