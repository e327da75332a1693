/**
 * Branch coverage of the specifications. A kernel and a specification that are wrong in the same way are proved equal,
 * so published vectors have to reach every branch of a specification. V8 counts executed code from the moment this
 * module is loaded, so a test file imports it before the specifications.
 */
import { Session } from 'node:inspector/promises';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

const SHARED = join(import.meta.dirname, '../src/specifications');
const ROOMS = join(import.meta.dirname, '../src/rooms');

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Debugger.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** The code that vitest adds for an export, which runs only where the export is used. */
const ADDED = /^(\(\) => \{ try \{ return \w+ \} catch \{\} \}|catch \{\})$/;

/** The text of functions and branches that did not run, by specification. */
async function missed(names: readonly string[]): Promise<Record<string, string[]>> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const missing = names.map(async (name): Promise<[string, string[]]> => {
    const script = result.find(({ url }) => url.endsWith(fileOf(name)));
    if (!script) return [name, ['all of it']];
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId: script.scriptId });
    const texts = script.functions
      .flatMap(({ ranges }) => ranges.filter(({ count }) => count === 0))
      .map(({ startOffset, endOffset }) => scriptSource.slice(startOffset, endOffset));
    return [name, texts.filter((text) => !ADDED.test(text))];
  });
  return Object.fromEntries((await Promise.all(missing)).filter(([, texts]) => texts.length > 0));
}

/**
 * Must be called after all other tests of a file, with the names of the specifications that its vectors cover
 * completely.
 */
export function itCoversItsSpecifications(...names: readonly string[]): void {
  it(`these vectors reach every branch of ${names.join(', ')}`, async () => {
    expect(await missed(names)).toEqual({});
  });
}

/** All specifications: shared ones by their names, those of a room as `x/specification`. */
export const specifications = (): string[] =>
  [
    ...readdirSync(SHARED).map((file) => basename(file, '.ts')),
    ...globSync('*/*specification*.ts', { cwd: ROOMS }).map((file) => file.slice(0, -'.ts'.length)),
  ].sort();

/** The file of a specification. */
export const fileOf = (name: string): string => join(name.includes('/') ? ROOMS : SHARED, `${name}.ts`);

/** All specifications that some test file declares to cover. */
export const covered = (): string[] =>
  globSync('*.test.ts', { cwd: import.meta.dirname })
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .flatMap((text) => [...text.matchAll(/ itCoversItsSpecifications\(([^)]*)\)/g)])
    .flatMap(([, names]) => [...names.matchAll(/'([^']+)'/g)].map(([, name]) => name))
    .sort();
