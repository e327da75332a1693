/** Uses that the types allow or refuse: TypeScript checks these files, and they are never run. */
// Runs in Node only: about types.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorsOf, program, root } from '../support/typescript.ts';

const folder = join(root, 'test/package/types');
const files = readdirSync(folder).map((name) => join(folder, name));

describe('types', () => {
  const checked = program(files);
  it.each(files.map((file) => [file.slice(folder.length + 1), file]))('%s', (_, file) => {
    expect(errorsOf(checked, file)).toEqual([]);
  });
});
