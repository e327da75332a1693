/** Bars and figures of each length, and the curve of the steps in all engines. */
import { bars } from '../../charts/bars.ts';
import { lines } from '../../charts/lines.ts';
import type { Machine } from '../machine.ts';
import { megabytes } from '../numbers.ts';
import { heading, Said, table } from '../prose.ts';
import type { Shown } from '../shown.ts';
import type { StudyData } from '../study.ts';
import type { Picture } from '../../charts/picture.ts';
import { at, casesAt, LENGTHS, lengthText, STEPS, titleOf } from './contests.ts';
import { enginesOf } from './gains.ts';

/** One engine for each compiler: V8, SpiderMonkey, JavaScriptCore. The tables have all engines. */
const COMPILERS = ['node26', 'firefox', 'webkit'];
/** Engines whose curves can be told apart. */
const CURVES = ['chromium', 'firefox', 'webkit', 'node26', 'node20', 'bun', 'deno', 'workerd'];

export const numberOf = (step: string): number => Number.parseInt(step);

/** All steps in the engines that users have today, on one picture. */
export const climb = (machine: Machine, length: number): Picture | undefined =>
  lines({
    title: `BLAKE3 of ${lengthText(length).text}: each step in each engine`,
    description:
      'A curve for each engine: megabytes a second by the number of the step. Where a curve falls, the engine undoes the step.',
    x: { label: 'step', ticks: STEPS.map(numberOf) },
    y: { label: 'MB/s', logarithmic: true },
    dots: true,
    curves: enginesOf(machine, at(length))
      .filter(({ id }) => CURVES.includes(id))
      .map(({ id, name }) => ({
        name,
        points: STEPS.map((step) => ({ x: numberOf(step), y: machine.speed(id, at(length), step) })),
      })),
  });

export const barsOf = (machine: Machine, length: number): Picture | undefined => {
  const shown = enginesOf(machine, at(length)).filter(({ id }) => COMPILERS.includes(id));
  return bars({
    title: `BLAKE3 of ${lengthText(length).text}, and SHA-256`,
    description:
      'For each step, and for the libraries beside them, a dot for each of three engines: megabytes a second.',
    series: shown.map(({ name }) => name),
    axis: 'MB/s',
    logarithmic: true,
    groups: casesAt(length).map((id) => ({
      name: titleOf(id),
      values: shown.map((engine) => machine.speed(engine.id, at(length), id)),
    })),
  });
};

function figures(machine: Machine, length: number): string | undefined {
  const engines = enginesOf(machine, at(length));
  return table(
    ['MB/s', ...engines.map(({ name }) => new Said(name))],
    casesAt(length).map((id) => [
      new Said(titleOf(id)),
      ...engines.map((engine) => megabytes(machine.speed(engine.id, at(length), id))),
    ]),
  );
}

/** A picture and a table of each length but the first on the page. */
export const eachLength = (data: StudyData, shown: Shown, first: number): string[] =>
  LENGTHS.flatMap((length) => {
    const all = figures(data, length);
    return all === undefined
      ? []
      : [
          heading(lengthText(length), 3),
          length === first
            ? undefined
            : shown(
                String(length),
                `Speed of each step, the libraries and SHA-256 for ${lengthText(length).text}, in three engines`,
                barsOf(data, length),
              ),
          all,
        ];
  }).filter((part) => part !== undefined);
