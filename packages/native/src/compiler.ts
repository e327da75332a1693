/** The C compiler of this machine. */
import { spawnSync } from 'node:child_process';

const works = (compiler: readonly string[]): boolean =>
  spawnSync(compiler[0], [...compiler.slice(1), '--version'], { stdio: 'ignore' }).status === 0;

/** The command of the first compiler that runs here: that of CC, cc, gcc, clang, or zig, which PyPI has as `ziglang`. */
export function compilerHere(): readonly string[] | undefined {
  const named = process.env['CC']?.split(' ').filter((word) => word !== '') ?? [];
  const known = [['cc'], ['gcc'], ['clang'], ['zig', 'cc'], ['python3', '-m', 'ziglang', 'cc']];
  return [...(named.length > 0 ? [named] : []), ...known].find(works);
}

/** Flags of the linker for this machine: functions of Node-API are in the program that loads the addon. */
export const linkedHere = (): readonly string[] =>
  process.platform === 'darwin' ? ['-Wl,-undefined,dynamic_lookup'] : ['-s'];
