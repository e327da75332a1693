/** Tables whose rows are engines, and the engines of all machines. */
import { isUsual } from './newest.ts';
import type { Machine, MachineEngine } from './machine.ts';
import { Said, table, type Value } from './prose.ts';

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

/** Cycles a byte, as an axis has them. */
export const CYCLES = {
  axis: 'cycles a byte, fewer are faster',
  format: (value: number): string => value.toFixed(2),
} as const;

/** All engines that machines have measured a contest in, of those that users have. */
export function measuredBy(machines: readonly Machine[], contest: string): readonly MachineEngine[] {
  const engines = new Map(machines.flatMap((machine) => machine.engines(contest)).map((engine) => [engine.id, engine]));
  return [...engines.values()].filter(({ id }) => isUsual(id));
}
