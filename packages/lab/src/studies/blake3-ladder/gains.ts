/** The gain of each step over the step before it, engine by engine. */
import { isUsual } from '../newest.ts';
import type { Machine, MachineEngine } from '../machine.ts';
import { median } from '../../results/medians.ts';
import { listedEngines, ratioText, rangeText } from '../numbers.ts';
import { bullets, listed, Said, say, table, type Value } from '../prose.ts';
import type { StudyData } from '../study.ts';
import { at, before, LONG_LENGTHS } from './contests.ts';
import { GAINS } from './published.ts';

/** A gain beyond noise, and a loss beyond noise. */
const PAYS = 1.05;
const UNDONE = 0.95;

export interface Gain {
  readonly engine: MachineEngine;
  /** The median over the lengths. */
  readonly value: number;
  readonly least: number;
  readonly most: number;
}

export const enginesOf = (machine: Machine, ...contests: readonly string[]): readonly MachineEngine[] =>
  machine.engines(...contests).filter(({ id }) => isUsual(id));

export const gainIn = (machine: Machine, contest: string, engine: string, step: string): number | undefined =>
  machine.faster(engine, contest, step, before(step));

/**
 * The gain of a step in each engine, over some lengths. One length would not do: an engine may not have taken the best code for
 * a form before its measuring ends.
 */
export const gainsOf = (machine: Machine, contests: readonly string[], step: string): readonly Gain[] =>
  enginesOf(machine, ...contests).flatMap((engine) => {
    const values = contests.flatMap((contest) => gainIn(machine, contest, engine.id, step) ?? []);
    return values.length === 0
      ? []
      : [{ engine, value: median(values), least: Math.min(...values), most: Math.max(...values) }];
  });

/** How many times as fast a form is as another: the median over the long lengths. */
export function overLong(data: StudyData, engine: string, id: string, than: string): number | undefined {
  const values = LONG_LENGTHS.flatMap((length) => data.faster(engine, at(length), id, than) ?? []);
  return values.length === 0 ? undefined : median(values);
}

export const pays = ({ value }: Gain): boolean => value >= PAYS;
export const isUndone = ({ value }: Gain): boolean => value <= UNDONE;

/** A step as text, which has its number in its name. */
export const stepText = (step: string): Said => new Said(`\`${step}\``);

const MANY_STEPS = 5;

/** Engines in rows, steps in columns, and in the first row the published gains of long messages. */
export function gainTable(
  machine: Machine,
  contests: readonly string[],
  steps: readonly string[],
  published = true,
): string | undefined {
  const gains = steps.map((step) => gainsOf(machine, contests, step));
  const rows = enginesOf(machine, ...contests).map(({ id, name }): Value[] => [
    new Said(name),
    ...gains.map((all) => ratioText(all.find(({ engine }) => engine.id === id)?.value)),
  ]);
  const old: Value[] = ['published', ...steps.map((step) => ratioText(GAINS[step]))];
  // Where there are many, their numbers have to do: the page has a list of them.
  const many = steps.length > MANY_STEPS;
  return table(
    [many ? 'engine, step' : 'engine', ...steps.map((step) => new Said(many ? step.split(' ')[0] : step))],
    [...(published ? [old] : []), ...rows],
  );
}

/** Gains of two lengths that differ by more than this are not those of the step alone. */
const UNSTEADY = 1.5;

/** Where the lengths do not agree, and how far. */
export function unsteady(data: StudyData, contests: readonly string[], steps: readonly string[]): Said | undefined {
  const found = steps.map((step) => ({
    step,
    gains: gainsOf(data, contests, step).filter(({ least, most }) => most > UNSTEADY * least),
  }));
  return listed(
    found
      .filter(({ gains }) => gains.length > 0)
      .map(
        ({ step, gains }) =>
          say`${stepText(step)} in ${listed(gains.map(({ engine, least, most }) => say`${new Said(engine.name)} (${rangeText([least, most])})`))}`,
      ),
  );
}

const values = (gains: readonly Gain[]): Said | undefined => rangeText(gains.map(({ value }) => value));

/** A group of at least so many engines is called all others, if there is another. */
const MANY = 3;

/** `pays in every engine, 1.5 to 2.9 times`; or by which engines it is undone, where it makes no difference, and where it pays. */
export function verdict(gains: readonly Gain[]): Said | undefined {
  const groups = [
    { verb: 'is undone by', of: gains.filter(isUndone) },
    { verb: 'makes no difference in', of: gains.filter((gain) => !pays(gain) && !isUndone(gain)) },
    { verb: 'pays in', of: gains.filter(pays) },
  ].filter(({ of }) => of.length > 0);
  const largest = Math.max(...groups.map(({ of }) => of.length));
  const others = groups.length > 1 && largest >= MANY ? groups.find(({ of }) => of.length === largest) : undefined;
  const parts = [...groups.filter((group) => group !== others), ...(others ? [others] : [])];
  return listed(
    parts.map((group) => {
      const engines =
        groups.length === 1
          ? 'every engine'
          : group === others
            ? 'all others'
            : listedEngines(group.of.map(({ engine }) => engine));
      return say`${group.verb} ${engines} (${values(group.of)} times)`;
    }),
  );
}

/** A sentence for each step. */
export const verdicts = (data: StudyData, contests: readonly string[], steps: readonly string[]): string =>
  bullets(
    ...steps.map((step) => {
      const found = verdict(gainsOf(data, contests, step));
      const old = GAINS[step];
      return old === undefined
        ? say`${stepText(step)} ${found}.`
        : say`${stepText(step)} ${found}; published: ${ratioText(old)}.`;
    }),
  );
