/** Where the command of the crate bao is, which is the judge of verified streaming. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = '0.13.1';

/** The program: from the cache, or made by Cargo once, from the crate bao_bin; undefined if there is none. */
export function findBao(): string | undefined {
  const cache = join(import.meta.dirname, '../.cache', `bao-${VERSION}`);
  const program = join(cache, 'bin', 'bao');
  if (existsSync(program)) return program;
  const { status } = spawnSync('cargo', ['install', 'bao_bin', '--version', VERSION, '--locked', '--root', cache], {
    timeout: 600_000,
  });
  return status === 0 ? program : undefined;
}
