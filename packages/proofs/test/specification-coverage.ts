/**
 * Branch coverage of the specifications. A kernel and a specification that are wrong in the same way are proved equal, so
 * published vectors have to reach every branch of a specification. V8 counts what runs from the moment this module is
 * loaded: a file of tests imports it before the specifications.
 */
import { Session } from 'node:inspector/promises';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

export const DIRECTORY = join(import.meta.dirname, '../src/specifications');

/** By the file of tests that has its vectors, every specification. */
const COVERED_BY: Readonly<Record<string, readonly string[]>> = {
  'specifications.test.ts': [
    'aead',
    'algebra',
    'blake3',
    'chacha',
    'hchacha',
    'poly1305',
    'salsa',
    'secretbox',
    'terms',
  ],
  'disk-specifications.test.ts': ['aes', 'hbsh', 'nh'],
  'serpent-specifications.test.ts': ['ocb', 'serpent', 'serpent-numbers'],
};

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Debugger.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** What vitest adds for an export, which runs only where the export is used. */
const ADDED = /^(\(\) => \{ try \{ return \w+ \} catch \{\} \}|catch \{\})$/;

/** The text of functions and branches that did not run, by specification. */
async function missed(names: readonly string[]): Promise<Record<string, string[]>> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const missing = names.map(async (name): Promise<[string, string[]]> => {
    const script = result.find(({ url }) => url.endsWith(`/src/specifications/${name}.ts`));
    if (!script) return [name, ['all of it']];
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId: script.scriptId });
    const texts = script.functions
      .flatMap(({ ranges }) => ranges.filter(({ count }) => count === 0))
      .map(({ startOffset, endOffset }) => scriptSource.slice(startOffset, endOffset));
    return [name, texts.filter((text) => !ADDED.test(text))];
  });
  return Object.fromEntries((await Promise.all(missing)).filter(([, texts]) => texts.length > 0));
}

/** To be called behind all other tests of a file. */
export function itCoversItsSpecifications(file: string): void {
  const names = COVERED_BY[basename(file)];
  it(`these vectors reach every branch of ${names.join(', ')}`, async () => {
    expect(await missed(names)).toEqual({});
  });
}

/** All that there are, and all that a file of tests covers. */
export const specifications = (): string[] =>
  readdirSync(DIRECTORY)
    .map((file) => basename(file, '.ts'))
    .sort();
export const covered = (): string[] => Object.values(COVERED_BY).flat().sort();
