/**
 * Writes the C that is made of the library's own descriptions: the rounds, the places of the memory maps, and the hashes by which the
 * addon knows the kernels. It goes to `generated/`, is compiled and never committed: `node scripts/generate.ts [FOLDER]`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { headers } from './headers.ts';

export function generate(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(headers())) writeFileSync(join(folder, name), text);
}

if (import.meta.main) generate(process.argv[2] ?? join(import.meta.dirname, '../generated'));
