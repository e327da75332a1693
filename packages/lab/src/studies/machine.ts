/** All results of one processor together: of each contest in each engine, the newest. */
import { known } from '../client/known.ts';
import type { Parameters } from '../client/messages.ts';
import { nanosecondsOf } from '../report/groups.ts';
import { processorName } from '../results/processor.ts';
import type { Result } from '../results/schema.ts';
import { median } from '../results/medians.ts';
import { middle } from '../results/statistics.ts';
import { perByte, viewOf, type CaseView, type EngineView, type View } from '../results/view.ts';

/** A result and where it is: the name of its folder or file. */
export interface NamedResult {
  readonly name: string;
  readonly result: Result;
}

export interface MachineEngine {
  /** The id that results have: `node26`, `firefox`. */
  readonly id: string;
  /** With the version of the newest result. */
  readonly name: string;
}

export type Machine = ReturnType<typeof machineOf>;

/** Browsers first, as in the documents that the studies answer; engines that are not named come last. */
const ORDER = ['chromium', 'firefox', 'webkit', 'node26', 'node24', 'node22', 'node20', 'bun', 'deno', 'workerd'];
const rank = (id: string): number => (ORDER.includes(id) ? ORDER.indexOf(id) : ORDER.length);

/** Engines of a page only; figures of workers of a page are not mixed in. */
const isOwn = ({ place }: EngineView): boolean => place !== 'worker';

/**
 * The first version of the lab's file does not have the family of the processor, and virtual machines call theirs "AMD
 * EPYC"; docs/measurements/README.md names it.
 */
const NAMED: Readonly<Record<string, string>> = { '2026-11-21T21:47:02.285Z': 'AMD EPYC, Zen 4' };

/** Without family and model, where there is little room. */
export const shortProcessor = (processor: string): string => processor.replace(/\s*\((?:family|model)[^)]*\)/, '');

export const processorOf = ({ startedAt, host }: Result): string =>
  (NAMED[startedAt] ?? processorName(host)) || 'a processor without a name';

/** All results must be of one processor. */
export function machineOf(results: readonly NamedResult[]) {
  const newestFirst = [...results].sort((a, b) => (a.result.startedAt < b.result.startedAt ? 1 : -1));
  const views = newestFirst.map(({ result }) => viewOf(result));

  const found = new Map<string, { view: View; engine: EngineView } | undefined>();
  /** The newest result that has samples of a contest in an engine. */
  const of = (id: string, contest: string) =>
    known(
      found,
      `${id} ${contest}`,
      () =>
        views.flatMap((view) =>
          view.engines
            .filter((engine) => engine.key === id && isOwn(engine) && view.cases(engine, contest).length > 0)
            .map((engine) => ({ view, engine })),
        )[0],
    );
  const caseOf = (id: string, contest: string, name: string): CaseView | undefined => {
    const place = of(id, contest);
    return place?.view.case(place.engine, contest, name);
  };

  return {
    /** With family and model. */
    processor: processorOf(newestFirst[0].result),
    /** Newest first. */
    results: newestFirst as readonly NamedResult[],
    /** Engines with samples of at least one of the contests, or of any contest if none is named, in the order of tables. */
    engines(...contests: readonly string[]): readonly MachineEngine[] {
      const engines = new Map<string, string>();
      for (const view of views)
        for (const engine of view.engines.filter(isOwn))
          if (
            !engines.has(engine.key) &&
            engine.sessions.length > 0 &&
            (contests.length === 0 || contests.some((contest) => of(engine.key, contest)))
          )
            engines.set(engine.key, engine.name);
      return Array.from(engines, ([id, name]) => ({ id, name })).sort((a, b) => rank(a.id) - rank(b.id));
    },
    /** Ids of cases of a contest in an engine, in the order of the contest. */
    cases(engine: string, contest: string): readonly string[] {
      const place = of(engine, contest);
      return place ? place.view.cases(place.engine, contest).map(({ description }) => description.id) : [];
    },
    /** Nanoseconds of one operation: the median over processes. */
    nanoseconds(engine: string, contest: string, id: string): number | undefined {
      const sampled = caseOf(engine, contest, id);
      return sampled && nanosecondsOf(sampled);
    },
    /** Millions of bytes in a second. */
    speed(engine: string, contest: string, id: string): number | undefined {
      const sampled = caseOf(engine, contest, id);
      return sampled && (sampled.description.bytes * 1e3) / nanosecondsOf(sampled);
    },
    /** Cycles per byte by the yardstick of the lab; undefined where the clock is too coarse. */
    cycles(engine: string, contest: string, id: string): number | undefined {
      const sampled = caseOf(engine, contest, id);
      const processes = sampled && perByte(sampled);
      return processes && middle(processes);
    },
    /** How many times as fast as `than` the case `id` is: the median of paired ratios. */
    faster(engine: string, contest: string, id: string, than: string): number | undefined {
      const place = of(engine, contest);
      const processes = place?.view.ratios(place.engine, contest, than, id) ?? [];
      return processes.length > 0 ? middle(processes) : undefined;
    },
    /** Nanoseconds between two readings of an engine's clock that differ. */
    clockStep(engine: string): number | undefined {
      const steps = newestFirst.map(({ result: { sessions } }) =>
        sessions
          .filter((session) => session.engine === engine)
          .flatMap(({ hello }) => hello?.timer.stepMilliseconds ?? []),
      );
      const newest = steps.find(({ length }) => length > 0);
      return newest && median(newest) * 1e6;
    },
    /** By how much the processes of all cases of some contests differ from their medians, as shares of these, in all engines. */
    deviations(contests: readonly string[]): readonly number[] {
      const ids = new Set(views.flatMap(({ engines }) => engines.filter(isOwn).map(({ key }) => key)));
      const cases = contests.flatMap((contest) =>
        Array.from(ids, (id) => of(id, contest)).flatMap((place) =>
          place ? place.view.cases(place.engine, contest) : [],
        ),
      );
      return cases
        .filter(({ nanoseconds }) => nanoseconds.length > 1)
        .flatMap((each) => each.nanoseconds.map((process) => Math.abs(median(process) / nanosecondsOf(each) - 1)));
    },
    /** Ids of all contests that begin so, in the order in which they were first measured. */
    contests: (beginning: string): readonly string[] =>
      [...new Set(views.flatMap(({ contests }) => contests.map(({ id }) => id)))].filter((id) =>
        id.startsWith(beginning),
      ),
    /** A parameter of a case, such as the bytes of the state it keeps. */
    parameter: (engine: string, contest: string, id: string, name: string): Parameters[string] | undefined =>
      caseOf(engine, contest, id)?.description.parameters[name],
  };
}

/** The machines of some results: that of the first result comes first. */
export function machinesOf(results: readonly NamedResult[]): readonly Machine[] {
  const byProcessor = new Map<string, NamedResult[]>();
  for (const named of results) {
    const processor = processorOf(named.result);
    byProcessor.set(processor, [...(byProcessor.get(processor) ?? []), named]);
  }
  return [...byProcessor.values()].map(machineOf);
}
