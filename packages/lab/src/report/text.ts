/** Tables and verdicts for a terminal. */
import type { View } from '../results/view.ts';
import type { Comparison } from '../results/compare.ts';
import { printable } from '../results/names.ts';
import { table } from './text-table.ts';
import { withInterval } from './numbers.ts';
import { poolTable } from './pools.ts';
import { quietTable } from './quiet.ts';
import type { Table } from './table.ts';
import { contestTables, cyclesTables, rivalTables, speedTables } from './tables.ts';
import { verdicts } from './verdicts.ts';

const lines = ({ title, machine, head, rows, names }: Table): string =>
  `${title}${machine === undefined ? '' : `; ${machine}`}\n${table(head, rows, names)}\n`;

/** A heading for tables of one kind, with the unit of their cells. */
export const tablesText = (tables: readonly Table[]): string =>
  tables.length === 0 ? '' : printable([...tables.map(lines), `${tables[0].note}\n`].join('\n'));

/** The tables that fit into a terminal. */
export function summaryText(view: View): string {
  const { principal } = view;
  const quiet = principal && quietTable(view, [principal]);
  const pools = poolTable(view);
  return [
    speedTables(view),
    principal ? rivalTables(view, principal) : [],
    contestTables(view, 'streams'),
    pools ? [pools] : [],
    cyclesTables(view),
    quiet ? [quiet] : [],
  ]
    .map(tablesText)
    .concat(
      verdicts(view).map(({ subject, sentence }) => printable(`${subject}: ${sentence}`)),
      '',
    )
    .join('\n');
}

export function comparisonText({ changes, regressions, compared, notes }: Comparison): string {
  const rows = changes.map((change) => [
    change.verdict,
    change.engine,
    change.contest,
    change.case,
    withInterval(change.ratio),
  ]);
  const columns = ['', 'engine', 'contest', 'case', 'time after ÷ before (99 %)'];
  const list = rows.length === 0 ? [] : [table(columns, rows, 4)];
  const count = `${compared} cases compared, ${changes.length} changed beyond the noise, ${regressions.length} of them a regression.`;
  return printable([...list, ...notes, count, ''].join('\n'));
}
