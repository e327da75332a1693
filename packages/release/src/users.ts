/** What users do with the release, in empty folders: they know the names of the packages only. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lines, targetOf } from '../../drop-ins/src/lines.ts';
import { run } from './run.ts';

/** The hash of no bytes (BLAKE3's test vectors). */
const EMPTY = 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262';

const PROGRAM = `
import { blake3 } from 'lanewise/blake3.js';
import { bytesToHex } from 'lanewise';
import { Decrypter, Encrypter } from '@lanewise/age';

const encrypter = new Encrypter();
encrypter.setPassphrase('correct horse');
encrypter.setScryptWorkFactor(2);
const decrypter = new Decrypter();
decrypter.addPassphrase('correct horse');
const back = await decrypter.decrypt(await encrypter.encrypt('hello'), 'text');
if (back !== 'hello' || bytesToHex(blake3(new Uint8Array(0))) !== '${EMPTY}') throw new Error('wrong');
`;

/** A program that knows the originals only; the drop-in packages of one major version are in their place. */
const IMPORTS: Readonly<Record<string, string>> = {
  '@noble/ciphers 2': `import { xchacha20poly1305 as its } from '@noble/ciphers/chacha.js';`,
  '@noble/ciphers 1': `import { xchacha20poly1305 as its } from '@noble/ciphers/chacha';`,
  '@noble/hashes 2': `import { blake3 as its } from '@noble/hashes/blake3.js';`,
  '@noble/hashes 1': `import { blake3 as its } from '@noble/hashes/blake3';`,
};

export class Users {
  readonly #folder: string;
  readonly #registry: string;

  private constructor(folder: string, registry: string) {
    this.#folder = folder;
    this.#registry = registry;
  }

  /** Users whose folders are removed when `work` has ended. */
  static async with(registry: string, work: (users: Users) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'lanewise-users-'));
    try {
      await work(new Users(folder, registry));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** The path of an empty folder. */
  async #empty(name: string): Promise<string> {
    const folder = join(this.#folder, name);
    await mkdir(folder);
    return folder;
  }

  #npm(values: readonly string[], cwd: string, command = 'npm'): Promise<string> {
    return run(command, values, cwd, {
      npm_config_registry: this.#registry,
      npm_config_cache: join(this.#folder, 'cache'),
      npm_config_loglevel: 'error',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    });
  }

  /** `npx` installs the command and all that it needs, and nothing else. */
  async command(): Promise<void> {
    const folder = await this.#empty('npx');
    const npx = (...values: string[]): Promise<string> =>
      this.#npm(['--yes', '@lanewise/cli', ...values], folder, 'npx');
    await writeFile(join(folder, 'empty'), '');
    await writeFile(join(folder, 'text'), 'hello\n');
    const hash = await npx('hash', 'empty');
    if (hash !== `${EMPTY}  empty\n`) throw new Error(`npx @lanewise/cli hash prints ${hash}`);
    await npx('keygen', '-o', 'key');
    await npx('encrypt', '-i', 'key', '-o', 'text.age', 'text');
    if ((await npx('decrypt', '-i', 'key', 'text.age')) !== 'hello\n')
      throw new Error('npx @lanewise/cli: wrong plaintext');
  }

  /** `npx` puts a drop-in package in the place of its original in a program that has a lockfile, and takes it back. */
  async swap(): Promise<void> {
    const folder = await this.#empty('swap');
    const dependencies = { tweetnacl: '^1.0.0' };
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'swap-user', private: true, dependencies }));
    await this.#npm(['install'], folder);
    const isOurs = async (): Promise<boolean> =>
      (await readFile(join(folder, 'node_modules/tweetnacl/package.json'), 'utf8')).includes('"@lanewise/tweetnacl"');
    const swap = (...values: string[]): Promise<string> =>
      this.#npm(['--yes', '@lanewise/swap', ...values], folder, 'npx');
    await swap();
    if (!(await isOurs())) throw new Error('npx @lanewise/swap: tweetnacl is not replaced');
    await swap('--undo');
    if (await isOurs()) throw new Error('npx @lanewise/swap --undo: tweetnacl is not taken back');
  }

  /** A program with all packages, and the list of all that is installed for it. */
  async program(names: readonly string[]): Promise<string> {
    const folder = await this.#empty('lanewise-packages');
    await writeFile(
      join(folder, 'package.json'),
      '{ "name": "lanewise-packages", "version": "0.0.0", "private": true, "type": "module" }',
    );
    await this.#npm(['install', ...names], folder);
    await writeFile(join(folder, 'program.js'), PROGRAM);
    await run(process.execPath, ['program.js'], folder);
    return this.#npm(['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], folder);
  }

  /** The line of package.json by which an application gets the drop-in packages. */
  async overrides(): Promise<void> {
    for (const line of lines) {
      const { package: name, original, major } = line;
      const folder = await this.#empty(`${name}-${major}`);
      const dependency = { [original]: targetOf(line) };
      await writeFile(
        join(folder, 'package.json'),
        JSON.stringify({ private: true, type: 'module', dependencies: dependency }),
      );
      await this.#npm(['install'], folder);
      const lines = IMPORTS[`${original} ${major}`] ?? `import its from '${original}';`;
      await writeFile(join(folder, 'program.js'), `${lines}\nif (!its) throw new Error('nothing');\n`);
      await run(process.execPath, ['program.js'], folder);
      const manifest = await readFile(join(folder, 'node_modules', original, 'package.json'), 'utf8');
      if (!manifest.includes(`"@lanewise/${name}"`)) throw new Error(`${original} is not @lanewise/${name}`);
    }
  }
}
