/** Where a program of this machine is, and its version. */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

async function runs(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The first of some names, or paths, that there is. */
export async function locate(names: readonly string[]): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  for (const name of names)
    for (const path of isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name + suffix)))
      if (await runs(path)) return path;
  return undefined;
}

/** The version in a program's answer to `--version`. Rejects with the answer if it has none. */
export async function versionOf(path: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = { ...process.env, ...environment };
  const { stdout, stderr } = await promisify(execFile)(path, ['--version'], { timeout: 30_000, env });
  const [version] = /\d+([.-]\d+)+\w*/.exec(stdout || stderr) ?? [];
  if (!version) throw new Error(`${path} --version tells no version: ${(stdout || stderr).trim().slice(0, 200)}`);
  return version;
}
