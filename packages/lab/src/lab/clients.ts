/** The client as files that sessions load, for the duration of a run. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientBundle, POOL_WORKER, poolWorkerBundle } from '../bundle.ts';
import type { Place } from '../client/messages.ts';
import { lab } from '../host.ts';

export type Clients = Awaited<ReturnType<typeof buildClients>>;

const ownProcess: readonly Place[] = ['node', 'bun', 'deno'];

/** Writes the files below this package, so that rivals are found in node_modules. Needs the library's dist/. */
export async function buildClients() {
  const folder = join(lab, '.cache', 'client', String(process.pid));
  const path = (target: string): string => join(folder, `${target}.mjs`);
  const targets = ['node', 'web'] as const;
  const [worker, ...bundles] = await Promise.all([
    poolWorkerBundle(),
    ...targets.map((target) => clientBundle({ target })),
  ]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, POOL_WORKER), worker);
  bundles.forEach((text, i) => writeFileSync(path(targets[i]), text));
  return {
    /** The file for engines with the client in this kind of host. */
    fileFor: (place: Place): string => path(ownProcess.includes(place) ? 'node' : 'web'),
    remove: (): void => rmSync(folder, { recursive: true, force: true }),
  };
}
