/** Shared by the pages on four blocks in four lanes: scalar code and vectors, side by side in each engine. */
import type { Machine, MachineEngine } from './machine.ts';
import { bytesText, listedEngines, rangeText, ratioText, speedText } from './numbers.ts';
import { Said, say } from './prose.ts';
import { isUsual } from './newest.ts';

export const SIMD = 'lanewise simd';
export const SCALAR = 'lanewise scalar';

const OURS: Readonly<Record<string, string>> = {
  [SIMD]: 'Lanewise',
  [SCALAR]: 'Lanewise without vectors',
  'lanewise js': 'Lanewise in JavaScript',
  'lanewise native': 'Lanewise in C',
};
/** A case as readers know it: ids of the library's cases name its engine. */
export const titleOf = (id: string): string =>
  id.replace(/^lanewise (?:simd|scalar|js|native)(?=,|$)/, (engine) => OURS[engine]);

/** How many times as fast as scalar code the vectors are. */
export const speedUp = (machine: Machine, engine: string, contest: string): number | undefined =>
  machine.faster(engine, contest, SIMD, SCALAR);

/** Where there are no vectors: engines that compile no WebAssembly at run time. */
function withoutVectors(machine: Machine, contest: string): Said | undefined {
  const engines = machine.engines(contest).filter(({ id }) => machine.speed(id, contest, SIMD) === undefined);
  const speeds = engines.map(({ id }) => machine.speed(id, contest, 'lanewise js'));
  return say`${listedEngines(engines)}, which compiles no WebAssembly at run time, has neither: the library is plain JavaScript there, at ${rangeText(speeds, speedText)}.`;
}

/** The speed-ups of a picture, for readers of screens. */
const spoken = (machine: Machine, contest: string): string =>
  machine
    .engines(contest)
    .filter(({ id }) => isUsual(id))
    .flatMap(({ id, name }) => {
      const times = ratioText(speedUp(machine, id, contest));
      return times === undefined ? [] : [`${name}: vectors are ${times.text} times as fast.`];
    })
    .join(' ');

/** A speed-up from which on lanes pay, beyond the noise of single lengths. */
const PAYS = 1.05;

/**
 * In each engine the least length from which on vectors are faster at every length that was measured, from contests
 * `studies/lanes/<operation>/<length>`; undefined if they never are.
 */
function leastLengths(machine: Machine, operation: string) {
  const beginning = `studies/lanes/${operation}/`;
  const lengths = machine
    .contests(beginning)
    .map((id) => Number(id.slice(beginning.length)))
    .sort((a, b) => a - b);
  if (lengths.length === 0) return [];
  return machine.engines(...lengths.map((length) => `${beginning}${length}`)).map((engine) => {
    const measured = lengths.filter((length) => speedUp(machine, engine.id, `${beginning}${length}`) !== undefined);
    const last = measured.findLastIndex((length) => speedUp(machine, engine.id, `${beginning}${length}`)! < PAYS);
    return { engine, least: measured.at(last + 1) };
  });
}

/** Engines by the length from which on lanes pay in them: `from 64 bytes in Node 26 and Chromium`. */
function leastLengthsText(machine: Machine, operation: string): Said | undefined {
  const groups = new Map<number | undefined, MachineEngine[]>();
  for (const { engine, least } of leastLengths(machine, operation))
    groups.set(least, [...(groups.get(least) ?? []), engine]);
  const parts = [...groups]
    .sort(([a], [b]) => (a ?? Infinity) - (b ?? Infinity))
    .map(([least, engines]) =>
      least === undefined
        ? say`at no length in ${listedEngines(engines)}`
        : say`from ${bytesText(least)} in ${listedEngines(engines)}`,
    );
  return parts.length === 0 ? undefined : new Said(parts.map((part) => part!.text).join('; '));
}

/** The figures that pages on lanes share; `lengths` has operations by the names of their least lengths. */
export const laneFigures = (machine: Machine, contest: string, lengths: Readonly<Record<string, string>>) => ({
  spoken: new Said(spoken(machine, contest)),
  // The meaning of "pays" in the text: `5 %`.
  paying: new Said(`${(100 * (PAYS - 1)).toFixed(0)} %`),
  'without-vectors': withoutVectors(machine, contest),
  ...Object.fromEntries(
    Object.entries(lengths).map(([name, operation]) => [name, leastLengthsText(machine, operation)]),
  ),
});

/** The column of the lengths from which on lanes pay. */
export const laneColumns = (machine: Machine, operation: string) => ({
  'pays from': (id: string) =>
    bytesText(leastLengths(machine, operation).find(({ engine }) => engine.id === id)?.least),
});
