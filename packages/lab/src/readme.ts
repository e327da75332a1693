/** `npm run figures`: writes the README's table of speeds from a result of the lab. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { speedSection, withSpeeds } from './readme/tables.ts';
import { readResult } from './results/store.ts';
import { run, UsageError, wrongArguments } from './terminal.ts';

const root = join(import.meta.dirname, '../../..');
const README = join(root, 'README.md');

const HELP = `npm run figures [-- RESULT …]

Writes the table of speeds in README.md from results.json of a run of the lab: from RESULT, or from the newest that
docs/measurements holds. Rows that it lacks come from the next RESULT, or from the folders that have the same date and
a name behind it.
`;

/** The newest result that is committed: folders are named by their dates. */
export const newestResult = (): string => newestResults()[0];

/** The newest whole run that is committed, whose folder has no name behind the date, and partial runs of the same day. */
export function newestResults(): readonly string[] {
  const folder = join(root, 'docs/measurements');
  const names = readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'results.json')))
    .sort();
  const newest = names.findLast((name) => /^\d{4}-\d{2}-\d{2}$/.test(name));
  if (newest === undefined) throw new UsageError('docs/measurements holds no result');
  return names.filter((name) => name.startsWith(newest)).map((name) => join(folder, name, 'results.json'));
}

/** The README with the figures of results. */
export const readmeOf = async (readme: string, results: readonly string[]): Promise<string> =>
  withSpeeds(
    readme,
    await speedSection(results.map((path) => ({ name: basename(dirname(path)), result: readResult(path) }))),
  );

if (import.meta.main)
  await run('figures', async () => {
    let parsed;
    try {
      parsed = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean', short: 'h' } } });
    } catch (error) {
      throw wrongArguments(error);
    }
    const { values, positionals } = parsed;
    if (values.help === true) {
      process.stdout.write(HELP);
      return 0;
    }
    const results = positionals.length > 0 ? positionals : newestResults();
    writeFileSync(README, await readmeOf(readFileSync(README, 'utf8'), results));
    process.stdout.write(`README.md has the figures of ${results.join(' and ')}\n`);
    return 0;
  });
