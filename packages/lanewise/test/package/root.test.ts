/** The root of the package exports everything that its public modules export, and nothing else. */
// Runs in Node only: about the files of the built package.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apart, jsr, jsrText, root as rootFile, withDoors } from '../../scripts/generate.ts';
import { doors } from '../../scripts/rooms.ts';
import * as lanewise from '../../src/index.ts';
import nacl from '../../src/nacl.ts';

const load = async (door: string): Promise<Record<string, unknown>> =>
  (await import(join(import.meta.dirname, `../../src/${door}.ts`))) as Record<string, unknown>;

test('the root exports what every door exports', async () => {
  const root: Record<string, unknown> = { ...lanewise };
  const rest = new Set(Object.keys(root));
  for (const door of doors.filter((name) => !apart.includes(name)))
    for (const [name, value] of Object.entries(await load(door))) {
      expect(root[name], `${name} of ${door}`).toBe(value);
      rest.delete(name);
    }
  expect([...rest].sort()).toEqual(['bao', 'engine', 'nacl', 'sha2', 'version']);
  expect(lanewise.nacl).toBe(nacl);
  expect({ ...lanewise.bao }).toEqual({ ...(await load('bao')) });
  expect({ ...lanewise.sha2 }).toEqual({ ...(await load('sha2')) });
  expect({ ...lanewise.engine }).toEqual({ ...(await load('engine')) });
});

test('its text is what npm run generate makes', () => {
  const text = readFileSync(rootFile, 'utf8');
  expect(withDoors(text) === text, 'run `npm run generate`').toBe(true);
  expect(withDoors(text.replace("export * from './salsa.ts';\n", ''))).toBe(text);
  expect(withDoors(text.replace(`'${lanewise.version}'`, "'0.0.1'"))).toBe(text);
});

test('the manifest for JSR is what npm run generate makes', () => {
  expect(readFileSync(jsr, 'utf8') === jsrText, 'run `npm run generate`').toBe(true);
});

test('the version is that of the package', () => {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  expect(lanewise.version).toBe((JSON.parse(manifest) as { version: string }).version);
});
