/** The ratios of two machines side by side. */
import { processorName } from '../results/processor.ts';
import { ResultError } from '../results/schema.ts';
import type { View } from '../results/view.ts';
import { significant } from './numbers.ts';
import { headlines } from './spread.ts';
import type { Table } from './table.ts';

/** The processor and the day, because one machine can be measured twice. */
const nameOf = ({ result }: View): string => `${processorName(result.host)}, ${result.startedAt.slice(0, 10)}`;

/** Throws a ResultError if the results have no ratio in common. */
export function besideTable(one: View, other: View): Table {
  const found = headlines([one, other]);
  if (found.length === 0) throw new ResultError('the results have no engine and operation in common');
  return {
    title: 'Two machines side by side',
    note: 'Time of our scalar kernel, and of the quickest rival on the first machine, as multiples of ours with SIMD, at the usual length; the last column is the second ratio over the first.',
    head: ['engine', 'operation', 'ratio', nameOf(one), nameOf(other), 'second ÷ first'],
    rows: found.map(({ engine, subject, ratio, values: [first, second] }) => [
      engine,
      subject,
      ratio,
      significant(first),
      significant(second),
      significant(second / first),
    ]),
    names: 3,
  };
}
