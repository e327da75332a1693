/**
 * Tables of tests that every room has a part in. `test/rooms/x/` holds the parts of the room x, so that a new primitive adds
 * files and edits none: `calls.ts`, `options.ts`, `subjects.ts` and so on, each described where the whole table is made.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../rooms');

/** The export `name` of each room's file of this name, in the order of the rooms' names. */
export async function partsOf<T>(file: string, name: string): Promise<T[]> {
  const parts: T[] = [];
  for (const room of readdirSync(folder).sort())
    if (readdirSync(join(folder, room)).includes(`${file}.ts`)) {
      const module = (await import(`../rooms/${room}/${file}.ts`)) as Readonly<Record<string, T | undefined>>;
      const part = module[name];
      if (part === undefined) throw new Error(`rooms/${room}/${file}.ts does not export ${name}`);
      parts.push(part);
    }
  return parts;
}
