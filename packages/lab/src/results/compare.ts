/**
 * Compares two results of one machine: which cases became slower or faster beyond the noise. The unit is the process,
 * and the measure is cycles by the yardstick, so that a change of the clock rate makes no difference.
 */
import { seeded } from '../client/random.ts';
import { processorName } from './processor.ts';
import { ResultError, type Host, type Result } from './schema.ts';
import { estimateRatio, middle, type Estimate } from './statistics.ts';
import { viewOf, type CaseView, type EngineView, type View } from './view.ts';

export interface CompareOptions {
  /** A case that is slower by more than this share is a regression. */
  readonly threshold?: number;
  /** Compares results even if they come from different machines. */
  readonly forced?: boolean;
}

export interface Change {
  readonly engine: string;
  readonly contest: string;
  readonly case: string;
  /** Cases of our own code; changes of rivals show whether the machine was the same. */
  readonly ours: boolean;
  /** Time after ÷ time before. */
  readonly ratio: Estimate;
  readonly verdict: 'regression' | 'slower' | 'faster';
}

export interface Comparison {
  /** The worst first. */
  readonly changes: readonly Change[];
  readonly regressions: readonly Change[];
  /** The number of cases that both results have. */
  readonly compared: number;
  /** Other differences: versions of engines and of rivals, modules. */
  readonly notes: readonly string[];
}

const THRESHOLD = 0.05;
/** The effect that the layout of code in memory can have; coarse clocks can have a greater one. */
const NOISE = 0.02;
const COARSE_NOISE = 0.03;
/** The level of intervals is high because cases are many: of thousands that did not change, few may seem to have. */
const LEVEL = 0.99;
const RESAMPLES = 2000;

/** Throws a ResultError with a message of one line if the results cannot be compared. */
export function compare(
  before: Result,
  after: Result,
  { threshold = THRESHOLD, forced = false }: CompareOptions = {},
): Comparison {
  const obstacle = incomparable(before, after);
  if (obstacle !== undefined && !forced) throw new ResultError(`the results cannot be compared: ${obstacle}`);
  const [old, recent] = [viewOf(before), viewOf(after)];
  const changes: Change[] = [];
  let compared = 0;
  for (const [one, other] of inBoth(old.engines, recent.engines)) {
    for (const { id, form } of recent.contests) {
      if (form === 'series') continue;
      const earlier = new Map(old.cases(one, id).map((each) => [each.description.id, each]));
      for (const later of recent.cases(other, id)) {
        const counterpart = earlier.get(later.description.id);
        if (!counterpart) continue;
        compared++;
        const noise = one.coarse || other.coarse ? COARSE_NOISE : NOISE;
        const change = changeOf(counterpart, later, noise, Math.max(threshold, noise));
        if (change) changes.push({ engine: other.key, contest: id, case: later.description.id, ...change });
      }
    }
  }
  if (compared === 0) throw new ResultError('the results cannot be compared: they have no case in common');
  changes.sort((a, b) => b.ratio.value - a.ratio.value);
  return {
    changes,
    regressions: changes.filter(({ verdict }) => verdict === 'regression'),
    compared,
    notes: [
      ...(obstacle === undefined ? [] : [`Forced: ${obstacle}.`]),
      ...differences(old, recent),
      ...verdictOnRivals(changes),
    ],
  };
}

function changeOf(
  before: CaseView,
  after: CaseView,
  noise: number,
  threshold: number,
): Pick<Change, 'ours' | 'ratio' | 'verdict'> | undefined {
  const [x, y] =
    before.cycles && after.cycles ? [before.cycles, after.cycles] : [before.nanoseconds, after.nanoseconds];
  const rough = middle(y) / middle(x);
  // The interval would reach into the noise, so its exact limits do not matter.
  if (!Number.isFinite(rough) || Math.abs(rough - 1) <= noise) return undefined;
  const ratio = estimateRatio(y, x, seeded(1), { level: LEVEL, resamples: RESAMPLES });
  const ours = after.description.contestant === 'lanewise';
  if (ratio.high < 1 - noise) return { ours, ratio, verdict: 'faster' };
  if (ratio.low <= 1 + noise) return undefined;
  return { ours, ratio, verdict: ours && ratio.value > 1 + threshold ? 'regression' : 'slower' };
}

