/** Files and commands of the guide docs/many-cores.md, so that the tests use what users read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/many-cores.md'), 'utf8');

/** The block of code whose first line is a comment with this name. */
export function block(name: string): string {
  const blocks = [...guide.matchAll(/^```\w+\n(?:\/\/|#) (.*)\n([\s\S]*?)^```$/gm)];
  const [found, ...others] = blocks.filter(([, its]) => its === name);
  if (!found || others.length > 0)
    throw new Error(`docs/many-cores.md has ${found ? 'several blocks' : 'no block'} ${name}`);
  return found[2];
}
