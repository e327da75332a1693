/** `npm run figures`: writes the README's table of speeds from a result of the lab. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { speedSection, withSpeeds } from './readme/tables.ts';
import { readResult } from './results/store.ts';
import { run, UsageError, wrongArguments } from './terminal.ts';

const root = join(import.meta.dirname, '../../..');
const README = join(root, 'README.md');

const HELP = `npm run figures [-- RESULT]

Writes the table of speeds in README.md from results.json of a run of the lab: from RESULT, or from the newest that
docs/measurements holds.
`;

/** The newest result that is committed: folders are named by their dates. */
export function newestResult(): string {
  const folder = join(root, 'docs/measurements');
  const files = readdirSync(folder)
    .sort()
    .map((day) => join(folder, day, 'results.json'));
  const newest = files.findLast((file) => existsSync(file));
  if (newest === undefined) throw new UsageError('docs/measurements holds no result');
  return newest;
}

/** The README with the figures of a result. */
export const readmeOf = async (readme: string, result: string): Promise<string> =>
  withSpeeds(readme, await speedSection(readResult(result), basename(dirname(result))));

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
    if (positionals.length > 1) throw new UsageError(`one result at a time, not ${positionals.length}`);
    const result = positionals[0] ?? newestResult();
    writeFileSync(README, await readmeOf(readFileSync(README, 'utf8'), result));
    process.stdout.write(`README.md has the figures of ${result}\n`);
    return 0;
  });
