/** Where the servers of the tests are, and which of them this machine cannot have. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The S3 server: it honours If-Match, has versions and multipart uploads. */
const VERSITYGW = 'v1.8.0';

const onPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/** Debian keeps PostgreSQL's programs in a folder for each version, outside the path. */
function postgres(): string | undefined {
  const folders = '/usr/lib/postgresql';
  const versions = existsSync(folders) ? readdirSync(folders).sort((a, b) => Number(b) - Number(a)) : [];
  const inFolders = versions.map((version) => join(folders, version, 'bin/postgres')).find((path) => existsSync(path));
  return inFolders ?? onPath('postgres');
}

/** From the path, or made by Go once. */
function versitygw(): string | undefined {
  const found = onPath('versitygw');
  if (found !== undefined) return found;
  const cache = join(import.meta.dirname, `../../.cache/versitygw-${VERSITYGW}`);
  const made = join(cache, 'versitygw');
  if (existsSync(made)) return made;
  mkdirSync(cache, { recursive: true });
  spawnSync('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${VERSITYGW}`], {
    env: { ...process.env, GOBIN: cache },
    timeout: 600_000,
  });
  return existsSync(made) ? made : undefined;
}

const ways = {
  'redis-server': [() => onPath('redis-server'), 'apt-get install redis-server'],
  postgres: [postgres, 'apt-get install postgresql'],
  versitygw: [versitygw, `go install github.com/versity/versitygw/cmd/versitygw@${VERSITYGW}`],
} as const;

export type ServerName = keyof typeof ways;

const found = new Map<ServerName, string | undefined>();

/**
 * Whether this machine has a server, for `describe.skipIf(!hasServer('postgres'))`; where it has not, that is printed with the
 * command that gets it. On other systems than Linux and macOS there are none: the guard of their processes is a script of sh.
 */
export function hasServer(name: ServerName): boolean {
  if (!found.has(name)) {
    const [find, advice] = ways[name];
    found.set(name, process.platform === 'win32' ? undefined : find());
    if (found.get(name) === undefined) console.log(`SKIPPED: tests with ${name}, which is missing here: ${advice}`);
  }
  return found.get(name) !== undefined;
}

/** The path of a server's program. */
export function serverPath(name: ServerName): string {
  if (!hasServer(name)) throw new Error(`${name} is missing here: ${ways[name][1]}`);
  return found.get(name)!;
}
