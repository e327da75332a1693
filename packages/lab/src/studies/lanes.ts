/** Shared by the pages on four blocks in four lanes: scalar code and vectors, side by side in each engine. */
import { bars } from '../charts/bars.ts';
import { lines, shortBytes } from '../charts/lines.ts';
import { processorBars, twoDigits } from './forms.ts';
import type { Machine, MachineEngine } from './machine.ts';
import { bytesText, countText, listedEngines, megabytes, rangeText, ratioText, speedText } from './numbers.ts';
import { Said, say, table, type Value } from './prose.ts';
import { figureText, type SpeedUp, type SpeedUps } from './published.ts';
import { isUsual, newest } from './newest.ts';
import type { StudyData } from './study.ts';
import type { Picture } from '../charts/picture.ts';

export const SIMD = 'lanewise simd';
export const SCALAR = 'lanewise scalar';

const OURS: Readonly<Record<string, string>> = {
  [SIMD]: 'Lanewise',
  [SCALAR]: 'Lanewise without vectors',
  'lanewise js': 'Lanewise in JavaScript',
};
/** A case as readers know it: ids of the library's cases name its engine. */
export const titleOf = (id: string): string =>
  id.replace(/^lanewise (?:simd|scalar|js)(?=,|$)/, (engine) => OURS[engine]);

/** How many times as fast as scalar code the vectors are. */
export const speedUp = (machine: Machine, engine: string, contest: string): number | undefined =>
  machine.faster(engine, contest, SIMD, SCALAR);

/** Speed-ups of all engines that users have, in a contest. */
export const speedUps = (
  machine: Machine,
  contest: string,
  of: (id: string) => boolean = isUsual,
): (number | undefined)[] =>
  machine
    .engines(contest)
    .filter(({ id }) => of(id))
    .map(({ id }) => speedUp(machine, id, contest));

/** Engine, scalar, SIMD, speed-up; beside the published one, where there are figures of the same chunk. */
function speedTable(
  machine: Machine,
  contest: string,
  published?: Readonly<Record<string, SpeedUp>>,
): string | undefined {
  const engines = machine.engines(contest).filter(({ id }) => isUsual(id));
  const head = ['engine', 'scalar, MB/s', 'SIMD, MB/s', 'speed-up'];
  const own = ({ id, name }: MachineEngine): Value[] => [
    new Said(name),
    megabytes(machine.speed(id, contest, SCALAR)),
    megabytes(machine.speed(id, contest, SIMD)),
    ratioText(speedUp(machine, id, contest)),
  ];
  const old = (id: string): Value[] => {
    const figures = published?.[id];
    return [figureText(figures?.scalar), figureText(figures?.simd), ratioText(figures?.times)];
  };
  return published
    ? table(
        [...head, 'then: scalar', 'then: SIMD', 'then: speed-up'],
        engines.map((engine) => [...own(engine), ...old(engine.id)]),
      )
    : table(head, engines.map(own));
}

/** Where there are no vectors: engines that compile no WebAssembly at run time. */
function withoutVectors(machine: Machine, contest: string): Said | undefined {
  const engines = machine.engines(contest).filter(({ id }) => machine.speed(id, contest, SIMD) === undefined);
  const speeds = engines.map(({ id }) => machine.speed(id, contest, 'lanewise js'));
  return say`${listedEngines(engines)}, which compiles no WebAssembly at run time, has neither: the library is plain JavaScript there, at ${rangeText(speeds, speedText)}.`;
}

/** Megabytes a second of both, in each engine. */
export const speedBars = (machine: Machine, contest: string, title: string): Picture | undefined =>
  bars({
    title,
    description: `For each engine a bar for scalar code and one for vectors of four lanes. ${spoken(machine, contest)}`,
    series: ['scalar', 'SIMD, four blocks in four lanes'],
    axis: 'MB/s',
    groups: machine
      .engines(contest)
      .filter(({ id }) => isUsual(id))
      .map(({ id, name }) => ({
        name,
        values: [SCALAR, SIMD].map((form) => machine.speed(id, contest, form)),
      })),
  });

const spoken = (machine: Machine, contest: string): string =>
  machine
    .engines(contest)
    .filter(({ id }) => isUsual(id))
    .flatMap(({ id, name }) => {
      const times = ratioText(speedUp(machine, id, contest));
      return times === undefined ? [] : [`${name}: vectors are ${times.text} times as fast.`];
    })
    .join(' ');

