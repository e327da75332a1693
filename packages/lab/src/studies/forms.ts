/** Tables and bars whose rows are engines. */
import { bars, type Bars } from '../charts/bars.ts';
import type { Picture } from '../charts/picture.ts';
import { isUsual } from './newest.ts';
import { shortProcessor, type Machine, type MachineEngine } from './machine.ts';
import type { StudyData } from './study.ts';
import { Said, table, type Value } from './prose.ts';

type Figure = number | undefined;

/** A row for each engine, with its name; heads are names of cases and lengths, or text without digits. */
export const engineTable = (
  engines: readonly MachineEngine[],
  head: readonly (Said | string)[],
  cells: (id: string) => readonly Value[],
): string | undefined =>
  table(
    head,
    engines.map(({ id, name }) => [new Said(name), ...cells(id)]),
  );

/** A group of bars for each engine. */
export const engineBars = (
  engines: readonly MachineEngine[],
  head: Omit<Bars, 'groups'>,
  values: (id: string) => readonly Figure[],
): Picture | undefined => bars({ ...head, groups: engines.map(({ id, name }) => ({ name, values: values(id) })) });

export const twoDigits = (value: number): string => value.toFixed(2);
/** Cycles a byte, as an axis has them. */
export const CYCLES = { axis: 'cycles a byte, fewer are faster', format: twoDigits } as const;

/** The machines that have measured a contest, and all engines that they have measured it in. */
export function measuredBy(data: StudyData, contest: string) {
  const machines = [data, ...data.others].filter((machine) => machine.engines(contest).length > 0);
  const engines = new Map(machines.flatMap((machine) => machine.engines(contest)).map((engine) => [engine.id, engine]));
  return { machines, engines: [...engines.values()].filter(({ id }) => isUsual(id)) };
}

/** A group of bars for each engine, one for each processor; undefined unless there are several. */
export function processorBars(
  data: StudyData,
  contest: string,
  head: Omit<Bars, 'groups' | 'series'>,
  value: (machine: Machine, engine: string) => Figure,
): Picture | undefined {
  const { machines, engines } = measuredBy(data, contest);
  if (machines.length < 2) return undefined;
  // Versions differ from one processor to the next; of Node several releases were measured.
  const named = engines.map(({ id, name }) => ({
    id,
    name: name.replace(/ [\d.]+$/, (version) => (id.startsWith('node') ? version.split('.')[0] : '')),
  }));
  const series = machines.map(({ processor }) => shortProcessor(processor));
  return engineBars(named, { ...head, series }, (id) => machines.map((machine) => value(machine, id)));
}
