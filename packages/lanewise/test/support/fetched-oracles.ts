/**
 * Implementations that registries other than npm have, fetched once into `.cache` by the registry's own client at a pinned
 * version. Where the client or the registry is missing, there is a reason instead.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const cache = join(import.meta.dirname, '../../.cache');

/** The way to an implementation, or the reason why it is missing. */
export type Fetched = { readonly path: string } | { readonly missing: string };

function run(command: string, values: readonly string[], env: Readonly<Record<string, string>>): string | undefined {
  const { status, error, stderr } = spawnSync(command, values, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 240_000,
  });
  if (error) return `${command}: ${error.message}`;
  return status === 0 ? undefined : `${command} ${values.join(' ')}: ${stderr.trim().split('\n').at(-1)}`;
}

/** A program of a Go module. */
export function goProgram(path: string, version: string): Fetched {
  const name = path.split('/').at(-1)!;
  const folder = join(cache, `${name}-${version}`);
  const program = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
  if (existsSync(program)) return { path: program };
  mkdirSync(folder, { recursive: true });
  const missing = run('go', ['install', `${path}@v${version}`], { GOBIN: folder });
  return missing === undefined ? { path: program } : { missing };
}

/** A package of PyPI, in a folder for PYTHONPATH. */
export function pythonPackage(name: string, version: string, imported = name): Fetched {
  const folder = join(cache, `${name}-${version}`);
  if (!existsSync(join(folder, imported))) {
    const values = ['-m', 'pip', 'install', '--quiet', '--target', folder, `${name}==${version}`];
    const missing = run('python3', values, { PIP_DISABLE_PIP_VERSION_CHECK: '1' });
    if (missing !== undefined) return { missing };
  }
  const missing = run('python3', ['-c', `import ${imported}`], { PYTHONPATH: folder });
  return missing === undefined ? { path: folder } : { missing };
}

/** Runs a program on bytes; its output. */
export function piped(
  command: string,
  values: readonly string[],
  input: Uint8Array,
  env: Readonly<Record<string, string>> = {},
): Uint8Array {
  const { status, error, stdout, stderr } = spawnSync(command, values, {
    env: { ...process.env, ...env },
    input,
    maxBuffer: 2 ** 30,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr.toString().trim()}`);
  return new Uint8Array(stdout);
}
