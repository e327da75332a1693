/** Bun from npm, fetched once. */
import { join } from 'node:path';
import { BUN, fetched } from '../../runtimes/src/fetched.ts';

/** How to run a file with it. Throws what npm said. */
export async function bunCommand(): Promise<[string, ...string[]]> {
  const program = await fetched(BUN);
  // The paths of tsconfig.json would lead it to the library's sources; any JSON without paths is better.
  return [program, `--tsconfig-override=${join(import.meta.dirname, '../package.json')}`];
}
