/** Runtimes that are one process: a task on standard input, messages as lines of JSON on standard output. */
import type { Settings } from '../../../runtimes/src/found.ts';
import type { Engine } from './engine.ts';
import { fetched, type Package } from '../../../runtimes/src/fetched.ts';
import { inWords, start } from '../../../runtimes/src/processes.ts';
import { versionOf } from '../../../runtimes/src/programs.ts';
import { engineBy, hear } from './session.ts';

export interface Runtime {
  readonly id: string;
  readonly name: string;
  /** The package to fetch it from, if `path` is not set. */
  readonly origin: { readonly path: string } | { readonly fetch: Package };
  /** Arguments before the name of the file. */
  readonly command?: readonly string[];
  readonly settings: Settings;
  readonly remarks?: readonly string[];
}

const sessionOf =
  (runtime: Runtime): Parameters<typeof engineBy>[2] =>
  (path, task, options) =>
  async (receive, over) => {
    const { arguments: flags = [], environment = {} } = runtime.settings;
    const program = {
      path,
      arguments: [...(runtime.command ?? []), ...flags, options.client],
      // Options of this process, such as NODE_OPTIONS, are not passed on.
      environment: { NODE_OPTIONS: '', ...environment },
    };
    const running = await start(program, ['pipe', 'pipe', 'pipe']);
    const { stdin, stdout } = running.child;
    // A process that ends without reading its input fails for another reason, which is reported.
    stdin!.on('error', () => undefined).end(JSON.stringify(task));
    const heard = hear(stdout!, receive);
    try {
      const ending = await Promise.race([over, running.ended]);
      if (!ending) return 'was ended';
      // Output that was written before the process ended.
      await Promise.race([heard, over]);
      return inWords(ending);
    } finally {
      await running.stop();
    }
  };

/** Finds a program, and fetches it if it comes from a registry. */
export const foundBy =
  (name: string, origin: Runtime['origin']): Engine['find'] =>
  async () => {
    try {
      const path = 'path' in origin ? origin.path : await fetched(origin.fetch);
      return { path, version: await versionOf(path) };
    } catch (error) {
      const howToGet = 'fetch' in origin ? `npm install ${origin.fetch.spec}` : 'it is the runtime of this program';
      return { missing: `${name} (${(error as Error).message})`, howToGet };
    }
  };

export const runtimeEngine = (runtime: Runtime): Engine => {
  const { id, name, origin, settings, remarks = [] } = runtime;
  return engineBy({ id, name, settings, remarks }, foundBy(name, origin), sessionOf(runtime));
};
