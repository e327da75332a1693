/** The line for `@huggingface/blake3-jit`, in both formats, beside its original. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { distOf, folderOf } from '../../drop-ins/src/folders.ts';
import { lineOf } from '../../drop-ins/src/shell.ts';

interface Hasher {
  update(input: Uint8Array): Hasher;
  finalize(length?: number): Uint8Array;
  finalizeXof(): { read(length: number): Uint8Array };
  reset(): Hasher;
}
interface Library {
  readonly hash: (input: Uint8Array, length?: number) => Uint8Array;
  readonly hashInto: (input: Uint8Array, out: Uint8Array) => void;
  readonly createHasher: () => Hasher;
  readonly createKeyed: (key: Uint8Array) => Hasher;
  readonly createDeriveKey: (context: string) => Hasher;
  readonly default: Readonly<Record<string, unknown>>;
}

const line = lineOf('@huggingface/blake3-jit', 0);
const require = createRequire(import.meta.url);
const ofModules = async (folder: string): Promise<Library> =>
  (await import(pathToFileURL(join(folder, 'dist/esm/index.js')).href)) as Library;
const ofCommonJs = (folder: string): Library => require(folder) as Library;
const formats = [
  { format: 'ES modules', ours: await ofModules(distOf(line)), theirs: await ofModules(folderOf(line.alias)) },
  { format: 'CommonJS', ours: ofCommonJs(distOf(line)), theirs: ofCommonJs(folderOf(line.alias)) },
];
const pattern = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, (_, i) => i % 251);

/** Calls whose outputs the original has right: a hasher is used once after `reset`. */
function outputsOf(library: Library, length: number): string[] {
  const message = pattern(length);
  const into = new Uint8Array(32);
  library.hashInto(message, into);
  const hashers = [library.createHasher(), library.createKeyed(pattern(32)), library.createDeriveKey('context')];
  return [
    library.hash(message),
    library.hash(message, 64),
    into,
    ...hashers.map((hasher) => hasher.update(message).finalize(50)),
    ...hashers.map((hasher) => hasher.reset().update(message).finalizeXof().read(150)),
  ].map((bytes) => Buffer.from(bytes).toString('hex'));
}

describe.each(formats)('$format', ({ ours, theirs }) => {
  test('names', () => {
    expect(Object.keys(ours).sort()).toEqual(Object.keys(theirs).sort());
    expect(Object.keys(ours.default).sort()).toEqual(Object.keys(theirs.default).sort());
  });
  test.each([0, 1, 64, 1024, 1025, 4096, 5000, 100_000])('%i bytes', (length) => {
    expect(outputsOf(ours, length)).toEqual(outputsOf(theirs, length));
  });
});
