/** Where age 1.3.1 is, which tests of several packages have as their judge. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of age's programs: from the path, or made by Go once; undefined if neither is there. */
export function findAge(): string | undefined {
  const cache = join(import.meta.dirname, '../.cache/age-1.3.1');
  if (existsSync(join(cache, 'age'))) return cache;
  mkdirSync(cache, { recursive: true });
  const { status } = spawnSync('go', ['install', 'filippo.io/age/cmd/...@v1.3.1'], {
    env: { ...process.env, GOBIN: cache },
    timeout: 300_000,
  });
  return status === 0 ? cache : undefined;
}
