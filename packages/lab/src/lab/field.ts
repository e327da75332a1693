/** The engines that take part, and the contests of each. */
import { catalogue, contests as allContests, studyCatalogue } from '../client/catalogue.ts';
import type { Axis, Kind, Place } from '../client/messages.ts';
import type { Engine } from '../engines/engine.ts';
import { UsageError } from '../terminal.ts';

/** The family of an engine: `node22` belongs to `node`. */
const familyOf = (id: string): string => id.replace(/\d+$/, '');

/** The engines that the arguments name. Throws a UsageError if one is unknown. */
export function chosenEngines(all: readonly Engine[], wanted: readonly string[] | undefined): readonly Engine[] {
  if (!wanted) return all;
  for (const name of wanted) {
    if (all.some(({ id }) => id === name || familyOf(id) === name)) continue;
    throw new UsageError(`there is no engine "${name}"; there are ${all.map(({ id }) => id).join(', ')}`);
  }
  return all.filter(({ id }) => wanted.includes(id) || wanted.includes(familyOf(id)));
}

/** The beginning of the ids of contests that take place only where they are asked for. */
const STUDIES = 'studies/';

/** Throws a UsageError if no contest has the text in its id, whatever the engine. */
export function checkOnly(only: string, kind: Kind): void {
  const study = only.startsWith(STUDIES);
  if (allContests.some(({ id, kinds }) => id.includes(only) && (study || kinds.includes(kind)))) return;
  const elsewhere = allContests.some(({ id }) => id.includes(only));
  throw new UsageError(`--only "${only}" fits no contest` + (elsewhere ? ` of those that are ${kind}` : ''));
}

/** The kind of host that the client has in an engine. */
export function placeOf({ id }: Pick<Engine, 'id'>): Place {
  const family = familyOf(id);
  return family === 'node' || family === 'bun' || family === 'deno' || family === 'workerd' ? family : 'page';
}

/**
 * The axes of older releases of an engine, which are there to be compared; the shapes of curves are measured in the
 * newest release.
 */
const COMPARED: readonly Axis[] = ['cold', 'platforms', 'kernels'];

/** Whether an engine is an older release of another. */
function isOlder({ id }: Pick<Engine, 'id'>, all: readonly Engine[]): boolean {
  const age = Number(/\d+$/.exec(id)?.[0] ?? 0);
  return all.some((other) => familyOf(other.id) === familyOf(id) && Number(/\d+$/.exec(other.id)?.[0]) > age);
}

/** The newest engines that have workers. */
export const poolEngines = (all: readonly Engine[]): readonly Engine[] =>
  all.filter((engine) => !isOlder(engine, all) && placeOf(engine) !== 'workerd');

/** Contests of the studies that an engine has: all of them in the newest releases. */
export const takesPart = (engine: Pick<Engine, 'id'>, all: readonly Engine[], axis: Axis): boolean =>
  axis === 'studies' || !isOlder(engine, all) || COMPARED.includes(axis);

/** The ids of an engine's contests. Contests that are asked for by name take place in every release. */
export function contestsOf(engine: Engine, all: readonly Engine[], kind: Kind, only: string): readonly string[] {
  const place = placeOf(engine);
  if (only.startsWith(STUDIES)) {
    return studyCatalogue(place)
      .filter(({ id }) => id.includes(only))
      .map(({ id }) => id);
  }
  const newer = isOlder(engine, all);
  return catalogue(kind, place)
    .filter(
      ({ id, axis }) => id.includes(only) && (only !== '' || kind !== 'default' || !newer || COMPARED.includes(axis)),
    )
    .map(({ id }) => id);
}
