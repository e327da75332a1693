/** The report of all runs: counts first, then failures and omissions with their names and reasons. */
import type { Result } from './page/messages.ts';
import { inEveryMode, onlyInNode, withWebAssembly, withWorkers } from './suite.ts';

export interface Outcome {
  readonly host: string;
  readonly mode: string;
  readonly results: readonly Result[];
  readonly seconds: number;
}

const sum = (results: readonly Result[], count: (result: Result) => number): number =>
  results.reduce((total, result) => total + count(result), 0);

/** The reasons of hosts for refusing engines are long, so they are cut off. */
const MOST_NOTE = 130;
const WIDTHS = [28, 28, 8, 8, 8, 8] as const;
const row = (...cells: readonly (string | number)[]): string =>
  cells.map((cell, i) => (i < 2 ? `${cell}`.padEnd(WIDTHS[i]) : `${cell}`.padStart(WIDTHS[i]))).join('');

function* table(outcomes: readonly Outcome[]): Generator<string> {
  yield row('host', 'where', 'passed', 'failed', 'skipped', 'seconds');
  for (const { host, mode, results, seconds } of outcomes) {
    const [passed, failed, skipped] = [
      sum(results, (result) => result.passed),
      sum(results, (result) => result.failed.length),
      sum(results, (result) => result.skipped.length),
    ];
    yield row(host, mode, passed, failed, skipped, seconds.toFixed(0));
    const note = results.find(({ note }) => note !== undefined)?.note;
    if (note !== undefined) yield `    users get ${note.length > MOST_NOTE ? `${note.slice(0, MOST_NOTE)}…` : note}`;
  }
}

function* failures(outcomes: readonly Outcome[]): Generator<string> {
  for (const { host, mode, results } of outcomes)
    for (const { file, failed } of results)
      for (const { test, error } of failed)
        yield `\nFAILED  ${host}, ${mode}: ${file} > ${test}\n    ${error.replaceAll('\n', '\n    ')}`;
}

function* skips(outcomes: readonly Outcome[]): Generator<string> {
  const found = new Map<string, { count: number; readonly runs: Set<string> }>();
  for (const { host, mode, results } of outcomes)
    for (const { file, skipped } of results)
      for (const { reason } of skipped) {
        const what = `${file}: ${reason}`;
        const entry = found.get(what) ?? { count: 0, runs: new Set() };
        found.set(what, entry);
        entry.count++;
        entry.runs.add(`${host}, ${mode}`);
      }
  if (found.size > 0) yield '\nSkipped:';
  for (const [what, { count, runs }] of found)
    yield `  ${count} in ${what} (${runs.size === outcomes.length ? 'all runs' : [...runs].join('; ')})`;
}

/** The files that take longest, in seconds. */
function longest(results: readonly Result[], count: number): string {
  const seconds = new Map<string, number>();
  for (const { file, milliseconds } of results) seconds.set(file, (seconds.get(file) ?? 0) + milliseconds / 1000);
  const most = [...seconds].sort((a, b) => b[1] - a[1]).slice(0, count);
  return most.map(([file, total]) => `${file} ${total.toFixed(total < 10 ? 1 : 0)}`).join(', ');
}

function* slowest(outcomes: readonly Outcome[]): Generator<string> {
  yield '\nSlowest files, in seconds:';
  for (const { host, mode, results } of outcomes) yield `  ${host}, ${mode}: ${longest(results, 8)}`;
  const all = outcomes.flatMap(({ results }) => results);
  yield `  all runs: ${longest(all, 12)}`;
}

export function* exclusions(night: boolean): Generator<string> {
  yield '\nFiles that run in Node only:';
  for (const [file, reason] of Object.entries(onlyInNode)) yield `  ${file}: ${reason}`;
  const everywhere = Object.keys(inEveryMode).join(', ');
  if (night) yield `Each host runs all other files in one mode, and in every mode: ${everywhere}`;
  else {
    yield 'Firefox and WebKitGTK run known answers, lengths, and all that depends on a host; the other hosts run the last alone.';
    yield `With --night, all hosts run all files, and in every mode: ${everywhere}`;
  }
  yield 'Files of npm run test:long and test:nightly run in Node only, but for those that run elsewhere with --night.';
  yield 'Files that do not run where nothing may be compiled:';
  for (const [file, reason] of Object.entries(withWebAssembly)) yield `  ${file}: ${reason}`;
  yield 'Files that do not run where there are no workers:';
  for (const [file, reason] of Object.entries(withWorkers)) yield `  ${file}: ${reason}`;
  yield 'Where the tests in Node ask OpenSSL and libsodium, these runs ask noble.';
}

/** Prints everything; true if nothing failed. `remarks` list the files that do not run, with reasons. */
export function report(
  outcomes: readonly Outcome[],
  missing: readonly string[],
  seed: number,
  remarks: Iterable<string>,
): boolean {
  const results = outcomes.flatMap((outcome) => outcome.results);
  const failed = sum(results, (result) => result.failed.length);
  for (const part of [table(outcomes), skips(outcomes), slowest(outcomes), remarks, failures(outcomes)])
    for (const line of part) console.log(line);
  if (missing.length > 0) console.log(`\nNOT RUN:\n  ${missing.join('\n  ')}`);
  console.log(
    `\nLANEWISE_SEED=${seed}\n${outcomes.length} runs: ${sum(results, (result) => result.passed)} passed, ` +
      `${failed} failed, ${sum(results, (result) => result.skipped.length)} skipped`,
  );
  return failed === 0;
}