/** The facts by which machines differ. */
const TELLING = ['cpu', 'architecture', 'platform', 'vcpus'] as const satisfies readonly (keyof Host)[];

function incomparable(before: Result, after: Result): string | undefined {
  for (const name of TELLING) {
    const [x, y] = [before.host[name], after.host[name]];
    if (x !== y) return `they come from different machines (${name}: ${x} and ${y})`;
  }
  if (before.host.processor && after.host.processor) {
    const [x, y] = [before, after].map(({ host }) => processorName(host));
    if (x !== y) return `they come from different machines (${x} and ${y})`;
  }
  const [x, y] = [before.host.flags.join(' '), after.host.flags.join(' ')];
  if (x !== y) return 'they come from different machines (the instruction sets differ)';
  return undefined;
}

function inBoth(before: readonly EngineView[], after: readonly EngineView[]): [EngineView, EngineView][] {
  return after.flatMap((later): [EngineView, EngineView][] => {
    const earlier = before.find(({ key }) => key === later.key);
    return earlier && earlier.sessions.length > 0 && later.sessions.length > 0 ? [[earlier, later]] : [];
  });
}

function differences(before: View, after: View): string[] {
  const engines = inBoth(before.engines, after.engines).flatMap(([one, other]) => {
    const [x, y] = [one.record.version, other.record.version];
    return x === y ? [] : [`${other.record.name}: version ${x}, then ${y}.`];
  });
  const only = (one: View, other: View, which: string): string[] =>
    one.engines
      .filter(({ key }) => !other.engines.some((each) => each.key === key))
      .map(({ name }) => `${name} is in the ${which} result only.`);
  const modules = changed(modulesOf(before), modulesOf(after));
  const packages = changed(packagesOf(before), packagesOf(after));
  return [
    ...(before.result.kind === after.result.kind
      ? []
      : [`One run was ${before.result.kind}, the other ${after.result.kind}.`]),
    ...(before.result.schema === after.result.schema
      ? []
      : ['Only one of the results tells quiet rounds from busy ones: all rounds of the other count.']),
    ...(before.result.host.kernel === after.result.host.kernel ? [] : ['The kernels of the operating system differ.']),
    ...engines,
    ...only(before, after, 'first'),
    ...only(after, before, 'second'),
    ...(modules.length === 0 ? [] : [`Modules that changed: ${modules.join(', ')}.`]),
    ...(packages.length === 0 ? [] : [`Packages that changed: ${packages.join(', ')}.`]),
  ];
}

type Named = ReadonlyMap<string, string>;

const changed = (before: Named, after: Named): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name)).sort();

const modulesOf = ({ result }: View): Named =>
  new Map(
    result.sessions.flatMap(({ hello }) => hello?.modules.map(({ name, sha256 }) => [name, sha256] as const) ?? []),
  );

/** Versions of contestants, as far as they are the same in every engine. */
const packagesOf = ({ result }: View): Named =>
  new Map(
    result.cases.flatMap(({ contestant, standing, version }) =>
      version !== undefined && (standing === 'ours' || standing === 'rival') ? [[contestant, version]] : [],
    ),
  );

/** Code of rivals did not change: a change of their times is one of the machine. */
function verdictOnRivals(changes: readonly Change[]): string[] {
  const others = changes.filter(({ ours }) => !ours).length;
  return others === 0 || others < changes.length - others
    ? []
    : ['As many cases of others changed as of ours: the machine or the engines may have changed.'];
}
