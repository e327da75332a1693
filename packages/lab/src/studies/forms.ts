/** Tables and bars whose rows are engines. */
import { bars, type Bars } from '../charts/bars.ts';
import type { Picture } from '../charts/picture.ts';
import type { MachineEngine } from './machine.ts';
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
