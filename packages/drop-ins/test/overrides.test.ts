/** Every override in the guides and READMEs is JSON, and puts a package in the place of the one that it was built for. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lines, workspace } from '../src/lines.ts';

const markdown = (folder: string): string[] =>
  readdirSync(join(workspace, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const readmes = readdirSync(join(workspace, 'packages')).map((name) => join('packages', name, 'README.md'));
const documents = ['README.md', ...readmes, ...markdown('docs')].filter((file) => existsSync(join(workspace, file)));

/** The names and targets of all overrides in a text. */
const overridesOf = (text: string): [name: string, target: string][] =>
  [...text.matchAll(/"([^"]+)": "(npm:@lanewise\/[^"]+)"/g)].map(([, name, target]) => [name, target]);

const found = documents.flatMap((file) => {
  const text = readFileSync(join(workspace, file), 'utf8');
  return overridesOf(text).map(([name, target]) => ({ file, name, target }));
});

it.each(lines)('some document has the override for $original $major', ({ package: folder, original }) => {
  const targets = found.filter(({ name }) => name.replace(/(?<=.)@\d+$/, '') === original).map(({ target }) => target);
  expect(targets.some((target) => target.startsWith(`npm:@lanewise/${folder}@`))).toBe(true);
});

describe.each(found)('$file: "$name": "$target"', ({ name, target }) => {
  it('is a line of a drop-in package', () => {
    const [, folder, major] = /^npm:@lanewise\/([^@]+)(?:@(\d+))?$/.exec(target)!;
    // A key may say which versions it is for.
    const [, original, range] = /^(@?[^@]+)(?:@(\d+))?$/.exec(name)!;
    const its = lines.filter((line) => line.package === folder && (!major || line.major === Number(major)));
    expect(its.map((line) => line.original)).toContain(original);
    if (range) expect(range).toBe(major);
  });
});

const settings = documents.flatMap((file) => {
  const text = readFileSync(join(workspace, file), 'utf8');
  return [...text.matchAll(/^ *```json\n([\s\S]*?)^ *```$/gm)].map(([, code]) => ({ file, code }));
});
it.each(settings)('settings of $file are JSON', ({ code }) => {
  expect(JSON.parse(code)).toBeTypeOf('object');
});
