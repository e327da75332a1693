/** The agreement of whole runs: the headline ratios of each, in each engine, and how far apart they are. */
import { middle } from '../results/statistics.ts';
import type { CaseView, EngineView, View } from '../results/view.ts';
import { groupsOf, nameOfGroup, nanosecondsOf, oursIn, representative, type Group } from './groups.ts';
import { significant } from './numbers.ts';
import type { Table } from './table.ts';

/** One ratio in all runs: the case and its rival, and the greatest value over the least, less one. */
export interface Headline {
  readonly engine: string;
  readonly subject: string;
  readonly ratio: string;
  readonly values: readonly number[];
  readonly spread: number;
}

/** The rivals of our best case: our scalar kernel, and the fastest library that does the same. */
function opponents(cases: readonly CaseView[], { primitive }: Group): readonly CaseView[] {
  const scalar = cases.find(({ description: { standing, engine } }) => standing === 'ours' && engine === 'scalar');
  const rivals = cases
    .filter(({ description }) => description.standing === 'rival' && description.primitive === primitive)
    .sort((a, b) => nanosecondsOf(a) - nanosecondsOf(b));
  return [scalar, rivals[0]].filter((each) => each !== undefined);
}

function headlinesOf(views: readonly View[], engine: EngineView, group: Group): Headline[] {
  const contest = representative(views[0], engine, group);
  const cases = contest ? views[0].cases(engine, contest.id) : [];
  const ours = oursIn(cases);
  if (!contest || !ours) return [];
  return opponents(cases, group).flatMap(({ description: { id } }) => {
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
        spread: Math.max(...values) / Math.min(...values) - 1,
      },
    ];
  });
}

/** Compares two or more runs; ratios that one of them lacks are left out. */
export const headlines = (views: readonly View[]): Headline[] =>
  views[0].engines.flatMap((engine) =>
    groupsOf(views[0], 'platforms').flatMap((group) => headlinesOf(views, engine, group)),
  );

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

export function spreadTables(found: readonly Headline[]): Table[] {
  const engines = [...new Set(found.map(({ engine }) => engine))];
  const runs = found[0]?.values.map((_, i) => `run ${i + 1}`) ?? [];
  return [
    {
      title: 'Headline ratios in whole runs',
      note: 'Times ours with SIMD, at the usual length; spread: the most over the least, less one.',
      head: ['engine', 'operation', 'ratio', ...runs, 'spread'],
      rows: found.map(({ engine, subject, ratio, values, spread }) => [
        engine,
        subject,
        ratio,
        ...values.map(significant),
        percent(spread),
      ]),
      names: 3,
    },
    {
      title: 'Spread',
      note: 'Over the headline ratios of an engine.',
      head: ['engine', 'ratios', 'median', 'most'],
      rows: engines.map((engine) => {
        const spreads = found.filter((each) => each.engine === engine).map(({ spread }) => spread);
        return [engine, `${spreads.length}`, percent(middle([spreads])), percent(Math.max(...spreads))];
      }),
      names: 1,
    },
  ];
}
