// The table that prove.ts prints.
import { styleText } from 'node:util';
import type { Amounts } from './claims/amounts.ts';
import type { Claim } from './claims/claim.ts';
import { seedText } from './claims/drawn.ts';

export interface Proved {
  readonly kernel: string;
  readonly claim: string;
  readonly topic: string;
  readonly seconds: number;
  readonly failure: string | undefined;
  /** How many bytes, calls or instructions it compared. */
  readonly amounts: Amounts;
}

interface Row {
  readonly kernel: string;
  readonly claim: string;
  readonly claims: number;
  readonly failed: number;
  readonly seconds: number;
}

export const topicOf = ({ claim, topic }: Claim): string => topic ?? claim.split(':', 1)[0];

/** One row for each claim, or for all claims of a kernel about one thing. */
function rowsOf(proved: readonly Proved[], all: boolean): Row[] {
  const rows = new Map<string, Row>();
  for (const entry of proved) {
    const claim = all ? entry.claim : entry.topic;
    const key = `${entry.kernel}: ${claim}`;
    const { claims, failed, seconds } = rows.get(key) ?? { claims: 0, failed: 0, seconds: 0 };
    rows.set(key, {
      kernel: entry.kernel,
      claim,
      claims: claims + 1,
      failed: failed + (entry.failure === undefined ? 0 : 1),
      seconds: seconds + entry.seconds,
    });
  }
  return [...rows.values()];
}

const resultOf = ({ claims, failed }: Row): string =>
  failed === 0
    ? styleText('green', claims === 1 ? 'proved' : `${claims} proved`)
    : styleText('red', claims === 1 ? 'NOT PROVED' : `${failed} of ${claims} NOT PROVED`);

/** Each kernel's name stands in front of its first row. */
function table(proved: readonly Proved[], all: boolean): string {
  const rows = rowsOf(proved, all);
  const width = (values: readonly string[]): number => Math.max(...values.map((value) => value.length));
  const kernelWidth = width(rows.map(({ kernel }) => kernel));
  const claimWidth = width(rows.map(({ claim }) => claim));
  let last = '';
  const lines = rows.map((row) => {
    const kernel = row.kernel === last ? '' : row.kernel;
    const gap = kernel && last ? '\n' : '';
    last = row.kernel;
    const name = styleText('bold', kernel) + ' '.repeat(kernelWidth - kernel.length);
    const seconds = `${row.seconds.toFixed(2)} s`.padStart(9);
    return `${gap}${name}  ${row.claim.padEnd(claimWidth)}  ${seconds}  ${resultOf(row)}`;
  });
  return lines.join('\n');
}

/** The claims that are not proved, and why. */
const failures = (proved: readonly Proved[]): string =>
  proved
    .filter(({ failure }) => failure !== undefined)
    .map(({ kernel, claim, failure }) => `${styleText('red', 'not proved')}  ${kernel}: ${claim}\n    ${failure ?? ''}`)
    .join('\n');

const missed = (claim: string): string =>
  `${styleText('red', 'not claimed any more')}  ${claim}\n    it is in claims.golden.json; if it is meant to go, npm run golden`;

/** The coverage of the kernels that were proved: a coverage claim counts all places, minus its listed exceptions. */
function coverageOf(proved: readonly Proved[]): string[] {
  const coverage = proved.filter(({ topic }) => topic === 'coverage');
  if (coverage.length === 0) return [];
  const failed = coverage.filter(({ failure }) => failure !== undefined);
  const sum = (unit: string): number => coverage.reduce((total, { amounts }) => total + (amounts[unit] ?? 0), 0);
  const all =
    `100 % of ${sum('places').toLocaleString('en')} instructions and ways of branches, but for ` +
    `${sum('exceptions')} of which the list says why`;
  return [`coverage: ${failed.length ? `${failed.length} of ${coverage.length} kernels are not covered` : all}`];
}

/** How to draw the same lengths again. */
const drawnIn = (proved: readonly Proved[]): string[] =>
  proved.some(({ claim }) => /^wiped|drawn$/.test(claim)) ? [`lengths that were drawn: ${seedText}`] : [];

/** The verdict on each kernel that was asked for, with the hash of its bytes. */
function verdicts(proved: readonly Proved[], sums: Readonly<Record<string, string>>): string[] {
  const asked = [...new Set(proved.map(({ kernel }) => kernel))].filter((kernel) => kernel in sums);
  if (asked.length === 0) return [];
  const width = Math.max(...asked.map((kernel) => kernel.length));
  const rows = asked.map((kernel) => {
    const claims = proved.filter((entry) => entry.kernel === kernel);
    const holds = claims.every(({ failure }) => failure === undefined);
    return `  ${kernel.padEnd(width)}  ${holds ? 'proved' : 'NOT PROVED'}  ${sums[kernel]}`;
  });
  return ['SHA-256 of the published bytes', ...rows, ''];
}

export interface Report {
  readonly text: string;
  /** 1 if a claim is not proved. */
  readonly exitCode: 0 | 1;
}

interface ReportOptions {
  /** All claims that there are. */
  readonly shipped: readonly { readonly kernel: string }[];
  /** How long it took, from start to end. */
  readonly seconds: number;
  /** A row for every claim. */
  readonly all: boolean;
  /** Claims that there were when they were last looked at. */
  readonly missing: readonly string[];
  /** The SHA-256 of the published bytes, by kernel. */
  readonly sums?: Readonly<Record<string, string>>;
}

export function report(
  proved: readonly Proved[],
  { shipped, seconds, all, missing, sums = {} }: ReportOptions,
): Report {
  const kernelsOf = (list: readonly { readonly kernel: string }[]): number => new Set(list.map((x) => x.kernel)).size;
  const failed = proved.filter(({ failure }) => failure !== undefined);
  const kernels = kernelsOf(proved) - kernelsOf(failed);
  const claims = proved.length - failed.length;
  const partly =
    proved.length < shipped.length ? ` (${proved.length} of the ${shipped.length} claims were asked for)` : '';
  const lines = [
    table(proved, all),
    ...(failed.length ? ['', failures(failed)] : []),
    ...(missing.length ? ['', ...missing.map(missed)] : []),
    '',
    ...verdicts(proved, sums),
    `${kernels} kernels proved / ${kernelsOf(shipped)} kernels shipped${partly}`,
    ...coverageOf(proved),
    ...drawnIn(proved),
    `${claims} of ${proved.length} claims in ${seconds.toFixed(1)} s`,
  ];
  return { text: lines.join('\n'), exitCode: failed.length || missing.length ? 1 : 0 };
}
