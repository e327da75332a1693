/**
 * `#rooms` for programs that run from source: it finds rooms by folder. Bundles have the list that bundle.ts writes
 * into them.
 */
import { pathToFileURL } from 'node:url';
import { roomFolders, type RoomFolder } from '../../room-folders.ts';
import type { Operation } from '../operation.ts';
import type { Room, RoomContests, RoomKernels } from '../room.ts';

async function load<T>(path: string | undefined): Promise<T | undefined> {
  return path === undefined ? undefined : ((await import(/* @vite-ignore */ pathToFileURL(path).href)) as T);
}

async function roomIn({ name, file }: RoomFolder): Promise<Room> {
  const [operations, contests] = await Promise.all([
    load<{ operations: readonly Operation[] }>(file('operations')),
    load<{ contests: RoomContests }>(file('contests')),
  ]);
  return {
    name,
    operations: operations?.operations ?? [],
    contests: contests?.contests ?? {},
    kernels: async () => (await load<{ kernels: RoomKernels }>(file('forms')))?.kernels ?? { ours: [] },
  };
}

export const found: readonly Room[] = await Promise.all(roomFolders().map(roomIn));
