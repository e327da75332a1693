/**
 * Tables of tests that every room has a part in. `test/x/table/` holds the parts of the room x, so that a new primitive adds
 * files and edits none: `calls.ts`, `options.ts`, `subjects.ts` and so on, each described where the whole table is made.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
// Parts of tables import it, and it awaits: workerd refuses such a module if an `import()` is the first to load it.
import './oracles.ts';

const folder = join(import.meta.dirname, '..');
const rooms = readdirSync(folder)
  .filter((name) => !name.includes('.') && readdirSync(join(folder, name)).includes('table'))
  .sort();

/** The export `name` of each room's file of this name, in the order of the rooms' names. */
export async function partsOf<T>(file: string, name: string): Promise<T[]> {
  const parts: T[] = [];
  for (const room of rooms)
    if (readdirSync(join(folder, room, 'table')).includes(`${file}.ts`)) {
      const module = (await import(`../${room}/table/${file}.ts`)) as Readonly<Record<string, T | undefined>>;
      const part = module[name];
      if (part === undefined) throw new Error(`test/${room}/table/${file}.ts does not export ${name}`);
      parts.push(part);
    }
  return parts;
}
