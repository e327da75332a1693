/** What the page means for somebody who writes such code. */
import { median } from '../../results/medians.ts';
import { listedEngines, rangeText, ratioText, timesText } from '../numbers.ts';
import { bullets, heading, listed, Said, say } from '../prose.ts';
import type { StudyData } from '../study.ts';
import { isV8 } from './beside.ts';
import { at, LANES, LAST, LONG_LENGTHS, lengthText, LIBRARY, NAIVE, PLATFORM, PUBLISHED, VIEWS } from './contests.ts';
import { enginesOf, gainsOf, isUndone, pays, stepText, type Gain } from './gains.ts';

const LONG = 2 ** 16;
const SHORT = 96;
const middleOf = (gains: readonly Gain[]): number => median(gains.map(({ value }) => value));

export interface Ranked {
  readonly step: string;
  readonly gains: readonly Gain[];
}

/** The steps of the case study with their gains, those that were measured. */
export const rankedSteps = (data: StudyData, contests: readonly string[]): readonly Ranked[] =>
  PUBLISHED.slice(1)
    .map((step) => ({ step, gains: gainsOf(data, contests, step) }))
    .filter(({ gains }) => gains.length > 0);

const steps = (all: readonly Ranked[]): Said | undefined => listed(all.map(({ step }) => stepText(step)));
const many = (all: readonly Ranked[], one: string, more: string): string => (all.length === 1 ? one : more);

/** Which steps still pay, and which are undone, in a few sentences. */
export function summary(data: StudyData): (Said | undefined)[] {
  const all = rankedSteps(data, LONG_LENGTHS.map(at));
  const everywhere = all.filter(({ gains }) => gains.every(pays));
  const undone = all.filter(({ gains }) => gains.some(isUndone));
  const nowhere = all.filter(({ gains }) => !gains.some(pays));
  const undoing = new Map(
    undone.flatMap(({ gains }) => gains.filter(isUndone).map(({ engine }) => [engine.id, engine])),
  );
  return [
    everywhere.length === all.length
      ? say`Every step of the case study still pays in every engine.`
      : say`${steps(everywhere)} still ${many(everywhere, 'pays', 'pay')} in every engine.`,
    say`${steps(nowhere)} ${many(nowhere, 'pays', 'pay')} in none.`,
    undone.length === 0
      ? say`No engine undoes a step.`
      : say`${steps(undone)} ${many(undone, 'is', 'are')} undone somewhere: ${listedEngines([...undoing.values()])} ${undoing.size === 1 ? 'is' : 'are'} slower with one of them than without.`,
  ];
}

export function meaning(data: StudyData): (string | undefined)[] {
  const contest = at(LONG);
  const all = rankedSteps(data, LONG_LENGTHS.map(at));
  if (all.length === 0) return [];
  const best = all.reduce((a, b) => (middleOf(b.gains) > middleOf(a.gains) ? b : a));
  const undone = all.filter(({ gains }) => gains.some(isUndone));
  const over = (of: string, id: string, than: string): (number | undefined)[] =>
    enginesOf(data, of).map((engine) => data.faster(engine.id, of, id, than));
  const lanes = all.find(({ step }) => step === LANES);
  const losing = lanes?.gains.filter(isUndone) ?? [];
  const platform = enginesOf(data, contest).flatMap(({ id }) => {
    const values = PLATFORM.flatMap((name) => data.faster(id, contest, LIBRARY, name) ?? []);
    return values.length > 0 ? [Math.min(...values)] : [];
  });
  const undoing = undone.flatMap(({ gains }) => gains.filter(isUndone).map(({ engine }) => engine.id));
  return [
    heading('For authors of such code'),
    bullets(
      say`Plain JavaScript at ${stepText(VIEWS)} is ${rangeText(over(contest, VIEWS, NAIVE), timesText)} as fast as the naive port, and every step on the way is a small change of one file.`,
      say`Begin with ${stepText(best.step)}: its gain, ${ratioText(middleOf(best.gains))} as the median over the engines, is the largest of all steps.`,
      undone.length > 0
        ? say`Measure each step in every engine, not in one: ${steps(undone)} ${many(undone, 'costs', 'cost')} speed in at least one of them${new Said(undoing.some(isV8) ? '' : ', and none of that shows in V8')}.`
        : say`The steps can be taken without fear: none costs speed in any of these engines.`,
      losing.length > 0
        ? say`Vectors whose words JavaScript transposes are no gain everywhere: ${listedEngines(losing.map(({ engine }) => engine))} ${losing.length === 1 ? 'is' : 'are'} slower with ${stepText(LANES)}. Let the module do the transposing; ${stepText(LAST)} is ${rangeText(over(contest, LAST, VIEWS), timesText)} as fast as the best JavaScript.`
        : say`Vectors pay everywhere, and most where the module transposes the words itself: ${stepText(LAST)} is ${rangeText(over(contest, LAST, VIEWS), timesText)} as fast as the best JavaScript.`,
      say`Short messages have one chunk, and no lanes. The module of ${stepText(LAST)} takes them one block after the other, and is ${rangeText(over(at(SHORT), LAST, VIEWS), timesText)} as fast as JavaScript at ${lengthText(SHORT)}.`,
      platform.length > 0 && Math.min(...platform) >= 1
        ? say`BLAKE3 by the library is faster than the platform's SHA-256 in every engine, ${rangeText(platform, timesText)} at ${lengthText(LONG)}, although processors have instructions for SHA-256.`
        : say`Processors have instructions for SHA-256, and platforms use them: BLAKE3 by the library is ${rangeText(platform, timesText)} as fast as the faster SHA-256 of the platform at ${lengthText(LONG)}.`,
      'A page with several modules should let them share a memory, or have few: JavaScriptCore leaves the bounds of linear memory to traps only in the first memories of a process, and checks them by instructions in all others. The lab raises that limit. Even so, lanes lost to plain JavaScript in a page of WebKitGTK that also ran the contests of the other studies, and win in one that runs these alone: so this study is measured alone, by `npm run studies -- blake3-ladder --again`.',
    ),
  ];
}
