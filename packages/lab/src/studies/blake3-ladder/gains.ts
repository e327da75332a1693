/** What each step gains over the step before it, engine by engine. */
import { isUsual } from '../lanes.ts';
import type { Machine, MachineEngine } from '../machine.ts';
import { listedEngines, ratioText, rangeText } from '../numbers.ts';
import { bullets, listed, Said, say, table, type Value } from '../prose.ts';
import type { StudyData } from '../study.ts';
import { before } from './contests.ts';
import { GAINS } from './published.ts';

/** A gain beyond noise, and a loss beyond noise. */
const PAYS = 1.05;
const UNDONE = 0.95;

export interface Gain {
  readonly engine: MachineEngine;
  readonly value: number;
}

export const enginesOf = (machine: Machine, contest: string): readonly MachineEngine[] =>
  machine.engines(contest).filter(({ id }) => isUsual(id));

export const gainIn = (machine: Machine, contest: string, engine: string, step: string): number | undefined =>
  machine.faster(engine, contest, step, before(step));

export const gainsOf = (machine: Machine, contest: string, step: string): readonly Gain[] =>
  enginesOf(machine, contest).flatMap((engine) => {
    const value = gainIn(machine, contest, engine.id, step);
    return value === undefined ? [] : [{ engine, value }];
  });

export const pays = ({ value }: Gain): boolean => value >= PAYS;
export const isUndone = ({ value }: Gain): boolean => value <= UNDONE;

/** A step as text, which has its number in its name. */
export const stepText = (step: string): Said => new Said(`\`${step}\``);

/** Engines in rows, steps in columns, and in the first row what was published of long messages. */
export function gainTable(
  machine: Machine,
  contest: string,
  steps: readonly string[],
  published = true,
): string | undefined {
  const rows = enginesOf(machine, contest).map(({ id, name }): Value[] => [
    new Said(name),
    ...steps.map((step) => ratioText(gainIn(machine, contest, id, step))),
  ]);
  const old: Value[] = ['published', ...steps.map((step) => ratioText(GAINS[step]))];
  return table(['engine', ...steps.map((step) => new Said(step))], [...(published ? [old] : []), ...rows]);
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
export const verdicts = (data: StudyData, contest: string, steps: readonly string[]): string =>
  bullets(
    ...steps.map((step) => {
      const found = verdict(gainsOf(data, contest, step));
      const old = GAINS[step];
      return old === undefined
        ? say`${stepText(step)} ${found}.`
        : say`${stepText(step)} ${found}; published: ${ratioText(old)}.`;
    }),
  );
