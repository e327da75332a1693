/**
 * Every example in the documentation of an export, in the README or in a guide is complete and well-typed, it runs, and it prints what
 * its comments say: `console.log(…); // prints …`.
 */
// Runs in Node only: starts Node on the examples of the documentation.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doors } from '../scripts/rooms.ts';
import { errorsOf, program, root } from './support/typescript.ts';

const workspace = join(root, '../..');
const GUIDES = join(workspace, 'docs');
/** The server that examples of guides speak of. A server on this machine takes its place. */
const SERVER = 'https://files.example';
/** Packages whose larger builds, with all of their functions and more, are installed here. */
const LARGER_BUILDS: Readonly<Record<string, string>> = { 'libsodium-wrappers': 'libsodium-wrappers-sumo' };

interface Example {
  readonly name: string;
  readonly code: string;
}

/** Code blocks in TypeScript, without the indentation of a list that they may be in. */
const blocksOf = (text: string): string[] =>
  [...text.matchAll(/^( *)```ts\n([\s\S]*?)^ *```$/gm)].map(([, indent, code]) =>
    code
      .split('\n')
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
      .join('\n'),
  );

/** The lines that an example prints by its own comments. */
const promisedBy = (code: string): string[] =>
  [...code.matchAll(/^.*console\.log\(.*\/\/ prints (.*)$/gm)].map(([, line]) => line);

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
// The published package has none of these files.
const guides = existsSync(GUIDES)
  ? readdirSync(GUIDES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  : [];
/** Guides whose examples need servers: their types are checked here, and `npm run test:cluster` runs them. */
const WITH_SERVERS = ['docs/cluster.md', 'packages/cluster/README.md'];
const readmes = ['README.md', 'packages/age/README.md', 'packages/cluster/README.md'];
for (const file of [...readmes, ...guides.map((name) => join('docs', name))].sort())
  if (existsSync(join(workspace, file)))
    blocksOf(readFileSync(join(workspace, file), 'utf8')).forEach((code, i) => {
      const installed = code.replace(/ from '([^']+)'/g, (all, name: string) =>
        Object.hasOwn(LARGER_BUILDS, name) ? ` from '${LARGER_BUILDS[name]}'` : all,
      );
      examples.push({ name: `${file}, block ${i + 1}`, code: installed });
    });

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
  /** Keeps what is put, and gives it again, also in ranges. */
  const files = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const url = request.url!;
    if (request.method === 'PUT')
      void buffer(request).then((body) => {
        files.set(url, body);
        response.writeHead(204).end();
      });
    else {
      const body = files.get(url);
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
      const [from, to] = range ? [Number(range[1]), Math.min(Number(range[2]) + 1, body?.length ?? 0)] : [0, Infinity];
      const headers = range && body && { 'content-range': `bytes ${from}-${to - 1}/${body.length}`, etag: '"1"' };
      response.writeHead(body ? (range ? 206 : 200) : 404, headers || {}).end(body?.subarray(from, to));
    }
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
    server.close();
  });

  /** What each example printed, its error if it threw, and the engine that was then selected. One process runs all: starting takes long. */
  let results: { printed: string[]; error?: string; engine: string }[] = [];
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
    writeFileSync(
      runner,
      `import { format } from 'node:util';
import '${pathToFileURL(join(root, 'test/support/browser-files.ts')).href}';
import { describe } from '${source('engine')}';
const print = console.log;
const results = [];
for (const i of ${JSON.stringify(here.map(([, i]) => i))}) {
  let error;
  const printed = [];
  console.log = (...values) => void printed.push(format(...values));
  try {
    await import(\`./example-\${i}.ts\`);
  } catch (thrown) {
    error = String(thrown?.stack ?? thrown);
  }
  results[i] = { printed, error, engine: describe().engine };
}
print(JSON.stringify(results));
`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [runner], { cwd: folder });
    results = JSON.parse(stdout) as typeof results;
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
