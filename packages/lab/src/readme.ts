/** `npm run figures`: writes the figures of README.md and docs/speed.md from a result of the lab. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parsedArguments } from './arguments.ts';
import { readFigures, speedPicture, speedSection, speedSummary } from './readme/tables.ts';
import { between } from './report/markdown.ts';
import { readResult } from './results/store.ts';
import { run, UsageError } from './terminal.ts';

const root = join(import.meta.dirname, '../../..');

const HELP = `npm run figures [-- RESULT …]

Writes the table of docs/speed.md, docs/speed.svg and the sentence below it in README.md, from results.json of a run of
the lab: from RESULT, or from the newest that docs/measurements holds. Rows that it lacks come from the next RESULT, or
from the folders that have the same date followed by a name.
`;

/** The newest result that is committed: folders are named by their dates. */
export const newestResult = (): string => newestResults()[0];

/** The newest whole run that is committed, whose folder has no name after the date, and partial runs of the same day. */
export function newestResults(): readonly string[] {
  const folder = join(root, 'docs/measurements');
  const names = readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'results.json')))
    .sort();
  const newest = names.findLast((name) => /^\d{4}-\d{2}-\d{2}$/.test(name));
  if (newest === undefined) throw new UsageError('docs/measurements holds no result');
  return names.filter((name) => name.startsWith(newest)).map((name) => join(folder, name, 'results.json'));
}

/** The documents with the figures of results, by their paths in the repository. */
export function documentsOf(results: readonly string[]): ReadonlyMap<string, string> {
  const read = readFigures(results.map((path) => ({ name: basename(dirname(path)), result: readResult(path) })));
  const filled = (path: string, section: string): readonly [string, string] => [
    path,
    between(readFileSync(join(root, path), 'utf8'), 'npm run figures', section),
  ];
  return new Map([
    filled('README.md', speedSummary(read)),
    filled('docs/speed.md', speedSection(read)),
    ['docs/speed.svg', speedPicture(read)],
  ]);
}

if (import.meta.main)
  await run('figures', () => {
    const { values, positionals } = parsedArguments(process.argv.slice(2), ['help'], []);
    if (values.help === true) {
      process.stdout.write(HELP);
      return 0;
    }
    const results = positionals.length > 0 ? positionals : newestResults();
    const documents = documentsOf(results);
    for (const [path, text] of documents) writeFileSync(join(root, path), text);
    process.stdout.write(`${[...documents.keys()].join(', ')}: figures of ${results.join(' and ')}\n`);
    return 0;
  });
