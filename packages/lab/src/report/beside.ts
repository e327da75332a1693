/** The ratios of two machines side by side. */
import { processorName } from '../results/processor.ts';
import { ResultError } from '../results/schema.ts';
import { middle } from '../results/statistics.ts';
import type { EngineView, View } from '../results/view.ts';
import { engineCase, groupsOf, nameOfGroup, oursIn, representative, rivalIn, type Group } from './groups.ts';
import { significant } from './numbers.ts';
import type { Table } from './table.ts';

/** The processor and the day, because one machine can be measured twice. */
const nameOf = ({ result }: View): string => `${processorName(result.host)}, ${result.startedAt.slice(0, 10)}`;

/** A ratio on both machines. */
interface Ratio {
  readonly engine: string;
  readonly subject: string;
  readonly ratio: string;
  readonly values: readonly number[];
}

function ratiosOf(views: readonly View[], engine: EngineView, group: Group): Ratio[] {
  const contest = representative(views[0], engine, group);
  const cases = contest ? views[0].cases(engine, contest.id) : [];
  const ours = oursIn(cases);
  if (!contest || !ours) return [];
  // Our scalar kernel, and the fastest library that does the same.
  const opponents = [engineCase(cases, 'scalar'), rivalIn(cases, group)].flatMap((each) => each ?? []);
  return opponents.flatMap(({ description: { id } }) => {
    const values = views.flatMap((view) => {
      const same = view.engines.find(({ key }) => key === engine.key);
      const ratios = same ? view.ratios(same, contest.id, id, ours.description.id) : [];
      return ratios.length === 0 ? [] : [middle(ratios)];
    });
    if (id === ours.description.id || values.length < views.length) return [];
    return [
      {
        engine: engine.name,
        subject: nameOfGroup(group),
        ratio: `${id} ÷ ${ours.description.id}`,
        values,
      },
    ];
  });
}

/** Throws a ResultError if the results have no ratio in common. */
export function besideTable(one: View, other: View): Table {
  const found = one.engines.flatMap((engine) =>
    groupsOf(one, 'platforms').flatMap((group) => ratiosOf([one, other], engine, group)),
  );
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
