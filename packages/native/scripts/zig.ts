/** The compiler of the addons for all systems: zig, as PyPI's `ziglang` of one version, fetched once into a cache. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { failureOf } from '../../runtimes/src/failure.ts';

export const VERSION = '0.17.0';
/** Of the wheel for Linux, x64. */
const SHA256 = '97079827064a7492cce5541ceb438ae8003ce1e54e399676da2d62fb7a5dc08b';

/** A folder that git doesn't see, beside that of runtimes. */
export const cache = join(import.meta.dirname, '../../.cache');

const works = ([program, ...before]: readonly string[]): boolean =>
  spawnSync(program, [...before, 'version'], { stdio: 'ignore' }).status === 0;

/** Installs the wheel into a folder, under another name until it is complete. */
async function install(folder: string): Promise<void> {
  const partial = `${folder}.${process.pid}`;
  await mkdir(partial, { recursive: true });
  try {
    const wanted = join(partial, 'requirements.txt');
    await writeFile(wanted, `ziglang==${VERSION} --hash=sha256:${SHA256}\n`);
    const options = [
      '--quiet',
      '--no-deps',
      '--only-binary',
      ':all:',
      '--require-hashes',
      '--no-cache-dir',
      '--retries',
      '1',
    ];
    const pip = ['-m', 'pip', 'install', ...options, '--disable-pip-version-check', '--target', partial, '-r', wanted];
    await promisify(execFile)('python3', pip, { timeout: 300_000 });
    // Another process may have fetched it meanwhile.
    await rename(partial, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** The command of zig: that of the variable ZIG, or PyPI's. Without one, the reason. */
export async function zigHere(): Promise<{ readonly zig: readonly string[] } | { readonly missing: string }> {
  const named = process.env['ZIG'];
  if (named !== undefined) {
    const zig = named.split(' ').filter((word) => word !== '');
    return zig.length > 0 && works(zig) ? { zig } : { missing: `ZIG, which is "${named}", does not run` };
  }
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: 'ZIG does not name a compiler, and one is fetched on Linux, x64, only' };
  const folder = join(cache, `ziglang-${VERSION}`);
  const zig = [join(folder, 'ziglang/zig')];
  try {
    if (!existsSync(folder)) {
      await mkdir(dirname(folder), { recursive: true });
      await install(folder);
    }
    return works(zig) ? { zig } : { missing: `${zig[0]} does not run` };
  } catch (error) {
    return { missing: `pip install ziglang==${VERSION}: ${failureOf(error, -1)}` };
  }
}
