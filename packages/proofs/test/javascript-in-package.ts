// The functions of the `js` engine as the package has them, printed by a bundler.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import { INTRINSICS, INTRINSICS_FROM, type Intrinsic } from '../src/javascript/intrinsics.ts';
import type { Program } from '../src/javascript/syntax.ts';
import type { KernelText } from '../src/javascript/texts.ts';

const folder = join(dirname(createRequire(import.meta.url).resolve('lanewise/package.json')), 'dist');

const read = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(join(folder, file), 'utf8'), ts.ScriptTarget.ES2022, true);

/**
 * The functions of a file that have a name, and take a memory as the engine's do: others may have the same name. Bundlers put a
 * number behind one that is taken.
 */
const functionsOf = (file: string, wanted: string): ts.FunctionDeclaration[] =>
  read(file)
    .statements.filter(ts.isFunctionDeclaration)
    .filter(
      ({ name, parameters }) => name?.text.split('$')[0] === wanted && parameters[0]?.name.getText() === 'memory',
    );

/** The function of the `js` engine in a file of the package. */
export function inPackage(text: KernelText): KernelText {
  const named = functionsOf(fileOf(text), text.made);
  expect(named).toHaveLength(1);
  const imports = `import { ${INTRINSICS.join(', ')} } from '${INTRINSICS_FROM}';`;
  return { ...text, text: `${imports}\nexport ${named[0].getText()}` };
}

/** The file of the room's door, or a file with the code that several doors share. */
export const fileOf = ({ room, made }: KernelText): string =>
  [`${room}.js`, ...readdirSync(folder).filter((file) => file.endsWith('shared.js'))].find(
    (file) => existsSync(join(folder, file)) && functionsOf(file, made).length > 0,
  ) ?? `no file with ${made}`;

/** The values that a file of the package imports or exports, by their names in the file. */
export async function importsOf(file: string): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const { importClause, moduleSpecifier } of read(file).statements.filter(ts.isImportDeclaration)) {
    const names = importClause?.namedBindings;
    if (!names || !ts.isNamedImports(names) || !ts.isStringLiteral(moduleSpecifier)) throw new Error('another import');
    const module = (await import(join(folder, moduleSpecifier.text))) as Record<string, unknown>;
    for (const { name, propertyName } of names.elements) found.set(name.text, module[(propertyName ?? name).text]);
  }
  // The exports of the file that others import from.
  const own = (await import(join(folder, file))) as Record<string, unknown>;
  for (const { exportClause, moduleSpecifier } of read(file).statements.filter(ts.isExportDeclaration))
    if (!moduleSpecifier && exportClause && ts.isNamedExports(exportClause))
      for (const { name, propertyName } of exportClause.elements)
        found.set((propertyName ?? name).text, own[name.text]);
  return found;
}

/** A function without where it is written. */
export const treeOf = (program: Program, name: string): string =>
  JSON.stringify(program.functions.get(name), (key, value: unknown) =>
    key === 'line' || key === 'at' ? undefined : value,
  );

/** The exported functions that some functions are, or are called by. */
export function reaching({ functions, exported }: Program, some: readonly string[]): string[] {
  const reached = new Set(some);
  const calls = (name: string): boolean =>
    [...reached].some((callee) => JSON.stringify(functions.get(name)).includes(`"callee":"${callee}"`));
  let before: number;
  do {
    before = reached.size;
    for (const name of functions.keys()) if (calls(name)) reached.add(name);
  } while (reached.size > before);
  return exported.filter((name) => reached.has(name));
}

const METHODS = { fillBytes: 'fill', moveBytes: 'copyWithin' } as const;

/** Throws unless the value is the intrinsic that the interpreter assumes: see intrinsics.ts. */
export function expectIntrinsic(name: Intrinsic, value: unknown): void {
  const objects = { Bytes: Uint8Array, Words: Int32Array, imul: Math.imul };
  if (name in objects) {
    expect(value).toBe(objects[name as keyof typeof objects]);
    return;
  }
  const [bytes, expected] = [1, 2].map(() => Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
  (value as (bytes: Uint8Array, ...numbers: number[]) => void)(bytes, 3, 4, 7);
  expected[METHODS[name as keyof typeof METHODS]](3, 4, 7);
  expect(bytes).toEqual(expected);
}
