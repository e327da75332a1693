/** Bun from npm, fetched once: into the folder, and in the version, that `npm run test:runtimes` has it in. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VERSION = '1.4.5';
const folder = join(import.meta.dirname, '../../../.cache/runtimes', `bun-${VERSION}`);
/** The name is the same on every platform. */
const program = join(folder, 'node_modules/bun/bin/bun.exe');

/** How to run a file with it. Throws what npm said. */
export async function bunCommand(): Promise<[string, ...string[]]> {
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    const options = ['--no-save', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel', 'error'];
    try {
      await promisify(execFile)('npm', ['install', ...options, '--prefix', folder, `bun@${VERSION}`], {
        timeout: 300_000,
      });
    } catch (error) {
      const said = (error as { stderr?: string }).stderr?.trim().split('\n')[0] ?? String(error);
      throw new Error(`Bun could not be fetched (npm install --prefix ${folder} bun@${VERSION}): ${said}`, {
        cause: error,
      });
    }
  }
  // The paths of tsconfig.json would lead it to the library's sources; any JSON without paths is better.
  return [program, `--tsconfig-override=${join(import.meta.dirname, '../package.json')}`];
}
