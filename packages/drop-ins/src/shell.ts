/** Programs that the scripts of this package run, and the folder with the files that they fetched. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tarballFrom } from '../../lanewise/scripts/tarballs.ts';
import { distOf, workspace } from './folders.ts';
import { lines, type Line } from './lines.ts';

export const cache = join(workspace, '.cache/drop-ins');

/** Runs a command and returns its output; an error has all of its output. */
export function run(command: string, values: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, values, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 28,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${values.join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

/** The tarball of a folder as it was built last. */
function pack(folder: string): string {
  const to = join(cache, 'tarballs');
  mkdirSync(to, { recursive: true });
  return tarballFrom(folder, to, '--ignore-scripts');
}

/** The tarball of the library, as it was built last. */
export const packLibrary = (): string => pack(join(workspace, 'packages/lanewise'));

/** The tarball of a line. */
export const packLine = (line: Line): string => pack(distOf(line));

export const lineOf = (original: string, major: number): Line => {
  const found = lines.find((line) => line.original === original && line.major === major);
  if (!found) throw new Error(`no drop-in package takes the place of ${original} ${major}`);
  return found;
};

/** An empty folder in the cache. */
export function emptyFolder(name: string): string {
  const folder = join(cache, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Writes folders of a public repository, at a commit, to a folder. The repository is fetched once into the cache, or taken from
 * `clones`, a folder with clones, where large files may be missing. Returns the files that are missing, or undefined if nothing can
 * be had.
 */
export function checkOut(
  { owner, name, commit }: { owner: string; name: string; commit: string },
  paths: readonly string[],
  to: string,
  clones: string | undefined,
): readonly string[] | undefined {
  const clone = clones === undefined ? join(cache, 'clones', `${name}-${commit}`) : join(clones, name);
  if (clones === undefined && !existsSync(join(clone, 'HEAD'))) {
    mkdirSync(clone, { recursive: true });
    try {
      run('git', ['init', '--quiet', '--bare'], clone);
      run('git', ['remote', 'add', 'origin', `https://github.com/${owner}/${name}`], clone);
      // Files are fetched when they are checked out.
      run('git', ['fetch', '--quiet', '--depth', '1', '--filter=blob:none', 'origin', commit], clone, {
        GIT_TERMINAL_PROMPT: '0',
      });
    } catch {
      rmSync(clone, { recursive: true, force: true });
      return undefined;
    }
  }
  mkdirSync(to, { recursive: true });
  const git = (...values: string[]): string => {
    // The clone's own index stays as it is.
    const env = { ...process.env, GIT_INDEX_FILE: join(to, '.index') };
    const options = { cwd: to, encoding: 'utf8', env, maxBuffer: 2 ** 28 } as const;
    const { status, stdout, stderr } = spawnSync(
      'git',
      [`--git-dir=${clone}`, `--work-tree=${to}`, ...values],
      options,
    );
    if (status !== 0 && values[0] !== 'ls-tree')
      throw new Error(`git ${values.join(' ')} ended with ${status}\n${stderr}`);
    return stdout;
  };
  const sizes = clones === undefined ? '' : git('ls-tree', '-r', '-l', commit);
  const missing = sizes.split('\n').flatMap((line) => /^\S+ blob \S+ +BAD\t(.*)/.exec(line)?.[1] ?? []);
  git('checkout', commit, '--', ...paths, ...missing.map((path) => `:(exclude)${path}`));
  rmSync(join(to, '.index'));
  return missing;
}
