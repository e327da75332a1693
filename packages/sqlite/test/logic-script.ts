/** Scripts of SQLite's logic tests (sqllogictest), by the description of their format: https://sqlite.org/sqllogictest/doc/trunk/about.wiki. */
import { createHash } from 'node:crypto';
import type { Row } from './support.ts';

/** The database in which a script runs. */
export interface Database {
  run(sql: string): Promise<readonly Row[]>;
}

/** How the records of a script ended. Each fault begins with the number of its line. */
export interface Outcome {
  readonly passed: number;
  readonly skipped: number;
  readonly faults: readonly string[];
}

/** `%.3f` of SQLite's printf, which has 16 significant digits, and zeros after them. */
function real(value: number): string {
  if (Math.abs(value) < 1e15) return value.toFixed(3);
  const [digits, exponent] = value.toExponential(15).split('e');
  return `${digits.replace('.', '').padEnd(Number(exponent) + (value < 0 ? 2 : 1), '0')}.000`;
}

/** A value as the format writes it: I is an integer, R has three digits, all else is text. */
function written(value: Row[number], type: string): string {
  if (value === null) return 'NULL';
  const text = value instanceof Uint8Array || Array.isArray(value) ? Buffer.from(value).toString() : String(value);
  if (type === 'I') return typeof value === 'bigint' ? text : String(Math.trunc(Number.parseFloat(text)) || 0);
  if (type === 'R') return real(Number.parseFloat(text) || 0);
  // Byte by byte, of UTF-8.
  return text === ''
    ? '(empty)'
    : Buffer.from(text)
        .toString('latin1')
        .replace(/[^\x20-\x7e]/g, '@');
}

/** All values of an answer, in the order that the record asks for. */
function valuesOf(rows: readonly Row[], types: string, order: string): readonly string[] {
  const texts = rows.map((row) => row.map((value, column) => written(value, types[column])));
  // By bytes, as strcmp() does; all are ASCII.
  const byBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  if (order === 'rowsort') {
    const compare = (a: readonly string[], b: readonly string[]): number =>
      a.reduce((found, text, i) => found || byBytes(text, b[i]), 0);
    texts.sort(compare);
  }
  return order === 'valuesort' ? texts.flat().sort(byBytes) : texts.flat();
}

/** Whether a record is for SQLite, by the conditions in front of it. */
const isOurs = (conditions: readonly string[]): boolean =>
  conditions.every((line) => {
    const [word, engine] = line.split(/\s+/);
    return (engine === 'sqlite') === (word === 'onlyif');
  });

/** Runs all records of a script. */
export async function runScript(text: string, database: Database): Promise<Outcome> {
  const faults: string[] = [];
  let [passed, skipped, line] = [0, 0, 1];
  for (const record of text.replaceAll('\r\n', '\n').split('\n\n')) {
    const at = line;
    line += record.split('\n').length + 1;
    const lines = record.split('\n').filter((each) => !each.startsWith('#') && each !== '');
    const first = lines.findIndex((each) => !/^(skipif|onlyif)\s/.test(each));
    if (first === -1 || lines[first].startsWith('hash-threshold')) continue;
    if (!isOurs(lines.slice(0, first))) {
      skipped++;
      continue;
    }
    const [word, kind, order = 'nosort'] = lines[first].split(/\s+/);
    if (word === 'halt') break;
    const end = lines.indexOf('----', first);
    const sql = lines.slice(first + 1, end === -1 ? undefined : end).join('\n');
    let got: string;
    let wanted = '';
    if (word === 'statement') {
      wanted = kind;
      got = await database.run(sql).then(
        () => 'ok',
        (error: unknown) => (kind === 'error' ? 'error' : (error as Error).message),
      );
    } else if (word === 'query') {
      const expected = end === -1 ? [] : lines.slice(end + 1);
      try {
        const values = valuesOf(await database.run(sql), kind, order);
        const isHashed = expected.length === 1 && / values hashing to [0-9a-f]{32}$/.test(expected[0]);
        const hash = (): string =>
          createHash('md5')
            .update(`${values.join('\n')}\n`)
            .digest('hex');
        got = isHashed ? `${values.length} values hashing to ${hash()}` : values.join('\n');
      } catch (error) {
        // A query that fails has no rows; scripts say that by an empty answer.
        got = expected.length === 0 ? '' : (error as Error).message;
      }
      wanted = expected.join('\n');
    } else {
      got = `unknown record: ${word}`;
    }
    if (got === wanted) passed++;
    else faults.push(`line ${at}: expected ${wanted}, got ${got}: ${sql}`);
  }
  return { passed, skipped, faults };
}
