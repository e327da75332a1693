/**
 * Every example in the documentation of an export, in the README or in a guide is complete and well-typed, it runs, and it prints what
 * its comments say: `console.log(…); // prints …`.
 */
// Runs in Node only: starts Node on the examples of the documentation.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doors } from '../../scripts/rooms.ts';
import {
  blocksOf,
  examplesOfDocuments,
  fileServer,
  promisedBy,
  runnerOf,
  SERVER,
  WITH_SERVERS,
  workspace,
  type Example,
  type Outcome,
} from '../support/examples.ts';
import { errorsOf, program, root } from '../support/typescript.ts';

/** The values and types that an entry exports, with their documentation. */
function exportsOf(
  from: ts.Program,
  entry: string,
): { name: string; isValue: boolean; text: string; examples: string }[] {
  const checker = from.getTypeChecker();
  const file = from.getSourceFile(join(root, `src/${entry}.ts`))!;
  const resolved = checker.getExportsOfModule(checker.getSymbolAtLocation(file)!).map((exported) => ({
    exported,
    symbol: exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported,
  }));
  // A whole entry that the root exports by a name describes itself.
  const others = resolved.filter(({ symbol }) => !(symbol.flags & ts.SymbolFlags.ValueModule));
  return others.map(({ exported, symbol }) => {
    const tags = symbol.getJsDocTags(checker).filter(({ name }) => name === 'example');
    const isTypeOnly = exported.declarations?.some(
      (node) => ts.isExportSpecifier(node) && (node.isTypeOnly || node.parent.parent.isTypeOnly),
    );
    return {
      name: exported.name,
      isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0 && !isTypeOnly,
      text: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
      examples: tags.map(({ text }) => ts.displayPartsToString(text)).join('\n'),
    };
  });
}

/** Functions that are properties of exported functions, such as `blake3.create`, with the tags that their JSDoc lacks. */
function undocumented(from: ts.Program, entry: string): { name: string; lacks: string[] }[] {
  const checker = from.getTypeChecker();
  const file = from.getSourceFile(join(root, `src/${entry}.ts`))!;
  return checker.getExportsOfModule(checker.getSymbolAtLocation(file)!).flatMap((exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const type = checker.getTypeOfSymbol(symbol);
    if (!(symbol.flags & ts.SymbolFlags.Value) || !type.getCallSignatures().length) return [];
    return type.getProperties().flatMap((property) =>
      checker
        .getTypeOfSymbol(property)
        .getCallSignatures()
        .map((signature) => {
          const tags = signature.getJsDocTags();
          const described = tags.map(({ text }) => ts.displayPartsToString(text).split(' ')[0]);
          const lacks = signature.parameters.map(({ name }) => name).filter((name) => !described.includes(name));
          if (!tags.some(({ name }) => name === 'throws')) lacks.push('@throws');
          return { name: `${exported.name}.${property.name}`, lacks };
        }),
    );
  });
}

const sources = program(doors.map((entry) => join(root, `src/${entry}.ts`)));
const exported = doors.flatMap((entry) =>
  exportsOf(sources, entry).map((found) => ({
    ...found,
    entry: entry === 'index' ? 'lanewise' : `lanewise/${entry}.js`,
  })),
);

// A value that two entries export has one comment.
const documented = new Map<string, string[]>();
// Two entries may have one name.
for (const { name, examples } of exported)
  documented.set(name, [...new Set([...(documented.get(name) ?? []), ...blocksOf(examples)])]);
const examples: Example[] = [...documented].flatMap(([name, blocks]) => blocks.map((code) => ({ name, code })));
examples.push(...examplesOfDocuments());

it('finds what is exported', () => {
  const names = exported.filter(({ isValue }) => isValue).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['version', 'xchacha20poly1305', 'poly1305', 'describe', 'randomBytes']),
  );
  expect(names).not.toContain('Aead');
});

describe.each(exported)('$name of $entry', ({ name, isValue, text, entry }) => {
  it('is described', () => {
    expect(text).not.toBe('');
  });

  if (isValue)
    it('has an example, which imports and uses it', () => {
      const blocks = documented.get(name)!;
      expect(blocks.length).toBeGreaterThan(0);
      for (const code of blocks) {
        expect(code).toMatch(/^import (\{.*\}|\w+) from 'lanewise(\/[\w-]+\.js)?';$/m);
        // A default export has the name that the importer gives it.
        const used = name === 'default' ? /^import (\w+)/m.exec(code)![1] : name;
        expect(
          code.match(new RegExp(`\\b${used}\\b`, 'g'))?.length,
          `${name} in its example of ${entry}`,
        ).toBeGreaterThan(1);
      }
    });
});

describe('the functions of a function', () => {
  const found = doors.flatMap((entry) => undocumented(sources, entry));
  const names = found.map(({ name }) => name);
  it('are found', () =>
    expect(names).toEqual(expect.arrayContaining(['blake3.create', 'chacha20.stream', 'cbc.encryptMany'])));
  it.each(found)('$name: says what it takes and throws', ({ lacks }) => expect(lacks).toEqual([]));
});

describe('the types', () => {
  // As files of the package, so that its settings hold; modules even if they should import nothing.
  const texts = new Map(examples.map(({ code }, i) => [join(root, `test/example-${i}.ts`), `${code}\nexport {};\n`]));
  const checked = program([...texts.keys()], texts);
  it.each(examples.map(({ name }, i) => [name, i] as const))('of %s', (_, i) => {
    expect(errorsOf(checked, join(root, `test/example-${i}.ts`))).toEqual([]);
  });
});

describe('it runs:', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-examples-'));
  let server: Server | undefined;
  afterAll(() => {
    rmSync(folder, { recursive: true });
    server?.close();
  });

  /** One process runs all: starting takes long. */
  let results: Outcome[] = [];
  beforeAll(async () => {
    let address: string;
    ({ server, address } = await fileServer());
    // Other packages of examples: those that a guide migrates from, and the built packages of this repository.
    symlinkSync(join(workspace, 'node_modules'), join(folder, 'node_modules'), 'junction');
    writeFileSync(join(folder, 'film.mp4'), new Uint8Array(3_000_000).fill(5));
    const source = (entry: string): string => pathToFileURL(join(root, `src/${entry}.ts`)).href;
    examples.forEach(({ code }, i) => {
      const local = code.replace(
        /'lanewise(?:\/([\w-]+)\.js)?'/g,
        (_, entry?: string) => `'${source(entry ?? 'index')}'`,
      );
      writeFileSync(join(folder, `example-${i}.ts`), `${local.replaceAll(SERVER, address)}\nexport {};\n`);
    });
    const runner = join(folder, 'run.mjs');
    const browserFiles = pathToFileURL(join(root, 'test/support/browser-files.ts')).href;
    writeFileSync(
      runner,
      runnerOf(
        here.map(([, i]) => i),
        source('engine'),
        browserFiles,
      ),
    );
    const { stdout } = await promisify(execFile)(process.execPath, [runner], { cwd: folder });
    results = JSON.parse(stdout) as Outcome[];
  }, 300_000);

  const here = examples
    .map(({ name }, i) => [name, i] as const)
    .filter(([name]) => !WITH_SERVERS.some((file) => name.startsWith(file)));
  it.each(here)('%s', (_, i) => {
    expect(results[i].error).toBeUndefined();
    expect(results[i].engine, 'the engine afterwards').toBe('simd');
    const promised = promisedBy(examples[i].code);
    expect(results[i].printed.filter((line) => promised.includes(line))).toEqual(promised);
  });
});
