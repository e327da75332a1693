/** A redis-server of the test's own, as the library wants it: it evicts nothing, and its data outlives it. */
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { serverPath } from './available.ts';
import { freePort, startProgram, temporaryFolder, type Program } from './process.ts';

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Its output. */
  log(): string;
  /** Ends it by SIGKILL, or in good order, and starts it on the same port with the same data, after `down` milliseconds. */
  restart(options?: { readonly kill?: boolean; readonly down?: number }): Promise<void>;
  /** All data of the server as it lies on the disk, in which tests look for secrets. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** Asks a server that speaks Redis' protocol whether it is there and has loaded its data. */
function ping(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.setTimeout(2000, () => socket.destroy(new Error('no answer')));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      socket.destroy();
      if (data.toString().startsWith('+PONG')) resolve();
      else reject(new Error(data.toString()));
    });
    socket.once('error', reject);
  });
}

/** `durable: false` is Redis without a file of its changes, as for measurements of the queue alone. */
export async function startRedis({ durable = true }: { readonly durable?: boolean } = {}): Promise<RedisServer> {
  const folder = temporaryFolder();
  const port = await freePort();
  const command = [serverPath('redis-server'), '--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder.path];
  // Every change is in the file before its caller has the answer, so that SIGKILL loses none.
  command.push(
    '--appendonly',
    durable ? 'yes' : 'no',
    '--save',
    '',
    '--maxmemory-policy',
    'noeviction',
    '--daemonize',
    'no',
  );
  const log = join(folder.path, 'log.txt');
  const start = (): Promise<Program> => startProgram({ command, log, ready: () => ping(port) });
  let program = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    folder: folder.path,
    get pid() {
      return program.pid;
    },
    log: () => program.log(),
    async restart({ kill = false, down = 0 } = {}) {
      await (kill ? program.kill() : program.stop());
      if (down > 0) await new Promise((resolve) => setTimeout(resolve, down));
      program = await start();
    },
    async stop() {
      await program.stop();
      folder.remove();
    },
  };
}
