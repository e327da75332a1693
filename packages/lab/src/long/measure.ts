/** `npm run lab -- long`: ratios of times of long messages, in fresh processes of Node that take turns. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { table } from '../report/text-table.ts';
import { spread } from '../results/medians.ts';
import { RATIOS } from './ratios.ts';

async function ratioOf(name: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'ratios.ts'), name]);
  const ratio = Number(stdout);
  if (!(ratio > 0)) throw new Error(`${name}: a process said ${stdout.trim() || 'nothing'}`);
  return ratio;
}

/** Prints a table; resolves to the exit code. */
export async function measureLong({ rounds, only }: { rounds: number; only: string }): Promise<number> {
  const names = RATIOS.map(({ name }) => name).filter((name) => name.includes(only));
  if (names.length === 0) {
    process.stderr.write(`lab: --only "${only}" fits no row\n`);
    return 2;
  }
  const found = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) for (const name of names) found.get(name)!.push(await ratioOf(name));
  const rows = [...found].map(([name, ratios]) => {
    const { median, least, most } = spread(ratios);
    return [name, ...[median, least, most, 1 / median].map((number) => number.toFixed(2))];
  });
  process.stdout.write(
    `Node ${process.versions.node}, ${rounds} fresh processes each: time by time, and its reciprocal, speed by speed\n` +
      `${table(['', 'median', 'least', 'most', 'speed'], rows, ['left', 'right', 'right', 'right', 'right'])}\n`,
  );
  return 0;
}
