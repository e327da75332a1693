/** The home page: `home.md`, with parts of the README in it, whose examples and figures are tested there, and the newest report. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.ts';

const START = '<!-- `npm run figures` writes from here … -->';
const END = '<!-- … to here. -->';
const EXAMPLES = 3;

/** The text between two marks. */
function between(text: string, start: string, end: string): string {
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md lacks the marks "${start}" and "${end}"`);
  return text.slice(from + start.length, to).trim();
}

/** The first paragraph below the title. */
function introductionOf(readme: string): string {
  const [, introduction] = /^# [^\n]*\n+((?:[^#`\n][^\n]*\n)+)/.exec(readme) ?? [];
  if (introduction === undefined) throw new Error('README.md has no paragraph below its title');
  return introduction.trim();
}

/** The paragraph about the project's status. */
function statusOf(readme: string): string {
  const [status] = /^\*\*Status: [\s\S]*?(?=\n\n)/m.exec(readme) ?? [];
  if (status === undefined) throw new Error('README.md has no paragraph about its status');
  return status;
}

/** The first examples in TypeScript, each with the paragraph before it, unless that is the introduction or of a list. */
function examplesOf(readme: string, introduction: string): string {
  const blocks = [...readme.matchAll(/(?:^((?:[^\n#`|<-][^\n]*\n)+)\n)?^( *)```ts\n[\s\S]*?^ *```$/gm)].slice(
    0,
    EXAMPLES,
  );
  if (blocks.length < EXAMPLES)
    throw new Error(`README.md has ${blocks.length} examples; the home page shows ${EXAMPLES}`);
  return blocks
    .map(([whole, lead = '', indent]) => {
      const code = whole
        .slice(lead.length)
        .replaceAll(new RegExp(`^${indent}`, 'gm'), '')
        .trim();
      return lead === '' || lead.trim() === introduction || lead.startsWith(' ') ? code : `${lead.trim()}\n\n${code}`;
    })
    .join('\n\n');
}

/** The newest result of a whole run. The site makes a report of it. */
function newestResult(): string {
  const folder = 'docs/measurements';
  const results = readdirSync(join(root, folder))
    .filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name))
    .map((name) => `${folder}/${name}/results.json`)
    .filter((file) => existsSync(join(root, file)));
  const newest = results.toSorted().at(-1);
  if (newest === undefined) throw new Error(`${folder} has no result`);
  return newest;
}

export function homePage(readme: string, app: string): string {
  const introduction = introductionOf(readme);
  const parts: Readonly<Record<string, string>> = {
    introduction,
    status: statusOf(readme),
    examples: examplesOf(readme, introduction),
    speeds: between(readme, START, END),
    report: newestResult(),
    app,
  };
  const template = readFileSync(join(import.meta.dirname, '../home.md'), 'utf8');
  return template.replaceAll(/<!-- insert: (\w+) -->/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined)
      throw new Error(`home.md asks for "${name}", which is none of ${Object.keys(parts).join(', ')}`);
    return part;
  });
}
