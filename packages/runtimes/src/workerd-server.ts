/** A workerd process that serves workers from files of ours, each on a port of its own. */
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { inWords, start, temporaryFolder, type Running } from './processes.ts';

/** The compatibility date of the Workers. */
const COMPATIBILITY_DATE = '2026-11-01';

export interface WorkerModule {
  /** Paths that modules import each other by. */
  readonly name: string;
  readonly file: string;
  /** Otherwise it is JavaScript. */
  readonly wasm?: boolean;
}

export interface Worker {
  readonly name: string;
  /** The first is the one with the handler. */
  readonly modules: readonly WorkerModule[];
}

export interface Serving {
  /** By the name of the worker. */
  readonly urls: ReadonlyMap<string, string>;
  readonly running: Running;
  stop(): Promise<void>;
}

const text = (value: string): string => JSON.stringify(value);

function configuration(workers: readonly Worker[], folder: string): string {
  const moduleOf = ({ name, file, wasm }: WorkerModule): string =>
    `(name = ${text(name)}, ${wasm ? 'wasm' : 'esModule'} = embed ${text(relative(folder, file))})`;
  const services = workers.map(({ name }, i) => `(name = ${text(name)}, worker = .worker${i})`);
  const sockets = workers.map(
    ({ name }) => `(name = ${text(name)}, address = "127.0.0.1:0", http = (), service = ${text(name)})`,
  );
  const definitions = workers.map(
    ({ modules }, i) =>
      `const worker${i} :Workerd.Worker = (compatibilityDate = ${text(COMPATIBILITY_DATE)}, modules = [\n` +
      `  ${modules.map(moduleOf).join(',\n  ')}]);\n`,
  );
  return (
    'using Workerd = import "/workerd/workerd.capnp";\n' +
    `const config :Workerd.Config = (services = [${services.join(', ')}], sockets = [${sockets.join(', ')}]);\n` +
    definitions.join('')
  );
}

/** The ports that workerd tells on its control channel, when it listens on all of them. */
function listening(running: Running, workers: readonly Worker[]): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    const urls = new Map<string, string>();
    let rest = '';
    (running.child.stdio[3] as NodeJS.ReadableStream).setEncoding('utf8').on('data', (more: string) => {
      const lines = (rest + more).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const { socket, port } = JSON.parse(line) as { socket: string; port: number };
        urls.set(socket, `http://127.0.0.1:${port}/`);
      }
      if (urls.size === workers.length) resolve(urls);
    });
    void running.ended.then((ending) => reject(new Error(`workerd ${inWords(ending)}`)));
  });
}

/** Rejects with workerd's message if it does not serve. */
export async function serveWorkers(path: string, workers: readonly Worker[]): Promise<Serving> {
  const home = await temporaryFolder();
  let running: Running | undefined;
  const stop = async (): Promise<void> => {
    await running?.stop();
    await home.remove();
  };
  try {
    const file = join(home.path, 'config.capnp');
    await writeFile(file, configuration(workers, home.path));
    const program = { path, arguments: ['serve', file, '--control-fd=3'], environment: { TMPDIR: home.path } };
    running = await start(program, ['ignore', 'ignore', 'pipe', 'pipe']);
    return { urls: await listening(running, workers), running, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
