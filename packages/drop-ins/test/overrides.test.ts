/** Every override in the guides and READMEs is JSON, and puts a package in the place of the one that it was built for. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspace } from '../src/folders.ts';
import { seats, rangeOf, targetOf, versionOf } from '../src/lines.ts';

const markdown = (folder: string): string[] =>
  readdirSync(join(workspace, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const readmes = readdirSync(join(workspace, 'packages')).map((name) => join('packages', name, 'README.md'));
const documents = ['README.md', ...readmes, ...markdown('docs')].filter((file) => existsSync(join(workspace, file)));

/** The keys and targets of all overrides in a text. */
const overridesOf = (text: string): [key: string, target: string][] =>
  [...text.matchAll(/"([^"]+)": "(npm:@lanewise\/[^"]+)"/g)].map(([, key, target]) => [key, target]);

const found = documents.flatMap((file) => {
  const text = readFileSync(join(workspace, file), 'utf8');
  return overridesOf(text).map(([key, target]) => ({ file, key, target }));
});

it.each(seats)('some document has the override for $original $major', (line) => {
  const keys = found.filter(({ target }) => target === targetOf(line)).map(({ key }) => key);
  expect(keys).toContain(`${line.original}@${line.major}`);
});

/** The original that a key names: alone as a dependency, with a version, in Yarn 4's form, or after the dependent for Yarn 1. */
const KEY = /^(?:\*\*\/.+?\/(?=(?:@[\w-]+\/)?[\w-]+$))?((?:@[\w-]+\/)?[\w-]+)(?:@(?:npm:\^)?(\d+)[\d.]*)?$/;

describe.each(found)('$file: "$key": "$target"', ({ key, target }) => {
  it('is a line of a drop-in package, by its present number', () => {
    const [, original, major] = KEY.exec(key)!;
    const line = seats.find((its) => targetOf(its) === target && its.original === original);
    expect(line).toBeDefined();
    if (major !== undefined) expect(Number(major)).toBe(line?.major);
  });
});

it('no override without a version is the only way to write it', () => {
  const texts = documents.map((file) => readFileSync(join(workspace, file), 'utf8'));
  for (const text of texts) expect(text).not.toMatch(/"(?:overrides|resolutions)": \{\s*"(?:@noble\/)?[\w-]+": "npm:/);
});

it('the guide of the command names every line with its number', () => {
  const text = readFileSync(join(workspace, 'packages/swap/README.md'), 'utf8').replaceAll(/ +/g, ' ');
  for (const line of seats)
    expect(text).toMatch(
      new RegExp(
        `\\| \`${line.original}\`(?: ${line.major})? \\| \`@lanewise/${line.package}\` \\| ${versionOf(line)} \\|`,
      ),
    );
});

it.each(seats)('no version of $original satisfies the range of ours', (line) => {
  // The originals are far from this minor version, and caret ranges of 0.x hold the minor version.
  expect(Number(versionOf(line).split('.')[1])).toBe(Number(line.takes.split('.')[1]) + 400);
  expect(rangeOf(line)).toBe(`^${versionOf(line)}`);
});

const settings = documents.flatMap((file) => {
  const text = readFileSync(join(workspace, file), 'utf8');
  return [...text.matchAll(/^ *```json\n([\s\S]*?)^ *```$/gm)].map(([, code]) => ({ file, code }));
});
it.each(settings)('settings of $file are JSON', ({ code }) => {
  expect(JSON.parse(code)).toBeTypeOf('object');
});