/** The speed-up in each engine, a bar for each processor. */
export const speedUpByProcessor = (data: StudyData, contest: string, title: string): Picture | undefined =>
  processorBars(
    data,
    contest,
    {
      title,
      description: 'For each engine a bar for each processor: how many times as fast as scalar code the vectors are.',
      axis: 'times as fast as scalar code',
      mark: 1,
      format: twoDigits,
    },
    (machine, id) => speedUp(machine, id, contest),
  );

interface ByLength {
  readonly engine: MachineEngine;
  /** Rising. */
  readonly points: readonly { readonly x: number; readonly y: number | undefined }[];
}

/** Speed-ups by length, from contests `studies/lanes/<operation>/<length>`. */
export function byLength(machine: Machine, operation: string): readonly ByLength[] {
  const beginning = `studies/lanes/${operation}/`;
  const lengths = machine
    .contests(beginning)
    .map((id) => Number(id.slice(beginning.length)))
    .sort((a, b) => a - b);
  if (lengths.length === 0) return [];
  return machine.engines(...lengths.map((length) => `${beginning}${length}`)).map((engine) => ({
    engine,
    points: lengths.map((x) => ({ x, y: speedUp(machine, engine.id, `${beginning}${x}`) })),
  }));
}

/** A speed-up from which on lanes pay, beyond the noise of single lengths. */
const PAYS = 1.05;

/** The least length from which on vectors are faster at every length that was measured; undefined if they never are. */
export function leastLength({ points }: ByLength): number | undefined {
  const measured = points.filter(({ y }) => y !== undefined);
  const last = measured.findLastIndex(({ y }) => y! < PAYS);
  return measured[last + 1]?.x;
}

/** The speed-up by length, a curve for each of the newest engines. */
export const lengthLines = (machine: Machine, operation: string, title: string): Picture | undefined => {
  const curves = byLength(machine, operation);
  const shown = newest(curves.map(({ engine }) => engine));
  return lines({
    title,
    description:
      'A curve for each engine: how many times as fast as scalar code vectors are, by the length of the message.',
    x: { label: 'bytes', logarithmic: true, format: shortBytes },
    y: { label: 'times as fast as scalar code', logarithmic: true },
    mark: 1,
    curves: curves
      .filter(({ engine }) => shown.includes(engine))
      .map(({ engine: { name }, points }) => ({ name, points: points.filter(({ x }) => x >= 16) })),
  });
};

/** The meaning of "pays" in the text: `5 %`. */
const PAYING: Said = new Said(`${(100 * (PAYS - 1)).toFixed(0)} %`);

/** From which length on lanes pay, in each engine. */
export const lengthTable = (machine: Machine, operation: string, lengths: readonly number[]): string | undefined =>
  table(
    [
      'engine',
      'lanes pay from',
      ...lengths.map((length) => new Said(`${shortBytes(length)} B`.replace(/([KM]) B$/, ' $1iB'))),
    ],
    byLength(machine, operation).map((curve) => [
      new Said(curve.engine.name),
      bytesText(leastLength(curve)),
      ...lengths.map((length) => ratioText(curve.points.find(({ x }) => x === length)?.y)),
    ]),
  );

/** Engines by the length from which on lanes pay in them: `from 64 bytes in Node 26 and Chromium`. */
function leastLengthsText(machine: Machine, operation: string): Said | undefined {
  const groups = new Map<number | undefined, MachineEngine[]>();
  for (const curve of byLength(machine, operation)) {
    const least = leastLength(curve);
    groups.set(least, [...(groups.get(least) ?? []), curve.engine]);
  }
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
  paying: PAYING,
  'without-vectors': withoutVectors(machine, contest),
  ...Object.fromEntries(
    Object.entries(lengths).map(([name, operation]) => [name, leastLengthsText(machine, operation)]),
  ),
});

/** A heading and a table of speeds for each length of a contest, beside the published ones. */
export function speedTables(
  machine: Machine,
  lengths: readonly number[],
  contestOf: (length: number) => string,
  title: string,
  published: SpeedUps = {},
): string | undefined {
  const tables = lengths.flatMap((length) => {
    const found = speedTable(machine, contestOf(length), published[length]);
    return found === undefined ? [] : [`### ${title} of ${countText(length)!.text} bytes`, found];
  });
  return tables.length === 0 ? undefined : tables.join('\n\n');
}
