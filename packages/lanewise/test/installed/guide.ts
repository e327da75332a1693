/** Files and commands of the guides, so that the tests use the texts that users read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(import.meta.dirname, '../../../../docs/guide');

/** The block of code whose first line is a comment with this name. */
export function block(name: string, guide: 'environments' | 'many-cores' = 'many-cores'): string {
  const text = readFileSync(join(docs, `${guide}.md`), 'utf8');
  const blocks = [...text.matchAll(/^```\w+\n(?:\/\/|#) (.*)\n([\s\S]*?)^```$/gm)];
  const [found, ...others] = blocks.filter(([, its]) => its === name);
  if (!found || others.length > 0)
    throw new Error(`docs/guide/${guide}.md has ${found ? 'several blocks' : 'no block'} ${name}`);
  return found[2];
}
