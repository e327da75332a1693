/** A PostgreSQL of the test's own, in a folder that is made for it and removed with it. */
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { serverPath } from './available.ts';
import { freePort, startProgram, temporaryFolder, type Program } from './process.ts';

export interface PostgresServer {
  readonly url: string;
  readonly pid: number;
  log(): string;
  /** Ends it without its usual order ("immediate"), or in good order, and starts it on the same port with the same data, after `down` milliseconds. */
  restart(options?: { readonly kill?: boolean; readonly down?: number }): Promise<void>;
  stop(): Promise<void>;
}

const idOf = (user: string, flag: '-u' | '-g'): number | undefined => {
  try {
    return Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'] }).toString());
  } catch {
    return undefined;
  }
};

/** PostgreSQL refuses to run as root: it runs as the user of its package, or as nobody. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = ['postgres', 'nobody'].find((name) => idOf(name, '-u') !== undefined);
  if (user === undefined) throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody');
  return { uid: idOf(user, '-u')!, gid: idOf(user, '-g')! };
}

export async function startPostgres(): Promise<PostgresServer> {
  const program = serverPath('postgres');
  const folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const user = unprivileged();
  mkdirSync(data, { mode: 0o700 });
  if (user !== undefined) {
    chownSync(folder.path, user.uid, user.gid);
    chownSync(data, user.uid, user.gid);
  }
  const as = user === undefined ? [] : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  const run = (command: readonly string[]): readonly string[] => [...as, ...command];
  const [first, ...rest] = run([
    join(dirname(program), 'initdb'),
    '--pgdata',
    data,
    '--username',
    'lanewise',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--locale',
    'C',
    '--no-sync',
  ]);
  execFileSync(first, rest, { cwd: folder.path, stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await freePort();
  const url = `postgres://lanewise@127.0.0.1:${port}/postgres`;
  const options = {
    command: run([
      program,
      '-D',
      data,
      '-p',
      `${port}`,
      '-h',
      '127.0.0.1',
      '-k',
      folder.path,
      // The data are thrown away: nothing waits for the disk. Committed rows are with the system, and outlive the server.
      '-c',
      'fsync=off',
      '-c',
      'full_page_writes=off',
    ]),
    log: join(folder.path, 'log.txt'),
    // Fast shutdown: SIGTERM would wait for the clients.
    stopSignal: 'INT' as const,
    async ready() {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query('select 1');
      } finally {
        await client.end();
      }
    },
  };
  let server: Program = await startProgram(options);
  return {
    url,
    get pid() {
      return server.pid;
    },
    log: () => server.log(),
    async restart({ kill = false, down = 0 } = {}) {
      await (kill ? server.kill('SIGQUIT') : server.stop());
      await sleep(down);
      server = await startProgram(options);
    },
    async stop() {
      await server.stop();
      folder.remove();
    },
  };
}
