/**
 * The native code in the release: a package for each system, compiled by zig, and `@lanewise/native`, which names them. The workspace's own
 * manifest doesn't name them, as npm would look for them in the registry.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prebuilt, type Prebuilt } from '../../native/scripts/prebuilt.ts';
import { manifest, nameOf, publishedManifest, writePackage } from '../../native/scripts/system-packages.ts';
import { targets, type Target } from '../../native/scripts/targets.ts';
import { zigHere } from '../../native/scripts/zig.ts';
import { emulated, platforms } from '../../runtimes/src/emulated.ts';
import type { Published } from './packages.ts';
import type { Tarball } from './registry.ts';
import { nameRepository } from './repository.ts';
import { run } from './run.ts';
import type { User } from './user.ts';
import { tarballOf } from '../../lanewise/scripts/tarballs.ts';

/** The folder of `@lanewise/native`, from the root of the repository. */
const FOLDER = 'packages/native';

/** `@lanewise/native`, and the addons of all systems, which it names. */
export interface Native {
  readonly addons: readonly Prebuilt[];
  readonly loader: Published;
  /** The packages of the systems, and then the one that names them. */
  readonly all: readonly Tarball[];
  /** Writes the manifest that is published to a copy of the repository. */
  prepare(copy: string): Promise<void>;
}

/** The systems of these names, with commas between them; all unless given. */
export function systemsOf(names?: string): readonly Target[] {
  if (names === undefined) return targets;
  return names.split(',').map((name) => {
    const found = targets.find((target) => target.name === name);
    if (found) return found;
    throw new Error(`--systems expected some of ${targets.map((target) => target.name).join(',')}, got ${name}`);
  });
}

/**
 * The addons of some systems. None where zig can't be had, and not those that can't be compiled, or twice give other bytes; each of these is
 * said.
 */
export async function nativeCode(say: (text: string) => void, systems: readonly Target[]): Promise<Native | undefined> {
  const found = await zigHere();
  if ('missing' in found) {
    say(`native code: NOT PACKED, no zig: ${found.missing}`);
    return undefined;
  }
  const addons: Prebuilt[] = [];
  for (const target of systems)
    try {
      addons.push(...(await prebuilt(found.zig, [target], say)));
    } catch (error) {
      say(`native code for ${target.name}: LEFT OUT: ${(error as Error).message}`);
    }
  if (addons.length === 0) return undefined;
  const { name, version } = manifest;
  return {
    addons,
    loader: { name, version, folder: FOLDER, builds: true },
    all: [...addons.map(({ target }) => nameOf(target)), name].map((its) => ({ name: its, version })),
    prepare: (copy) =>
      writeFile(
        join(copy, FOLDER, 'package.json'),
        `${JSON.stringify(publishedManifest(addons.map(({ target }) => target)), undefined, 2)}\n`,
      ),
  };
}

/** Packs the packages of the systems to a folder. */
export async function packSystems(
  { addons }: Native,
  to: string,
  scratch: string,
  repository: string | undefined,
): Promise<void> {
  for (const one of addons) {
    const name = nameOf(one.target);
    await writePackage(one, join(scratch, name));
    if (repository !== undefined) await nameRepository(scratch, name, repository, FOLDER);
    const options = ['--ignore-scripts', '--loglevel', 'error', '--pack-destination', to];
    await run('npm', ['pack', ...options], join(scratch, name));
  }
}

interface Component {
  readonly name: string;
}

/** The list of components with the packages of all systems: npm lists that of the machine alone. */
export async function withSystems(sbom: string, all: readonly Tarball[], folder: string): Promise<string> {
  const its = JSON.parse(sbom) as { components: Component[] };
  const listed = new Set(its.components.map(({ name }) => name));
  for (const one of all.filter(({ name }) => !listed.has(name))) {
    const content = createHash('sha512')
      .update(await readFile(join(folder, tarballOf(one))))
      .digest('hex');
    const { name, version } = one;
    const component = {
      ...{ 'bom-ref': `${name}@${version}`, type: 'library', name, version, scope: 'optional' },
      ...{ purl: `pkg:npm/${name.replace('@', '%40')}@${version}`, hashes: [{ alg: 'SHA-512', content }] },
    };
    its.components.push(component);
  }
  return JSON.stringify(its);
}

/** Prints the widths; each has to give the digest of WebAssembly, from an addon that was not compiled here. */
const PROGRAM = `
import { availableLanes, useLanes } from '@lanewise/native';
import { blake3 } from 'lanewise/blake3.js';
import { xchacha20poly1305 } from 'lanewise/chacha.js';
import { describe, select } from 'lanewise/engine.js';
const message = Uint8Array.from({ length: 70_001 }, (_, i) => i % 251);
const key = new Uint8Array(32).fill(7);
const nonce = new Uint8Array(24).fill(9);
const all = () => Buffer.concat([blake3(message), xchacha20poly1305(key, nonce).encrypt(message)]);
select('scalar');
const expected = all();
select('auto');
for (const lanes of availableLanes) {
  useLanes(lanes);
  const same = all().equals(expected);
  const { engine, reason } = describe();
  if (engine !== 'native' || !same) throw new Error(lanes + ' lanes: ' + (reason ?? 'wrong bytes'));
}
console.log(availableLanes.join(' '));
`;

/** A program that installs it in an empty folder, for this machine or for another processor that is emulated here. Returns the widths. */
async function runIn(user: User, program: readonly string[], flags: readonly string[]): Promise<string> {
  await user.write('package.json', { private: true, type: 'module' });
  await user.npm('install', manifest.name, ...flags);
  await user.write('program.js', PROGRAM);
  const [command, ...before] = program;
  const lanes = (await user.run(command, ...before, 'program.js')).trim();
  if (lanes === '') throw new Error(`${manifest.name}: no addon is installed`);
  return lanes;
}

/** Installs it as users do, on this machine, and for ARM64 under emulation where that is possible: those of them that are packed. */
export async function runNative(
  { addons }: Native,
  userIn: (name: string) => Promise<User>,
  say: (text: string) => void,
): Promise<void> {
  const isPacked = (name: string): boolean => addons.some(({ target }) => target.name === name);
  // Zig is fetched on such a machine only.
  if (!isPacked('linux-x64-gnu')) {
    say('native code: NOT RUN, that of linux-x64-gnu is not packed');
    return;
  }
  const lanes = await runIn(await userIn('native'), [process.execPath], []);
  say(`native code: installed and run in ${process.platform}-${process.arch}, lanes: ${lanes}`);
  if (!isPacked('linux-arm64-gnu')) {
    say('native code: NOT RUN in linux-arm64, it is not packed');
    return;
  }
  const arm = platforms.find(({ arch }) => arch === 'arm64')!;
  const found = await emulated(arm);
  if (found.missing !== undefined) {
    say(`native code: NOT RUN in linux-arm64, there is no ${found.missing}: ${found.howToGet}`);
    return;
  }
  const user = await userIn('native-arm64');
  const there = await runIn(
    user,
    [found.path, ...found.arguments],
    ['--os', 'linux', '--cpu', 'arm64', '--libc', 'glibc'],
  );
  say(`native code: installed for linux-arm64 and run under emulation, lanes: ${there}`);
}
