/**
 * Counts the library's code lines: lines of `src` that hold more than comments, generated files excluded. Prints them by folder;
 * exit code 1 if there are more than the limit.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The limit keeps the library from growing unnoticed. */
const LIMIT = 17_100;
const src = join(import.meta.dirname, '../src');

/** How many lines of a TypeScript source hold code. */
export function codeLinesOf(text: string): number {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node) || node.kind === ts.SyntaxKind.EndOfFileToken) return;
    const children = node.getChildren(file);
    children.forEach(visit);
    if (children.length > 0 || node.getWidth(file) === 0) return;
    const [first, last] = [node.getStart(file), node.getEnd() - 1].map(
      (at) => file.getLineAndCharacterOfPosition(at).line,
    );
    for (let line = first; line <= last; line++) lines.add(line);
  };
  visit(file);
  return lines.size;
}

/** Code lines by folder of `src`; doors are in the folder with no name. */
export function libraryLines(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of globSync('**/*.ts', { cwd: src }).map((name) => name.replaceAll('\\', '/'))) {
    if (path.includes('generated')) continue;
    const folder = path.includes('/') ? path.split('/')[0] : '';
    counts.set(folder, (counts.get(folder) ?? 0) + codeLinesOf(readFileSync(join(src, path), 'utf8')));
  }
  return counts;
}

if (import.meta.main) {
  const counts = libraryLines();
  for (const [folder, lines] of [...counts].sort((a, b) => b[1] - a[1]))
    console.log(`${String(lines).padStart(6)}  ${folder || 'doors'}`);
  const total = [...counts.values()].reduce((sum, lines) => sum + lines, 0);
  console.log(`${String(total).padStart(6)}  code lines of the library, of at most ${LIMIT}`);
  if (total > LIMIT) process.exitCode = 1;
}
