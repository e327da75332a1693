/**
 * Counts the library's code lines: lines of `src` that hold more than comments, generated files excluded. Prints them by room, and
 * for all that computes and all that moves bytes, and those of the lab; exit code 1 if one of them has more than its ceiling.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import type { Room } from '../src/engine/description.ts';

const src = join(import.meta.dirname, '../src');

/** Ceilings keep the library from growing unnoticed. */
const LIBRARY = 'the library';
const COMPUTES = 'kernels, rounds, calls and bindings';
const MOVES = 'io, work, streams, pools, jobs and files of pages';
const DOORS = 'doors';
const LAB = 'the lab';
const LATER_LAB = "the lab's rooms that came later";
/** Ceilings of all that has no `room.ts`, which tells that of any other room. */
const CEILINGS: Readonly<Record<string, number>> = {
  [LIBRARY]: 17_030,
  [COMPUTES]: 10_530,
  [MOVES]: 6_500,
  [DOORS]: 222,
  [LAB]: 17_167,
  [LATER_LAB]: 401,
  aes: 320,
  calls: 593,
  engine: 715,
  io: 1_310,
  keystream: 770,
  wasm: 335,
  words: 265,
  work: 270,
};
/** Rooms that came later than these sums: each has a ceiling of its own, and none of them makes room in a sum. */
export const LATER: ReadonlySet<string> = new Set(['argon2', 'bao', 'blake2', 'box', 'sha2']);
/** The files of {@link MOVES}. */
const MOVING =
  /^(?:io|work|stream|pool)\/|^[\w-]+\/(?:jobs|parallel|parallel-files)\.ts|^disk\/(?:[\w-]+-layout|device|file|file-header)\.ts/;

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

/** Code lines of each room, of the public modules, of all that computes, of all that moves bytes, and of the library. */
export function libraryLines(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of globSync('**/*.ts', { cwd: src }).map((name) => name.replaceAll('\\', '/'))) {
    if (path.includes('generated')) continue;
    const lines = codeLinesOf(readFileSync(join(src, path), 'utf8'));
    const room = path.includes('/') ? path.split('/')[0] : DOORS;
    for (const name of LATER.has(room) ? [room] : [room, MOVING.test(path) ? MOVES : COMPUTES, LIBRARY])
      counts.set(name, (counts.get(name) ?? 0) + lines);
  }
  return counts;
}

/** The ceiling of each of them. */
export async function ceilings(names: Iterable<string>): Promise<Map<string, number | undefined>> {
  const found = new Map<string, number | undefined>();
  for (const name of names) {
    const file = join(src, name, 'room.ts');
    const described = existsSync(file) ? ((await import(pathToFileURL(file).href)) as { room?: Room }) : {};
    found.set(name, described.room?.lines ?? CEILINGS[name]);
  }
  return found;
}

/** Code lines of the lab, and of its rooms that came later. */
export function labLines(): Map<string, number> {
  const folder = join(src, '../../lab/src');
  const counts = new Map([LAB, LATER_LAB].map((name) => [name, 0]));
  for (const path of globSync('**/*.ts', { cwd: folder }).map((name) => name.replaceAll('\\', '/'))) {
    if (path.includes('generated')) continue;
    const name = LATER.has(/^rooms\/([^/]+)\//.exec(path)?.[1] ?? '') ? LATER_LAB : LAB;
    counts.set(name, counts.get(name)! + codeLinesOf(readFileSync(join(folder, path), 'utf8')));
  }
  return counts;
}

/** Messages about those that have more lines than they may, or no ceiling. */
export function excesses(
  counts: ReadonlyMap<string, number>,
  most: ReadonlyMap<string, number | undefined>,
): readonly string[] {
  const found: string[] = [];
  for (const [name, lines] of counts) {
    const ceiling = most.get(name);
    if (ceiling === undefined) found.push(`${name} has ${lines} lines of code, and states no ceiling`);
    else if (lines > ceiling) found.push(`${name} has ${lines} lines of code, of at most ${ceiling}`);
  }
  return found;
}

if (import.meta.main) {
  const counts = new Map([...libraryLines(), ...labLines()]);
  const most = await ceilings(counts.keys());
  for (const [name, lines] of [...counts].sort((a, b) => a[1] - b[1]))
    console.log(`${String(lines).padStart(6)} of ${String(most.get(name)).padStart(6)}  ${name}`);
  const later = [...LATER].reduce((sum, room) => sum + (counts.get(room) ?? 0), 0);
  console.log(
    `${String(later).padStart(6)}            in rooms that came later; ${later + counts.get(LIBRARY)!} with them`,
  );
  for (const excess of excesses(counts, most)) {
    console.error(excess);
    process.exitCode = 1;
  }
}
