/** Bundles of the package: for pages, and for Node where they prefer ES modules. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, expect, test } from 'vitest';
import { folders, noted, pairs, type Library } from './pairs.ts';

const temporary = mkdtempSync(join(tmpdir(), 'blake3-wasm-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** A bundle without WebAssembly files, run in this process. */
async function bundled(file: string, platform: 'browser' | 'node'): Promise<Library> {
  const bundle = await rolldown({ input: join(folders.ours, file), platform, treeshake: true });
  const { output } = await bundle.generate({ format: 'esm' });
  expect(output).toHaveLength(1);
  const [{ code }] = output;
  const to = join(temporary, `${file.replace('/', '-')}.mjs`);
  writeFileSync(to, code);
  return (await import(pathToFileURL(to).href)) as Library;
}

test.each([
  { file: 'browser.js', platform: 'browser', at: 1 },
  { file: 'esm/index.js', platform: 'node', at: 0 },
  { file: 'dist/index.js', platform: 'node', at: 0 },
] as const)('$file for $platform', async ({ file, platform, at }) => {
  const made = await bundled(file, platform);
  const module = (made.default as unknown as Library | undefined)?.hash ? (made.default as unknown as Library) : made;
  const { theirs } = pairs[at];
  expect(noted(() => module.hash('abc', { length: 100 }))).toBe(noted(() => theirs.hash('abc', { length: 100 })));
  for (const name of Object.keys(theirs)) expect(module, name).toHaveProperty(name);
});

test('a page that loads the module without a bundler gets it from the promise', async () => {
  const { default: load } = (await bundled('browser-async.js', 'browser')) as unknown as {
    default: (module?: unknown) => Promise<Library>;
  };
  const library = await load();
  expect(noted(() => library.hash('abc'))).toBe(noted(() => pairs[1].theirs.hash('abc')));
  expect(await load('https://files.example/never-asked.wasm')).toBe(library);
});
