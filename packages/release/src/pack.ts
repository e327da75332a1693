/** Packs all packages in a fresh copy of the repository, which nothing that was built or changed elsewhere can reach. */
import { copyFile, link, mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { tarballOf } from '../../lanewise/scripts/tarballs.ts';
import { packSystems, type Native } from './native.ts';
import { published, workspace } from './packages.ts';
import { nameRepository } from './repository.ts';
import { run } from './run.ts';
import { sumsOf } from './sums.ts';

/** The files that are in the repository, or would be. */
async function sources(): Promise<readonly string[]> {
  const listed = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], workspace);
  const removed = await run('git', ['ls-files', '-z', '--deleted'], workspace);
  const gone = new Set(removed.split('\0'));
  return listed.split('\0').filter((name) => name !== '' && !gone.has(name));
}

/** Makes a folder of the same files without copying them where that is possible. Links of the workspace lead to the copy. */
async function linkFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
      else if (entry.isDirectory()) {
        if (entry.name !== '.cache' && entry.name !== '.vite') await linkFolder(source, target);
      } else await link(source, target).catch(() => copyFile(source, target)); // another disk
    }),
  );
}

/**
 * Packs everything to a folder. The packages name this repository, if it is given; drop-in packages take it from the library. `below` puts
 * the copy so many folders deeper, so that paths that got into a tarball are found.
 */
async function packAll(
  to: string,
  below: number,
  repository: string | undefined,
  native: Native | undefined,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lanewise-release-'));
  try {
    const copy = join(folder, ...Array.from({ length: below }, () => 'deeper'));
    for (const name of await sources()) {
      await mkdir(dirname(join(copy, name)), { recursive: true });
      await copyFile(join(workspace, name), join(copy, name));
    }
    await native?.prepare(copy);
    const [library, ...others] = published;
    const own = [...published, ...(native ? [native.loader] : [])];
    if (repository !== undefined)
      for (const { folder: its, builds } of own) if (builds) await nameRepository(copy, its, repository);
    await linkFolder(join(workspace, 'node_modules'), join(copy, 'node_modules'));
    await mkdir(to, { recursive: true });
    const pack = (its: string): Promise<string> =>
      run('npm', ['pack', '--loglevel', 'error', '--pack-destination', to], join(copy, its));
    await pack(library.folder);
    // Others take the types of native code, also where it isn't packed.
    if (native) await pack(native.loader.folder);
    else await run(process.execPath, ['packages/native/scripts/build.ts'], copy);
    for (const { folder: its, builds } of others) if (builds) await pack(its);
    await run(process.execPath, ['packages/drop-ins/src/build.ts'], copy);
    for (const { folder: its, builds } of others) if (!builds) await pack(its);
    if (native) await packSystems(native, to, join(folder, 'systems'), repository);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Packing {
  readonly repository?: string | undefined;
  readonly say?: (text: string) => void;
  readonly native?: Native | undefined;
  /** Whether one copy is enough. */
  readonly once?: boolean | undefined;
}

/**
 * Packs everything to a folder from a fresh copy, with native code if it is given. Packs it from another copy as well, unless one is enough,
 * and throws if both aren't the same, byte for byte. Returns the lines of `sha256sum`.
 */
export async function packFresh(
  to: string,
  { repository, say = console.log, native, once }: Packing = {},
): Promise<string> {
  const again = `${to}-again`;
  const files = [...published, ...(native?.all ?? [])].map(tarballOf);
  say(`packing ${files.length} packages in ${once ? 'a fresh copy' : 'two fresh copies'}`);
  try {
    await packAll(to, 0, repository, native);
    const sums = await sumsOf('sha256', to, files);
    say(`packed once${once ? '; another copy was not asked for' : ''}`);
    if (once) return sums;
    await packAll(again, 2, repository, native);
    const others = await sumsOf('sha256', again, files);
    if (sums !== others) throw new Error(`two runs give other bytes:\n${sums}\n${others}`);
    say('packed twice: the same, byte for byte');
    return sums;
  } finally {
    await rm(again, { recursive: true, force: true });
  }
}
