/**
 * Counts turns of phrase in comments and documents that an English reader stumbles over, in each package: a part of `npm run lint`. Exit
 * code 1 if a package has more for a thousand words than it may have. Changelogs, changesets and generated text are left out.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

interface Phrase {
  readonly name: string;
  readonly pattern: RegExp;
  /** The most for a thousand words. */
  readonly bar: number;
}

export const PHRASES: readonly Phrase[] = [
  // For a thing that has a name.
  { name: 'what', pattern: /\bwhat\b/gi, bar: 1 },
  // "It is no integer": isn't an integer. "There is no integer" is English.
  { name: 'is no', pattern: /(?<!\bthere )\b(?:is|are) no\b(?! (?:longer|more|less)\b)/gi, bar: 0.1 },
  { name: 'whoever', pattern: /\b(?:whoever|nobody|somebody)\b/gi, bar: 0.5 },
  // For "after": things do stand behind an interface, and are left behind.
  {
    name: 'behind',
    pattern: /(?<!\b(?:left|leaves?|leaving) (?:\w+ )?)\bbehind\b(?! (?:one interface|a proxy)\b)/gi,
    bar: 0.2,
  },
  { name: 'of which', pattern: /\bof (?:which|whom)\b/gi, bar: 0.1 },
  // Words that only the authors know. ARCHITECTURE.md defines the first, for those who change the code.
  {
    name: 'coined',
    pattern: /\bdoors?\b|\b(?:given|gave) out\b|\bcrews?\b|\btakers?\b|\b(?:a|one|each|every) work\b/gi,
    bar: 0.1,
  },
];

/**
 * The most for a thousand words where a bar is not reached yet. A number only ever gets smaller: a change that rewrites the comments of a package
 * lowers it to the number that `npm run lint` prints, or removes it.
 */
const CEILINGS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'root, comments': { coined: 4.8 },
  'root, documents': { coined: 1.6 },
};

const root = dirname(dirname(dirname(import.meta.dirname)));

/** All comments of a TypeScript or JavaScript source. */
export function commentsOf(source: string): string {
  const file = ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest, true);
  const ends = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    if (ts.isToken(node))
      for (const { pos, end } of [
        ...(ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []),
        ...(ts.getTrailingCommentRanges(source, node.getEnd()) ?? []),
      ])
        ends.set(pos, end);
    for (const child of node.getChildren(file)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(file);
  return [...ends].map(([from, to]) => source.slice(from, to).replaceAll(/^\s*\*\s?/gm, ' ')).join('\n');
}

/** The sentences of a text: no code, no addresses. */
export const proseOf = (text: string): string =>
  text
    .replaceAll(/```[^]*?```/g, ' ')
    .replaceAll(/<!--[^]*?-->/g, ' ')
    .replaceAll(/`[^`\n]+`/g, ' code ')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/@\w+/g, ' ')
    .replaceAll(/\s+/g, ' ');

/** The package of a file, and which of its texts: `cli, comments`. */
function groupOf(path: string): string {
  const kind = path.endsWith('.md') ? 'documents' : 'comments';
  const [, name, part] = /^packages\/([^/]+)\/([^/]+)/.exec(path) ?? [];
  if (name === undefined)
    return `${/^(site\/app|site|docs\/studies|docs|examples|vectors)\//.exec(path)?.[1] ?? 'root'}, ${kind}`;
  // Users read the library's comments in their editors.
  return name === 'lanewise' && kind === 'comments' ? `lanewise/${part}, ${kind}` : `${name}, ${kind}`;
}

interface Counted {
  words: number;
  readonly found: Map<string, number>;
}

/** Words and phrases of a text, added to those of its group. */
export function count(text: string, its: Counted = { words: 0, found: new Map() }): Counted {
  its.words += text.match(/[A-Za-z][\w'’-]*/g)?.length ?? 0;
  for (const { name, pattern } of PHRASES)
    its.found.set(name, (its.found.get(name) ?? 0) + (text.match(pattern)?.length ?? 0));
  return its;
}

/** The most of a phrase that a group with so many words may have. Two more than its share: in a small package one is a large share. */
const most = (group: string, { name, bar }: Phrase, words: number): number =>
  Math.ceil(((CEILINGS[group]?.[name] ?? bar) * words) / 1000) + 2;

if (import.meta.main) {
  const names = globSync('**/*.{ts,js,mjs,md}', {
    cwd: root,
    exclude: ['**/{node_modules,dist,generated,.*}/**', 'release/**'],
  }).map((name) => name.replaceAll('\\', '/'));
  const groups = new Map<string, Counted>();
  for (const path of names.sort()) {
    if (/(?:^|\/)(?:CHANGELOG\.md|generated-bytes\.ts)$|^docs\/lab\/|\/PROVEN\.md$/.test(path)) continue;
    const text = readFileSync(join(root, path), 'utf8');
    const group = groupOf(path);
    groups.set(group, count(proseOf(path.endsWith('.md') ? text : commentsOf(text)), groups.get(group)));
  }
  const cell = (text: string | number, width = 12): string => String(text).padStart(width);
  console.log(`${'for a thousand words'.padEnd(32)}${cell('words')}${PHRASES.map(({ name }) => cell(name)).join('')}`);
  for (const [group, { words, found }] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const cells = PHRASES.map((phrase) => {
      const number = found.get(phrase.name)!;
      const isTooMany = number > most(group, phrase, words);
      if (isTooMany) process.exitCode = 1;
      return cell(`${isTooMany ? '> ' : ''}${((number * 1000) / words).toFixed(2)}`);
    });
    console.log(`${group.padEnd(32)}${cell(words)}${cells.join('')}`);
  }
  if (process.exitCode === 1)
    console.log(
      'More of a phrase than before (>): CONTRIBUTING.md says how to write, and packages/release/src/language.ts has the limits.',
    );
}
