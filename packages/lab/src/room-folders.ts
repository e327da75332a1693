/** The folders of `rooms/` and their files: bundles list them when they are made, programs of Node when they start. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const rooms = join(import.meta.dirname, 'rooms');

export interface RoomFolder {
  readonly name: string;
  /** The path of a file of the room; undefined if the room has none of this name. */
  readonly file: (name: 'operations' | 'contests' | 'forms') => string | undefined;
}

export const roomFolders = (): readonly RoomFolder[] =>
  readdirSync(rooms, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((folder) => ({
      name: folder,
      file(name) {
        const path = join(rooms, folder, `${name}.ts`);
        return existsSync(path) ? path : undefined;
      },
    }));
