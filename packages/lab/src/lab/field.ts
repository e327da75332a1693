/** Which engines take part, and in which contests. */
import { catalogue, contests as allContests } from '../client/catalogue.ts';
import type { Axis, Kind, Place } from '../client/messages.ts';
import type { Engine } from '../engines/engine.ts';
import { UsageError } from '../terminal.ts';

/** `node22` is one of `node`. */
const familyOf = (id: string): string => id.replace(/\d+$/, '');

/** By what was typed. Throws a UsageError if one is unknown. */
export function chosenEngines(all: readonly Engine[], wanted: readonly string[] | undefined): readonly Engine[] {
  if (!wanted) return all;
  for (const name of wanted) {
    if (all.some(({ id }) => id === name || familyOf(id) === name)) continue;
    throw new UsageError(`there is no engine "${name}"; there are ${all.map(({ id }) => id).join(', ')}`);
  }
  return all.filter(({ id }) => wanted.includes(id) || wanted.includes(familyOf(id)));
}

/** Throws a UsageError if there is none, whatever the engine. */
export function checkOnly(only: string, kind: Kind): void {
  if (allContests.some(({ id, kinds }) => id.includes(only) && kinds.includes(kind))) return;
  const elsewhere = allContests.some(({ id }) => id.includes(only));
  throw new UsageError(`--only "${only}" fits no contest` + (elsewhere ? ` of those that are ${kind}` : ''));
}

/** Where the client finds itself in an engine. */
export function placeOf({ id }: Engine): Place {
  const family = familyOf(id);
  return family === 'node' || family === 'bun' || family === 'deno' || family === 'workerd' ? family : 'page';
}

/** What older releases of an engine are measured for: how they compare. The shapes of curves are those of the newest. */
const COMPARED: readonly Axis[] = ['cold', 'platforms', 'kernels'];

/** The ids of an engine's contests. What was asked for by name takes place everywhere. */
export function contestsOf(engine: Engine, all: readonly Engine[], kind: Kind, only: string): readonly string[] {
  const age = Number(/\d+$/.exec(engine.id)?.[0] ?? 0);
  const newer = all.some(({ id }) => familyOf(id) === familyOf(engine.id) && Number(/\d+$/.exec(id)?.[0]) > age);
  return catalogue(kind, placeOf(engine))
    .filter(
      ({ id, axis }) => id.includes(only) && (only !== '' || kind !== 'default' || !newer || COMPARED.includes(axis)),
    )
    .map(({ id }) => id);
}
