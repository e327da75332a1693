/** Reports on quiet and busy rounds: how many there were, and the figures of the busy ones. */
import { sumOf, type Sorted, type Tally } from '../results/quiet.ts';
import { middle } from '../results/statistics.ts';
import type { EngineView, View } from '../results/view.ts';
import { groupsOf, lengthOf, nameOfGroup, oursIn, representative, rivalIn, type Group } from './groups.ts';
import { bytes, megabytesPerSecond, times } from './numbers.ts';
import { machineOf, NOTHING, type Table } from './table.ts';

/** Fewer busy rounds give no figure. */
export const LEAST_BUSY = 3;

export const countOf = ({ quiet, rounds }: Tally): string => `${quiet} of ${rounds}`;

/** The mark of a figure that is of all rounds, because too few were quiet. */
export const mark = ({ basis }: Pick<Sorted, 'basis'>): string => (basis === 'all' ? '*' : '');

export const MARKED = '* is of all rounds, because too few were quiet.';

/** The figure of the busy rounds. */
export const busyFigure = ({ busy, tally }: Sorted, format: (value: number) => string): string =>
  tally.busy < LEAST_BUSY ? NOTHING : format(middle(busy));

/** Undefined without probes. */
export function quietSentence(found: Sorted, format: (value: number) => string): string | undefined {
  const { basis, tally } = found;
  if (basis === 'unknown') return undefined;
  const busy = tally.busy < LEAST_BUSY ? '' : `; busy rounds gave ${busyFigure(found, format)}`;
  return basis === 'quiet'
    ? `${countOf(tally)} rounds were quiet${busy}.`
    : `Only ${countOf(tally)} rounds were quiet, too few, so that all count${busy}.`;
}

/** Samples of all cases of some contests in an engine; undefined without probes. */
export function tallyIn(view: View, engine: EngineView, contests: readonly string[]): Tally | undefined {
  const all = contests.flatMap((id) => view.cases(engine, id)).filter(({ sorted }) => sorted.basis !== 'unknown');
  return all.length === 0 ? undefined : sumOf(all.map(({ sorted }) => sorted.tally));
}

/** The figures of quiet rounds beside those of busy ones: one row for each operation and engine. */
export function quietTable(view: View, engines: readonly EngineView[] = view.engines): Table | undefined {
  const rows = engines.flatMap((engine) => groupsOf(view, 'platforms').flatMap((group) => rowOf(view, engine, group)));
  if (rows.length === 0) return undefined;
  return {
    title: 'Quiet and busy rounds',
    note: `A round is busy while another thread uses the same core, by a probe before and after each sample. Speeds in MB/s; ratios are of the quickest rival to ours. ${MARKED}`,
    machine: machineOf(view),
    head: [
      'engine',
      'operation',
      'quiet samples',
      'MB/s',
      'busy: MB/s',
      'rival',
      'takes',
      'busy: takes',
      'quiet rounds',
    ],
    rows,
    names: 2,
  };
}

function rowOf(view: View, engine: EngineView, group: Group): string[][] {
  const contest = representative(view, engine, group);
  const cases = contest ? view.cases(engine, contest.id) : [];
  const ours = oursIn(cases);
  if (!contest || !ours || ours.sorted.basis === 'unknown') return [];
  const speed = (nanoseconds: number): string => megabytesPerSecond(ours.description.bytes, nanoseconds);
  const rival = rivalIn(cases, group);
  const ratio = rival && view.sortedRatios(engine, contest.id, rival.description.id, ours.description.id);
  return [
    [
      engine.name,
      `${nameOfGroup(group)}, ${bytes(lengthOf(contest))}`,
      countOf(ours.sorted.tally),
      speed(middle(ours.nanoseconds)) + mark(ours.sorted),
      busyFigure(ours.sorted, speed),
      ...(ratio
        ? [
            rival.description.id,
            times(middle(ratio.chosen)) + mark(ratio),
            busyFigure(ratio, times),
            countOf(ratio.tally),
          ]
        : [NOTHING, NOTHING, NOTHING, NOTHING]),
    ],
  ];
}
