/** Programs from npm, fetched once into a cache folder of this package; they aren't dependencies of the workspace. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { failureOf } from './failure.ts';

const cache = join(dirname(dirname(import.meta.dirname)), '.cache/engines');
const windows = process.platform === 'win32';

export interface Package {
  /** Name and version, as npm is asked for it. */
  readonly spec: string;
  /** Other packages that are installed beside it. */
  readonly beside?: readonly string[];
  /** From the folder where it is installed. */
  readonly program: string;
  /** The processor that it is for, where that is not this one's. */
  readonly arch?: string;
}

/** Node's programs are one package for each platform. */
export function nodePackage(version: string, arch: string = process.arch): Package {
  const prefix = process.platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  const name = [prefix, windows ? 'win' : process.platform, arch].join('-');
  return { spec: `${name}@${version}`, program: `node_modules/${name}/bin/node${windows ? '.exe' : ''}`, arch };
}

export const BUN: Package = { spec: 'bun@1.4.5', program: 'node_modules/bun/bin/bun.exe' }; // the name on every platform
export const DENO: Package = { spec: 'deno@2.9.6', program: `node_modules/deno/deno${windows ? '.exe' : ''}` };
export const WORKERD: Package = {
  spec: 'workerd@1.20261117.1',
  program: `node_modules/workerd/bin/workerd${windows ? '.exe' : ''}`,
};

/** Where it is installed, or will be. */
export const folderOf = ({ spec }: Package): string => join(cache, spec.replace('@', '-'));
export const pathOf = (wanted: Package): string => join(folderOf(wanted), wanted.program);
export const isFetched = (wanted: Package): boolean => existsSync(pathOf(wanted));

/** By its folder: two that want one thing wait for one npm. */
const underWay = new Map<string, Promise<string>>();

async function install(wanted: Package): Promise<string> {
  const folder = folderOf(wanted);
  // Under another name until it is complete: an npm that was stopped half-way leaves nothing that looks right.
  const partial = `${folder}.${process.pid}`;
  await mkdir(partial, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel', 'error'];
  // Both packages put their program in place by a script of theirs.
  const scripts = '--ignore-scripts=false';
  const specs = [wanted.spec, ...(wanted.beside ?? [])];
  // npm refuses a package for another processor.
  const force = wanted.arch === undefined || wanted.arch === process.arch ? [] : ['--force'];
  try {
    await promisify(execFile)('npm', ['install', ...options, scripts, ...force, '--prefix', partial, ...specs], {
      timeout: 300_000,
      shell: windows,
    });
    if (!existsSync(join(partial, wanted.program))) throw new Error(`there is no ${wanted.program} in it`);
    await rename(partial, folder).catch((error: unknown) => {
      // Another process may have fetched it meanwhile.
      if (!isFetched(wanted)) throw error;
    });
  } catch (error) {
    throw new Error(`npm install ${wanted.spec}: ${failureOf(error, 0, 2)}`, { cause: error });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return pathOf(wanted);
}

/** The path of its program, which is fetched if it is missing. Rejects with npm's message. */
export async function fetched(wanted: Package): Promise<string> {
  if (isFetched(wanted)) return pathOf(wanted);
  const running = underWay.get(wanted.spec) ?? install(wanted);
  underWay.set(wanted.spec, running);
  try {
    return await running;
  } finally {
    underWay.delete(wanted.spec);
  }
}
