/** The compiler of this machine, and the headers of Node-API. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

export const include = (createRequire(import.meta.url)('node-api-headers') as { include_dir: string }).include_dir;

const works = (compiler: readonly string[]): boolean =>
  spawnSync(compiler[0], [...compiler.slice(1), '--version'], { stdio: 'ignore' }).status === 0;

/** The command of the first compiler that runs here: that of CC, gcc, clang, or zig, which PyPI has as `ziglang`. */
export function compilerHere(): readonly string[] | undefined {
  const named = process.env['CC']?.split(' ').filter((word) => word !== '') ?? [];
  const known = [['gcc'], ['clang'], ['zig', 'cc'], ['python3', '-m', 'ziglang', 'cc']];
  return [...(named.length > 0 ? [named] : []), ...known].find(works);
}
