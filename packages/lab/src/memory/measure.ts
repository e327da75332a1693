/** `npm run lab -- memory`: the resident set of Node while a long stream passes, above that of the idle process. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { table } from '../report/text-table.ts';
import { DIRECTIONS, FORMATS, READERS, type Direction, type Format, type Passed, type Reader } from './pass.ts';

const GIB = 2 ** 30;
/** Streams that are read by a BYOB reader may take so much; where the garbage of a default reader goes is up to the host. */
const MOST_BYTES = 40e6;

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

async function passed(format: Format, direction: Direction, reader: Reader, bytes: number): Promise<Passed> {
  const program = join(import.meta.dirname, 'pass.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, format, direction, reader, String(bytes)]);
  const result = JSON.parse(stdout) as Passed;
  if (result.bytes < bytes) throw new Error(`${format}: only ${result.bytes} of ${bytes} bytes came out`);
  return result;
}

/** Prints a table; resolves to the exit code, 1 if a stream takes too much. */
export async function measureMemory({ gibibytes, only }: { gibibytes: number; only: string }): Promise<number> {
  const rows: string[][] = [];
  let most = 0;
  for (const format of FORMATS)
    for (const direction of format === 'no encryption' ? DIRECTIONS.slice(0, 1) : DIRECTIONS)
      for (const reader of READERS) {
        const name = format === 'no encryption' ? format : `${format}, ${direction}`;
        if (!`${name}, ${reader}`.includes(only)) continue;
        const { idle, highest, seconds } = await passed(format, direction, reader, gibibytes * GIB);
        if (format !== 'no encryption' && reader === 'BYOB reader') most = Math.max(most, highest - idle);
        rows.push([name, reader, megabytes(idle), megabytes(highest - idle), seconds.toFixed(1)]);
      }
  if (rows.length === 0) {
    process.stderr.write(`lab: --only "${only}" fits no row\n`);
    return 2;
  }
  const head = ['', '', 'idle MB', 'highest above idle MB', 'seconds'];
  process.stdout.write(
    `Node ${process.versions.node}: the resident set while ${gibibytes} GiB pass, by one process each\n` +
      `${table(head, rows, ['left', 'left', 'right', 'right', 'right'])}\n`,
  );
  if (most <= MOST_BYTES) return 0;
  process.stderr.write(`lab: ${megabytes(most)} MB above idle; at most ${megabytes(MOST_BYTES)} are expected\n`);
  return 1;
}
