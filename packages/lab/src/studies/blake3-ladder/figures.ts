/** Figures in words: which steps pay where, and the tables whose rows or columns are steps. */
import { median } from '../../results/medians.ts';
import { listedEngines, percentText, plain, rangeText, ratioText, timesText } from '../numbers.ts';
import { listed, Said, say, table, type Value } from '../prose.ts';
import { quoted, sourceText } from '../published.ts';
import type { Figures, Given, StudyData } from '../study.ts';
import {
  ASM,
  at,
  BUFFERS,
  isLanes,
  LANES,
  LAST,
  LIBRARY,
  LONG_LENGTHS,
  lengthText,
  NAIVE,
  OUTPUT,
  OURS,
  PERMUTATIONS,
  PLATFORM,
  PUBLISHED,
  ROUND,
  RUST,
  STEPS,
  VARIABLES,
  VIEWS,
} from './contests.ts';
import {
  enginesOf,
  gainsOf,
  gainTable,
  isUndone,
  overLong,
  pays,
  stepText,
  unsteady,
  verdicts,
  type Gain,
} from './gains.ts';
import { CASE_STUDY, FIREFOX_WITHOUT_ASM, GAINS, OVER_RUST } from './published.ts';

const MIB = 2 ** 20;
const LONG = 2 ** 16;
const SHORT = 96;
const LONG_CONTESTS = LONG_LENGTHS.map(at);
const gained = PUBLISHED.slice(1);

/** Cases and contests by their names in the page. */
export const names = {
  hash: at(LONG).slice(0, at(LONG).lastIndexOf('/')),
  output: OUTPUT.slice(0, OUTPUT.lastIndexOf('/')),
  naive: NAIVE,
  views: VIEWS,
  last: LAST,
  subtrees: STEPS[STEPS.length - 2],
  library: LIBRARY,
  scalar: 'lanewise scalar',
  crate: RUST[0],
};

export const published: Figures = {
  'case-study': sourceText(CASE_STUDY),
  'published-both': ratioText(GAINS['3 inlined'] * GAINS[VARIABLES]),
  'views-published': quoted(OVER_RUST[VIEWS]),
  'firefox-without-asm': quoted(FIREFOX_WITHOUT_ASM),
};

const middleOf = (gains: readonly Gain[]): number => median(gains.map(({ value }) => value));

interface Ranked {
  readonly step: string;
  readonly gains: readonly Gain[];
}

/** The steps of the case study with their gains, those that were measured. */
const rankedSteps = (data: StudyData, contests: readonly string[]): readonly Ranked[] =>
  PUBLISHED.slice(1)
    .map((step) => ({ step, gains: gainsOf(data, contests, step) }))
    .filter(({ gains }) => gains.length > 0);

const steps = (all: readonly Ranked[]): Said | undefined => listed(all.map(({ step }) => stepText(step)));
const many = (all: readonly Ranked[], one: string, more: string): string => (all.length === 1 ? one : more);

/** Which steps still pay, and which are undone. */
function summary(all: readonly Ranked[]): Figures {
  const everywhere = all.filter(({ gains }) => gains.every(pays));
  const undone = all.filter(({ gains }) => gains.some(isUndone));
  const nowhere = all.filter(({ gains }) => !gains.some(pays));
  const undoing = new Map(
    undone.flatMap(({ gains }) => gains.filter(isUndone).map(({ engine }) => [engine.id, engine])),
  );
  return {
    'still-pay':
      everywhere.length === all.length
        ? 'Every step of the case study still pays in every engine.'
        : say`${steps(everywhere)} still ${many(everywhere, 'pays', 'pay')} in every engine.`,
    'pay-nowhere': say`${steps(nowhere)} ${many(nowhere, 'pays', 'pay')} in none.`,
    undone:
      undone.length === 0
        ? 'No engine undoes a step.'
        : say`${steps(undone)} ${many(undone, 'is', 'are')} undone somewhere: ${listedEngines([...undoing.values()])} ${undoing.size === 1 ? 'is' : 'are'} slower with one of them than without.`,
  };
}

/** Engines whose compiler is V8. */
const isV8 = (id: string): boolean => /^(?:chromium|deno|node\d*|workerd)$/.test(id);
const ASM_FASTER = 1.05;
const ASM_SLOWER = 0.95;

/** The gain of asm.js over views, and over the step that it is. */
function asmFigures(data: StudyData): Figures {
  const found = enginesOf(data, ...LONG_CONTESTS).flatMap((engine) => {
    const [value, buffers = 0] = [VIEWS, BUFFERS].map((than) => overLong(data, engine.id, ASM, than));
    return value === undefined ? [] : [{ engine, value, buffers }];
  });
  const those = (is: (each: (typeof found)[number]) => boolean): Said | undefined =>
    listedEngines(found.filter(is).map(({ engine }) => engine));
  const faster = those(({ value }) => value >= ASM_FASTER);
  const slower = those(({ value }) => value <= ASM_SLOWER);
  const lanes = enginesOf(data, at(LONG)).map(({ id }) => data.faster(id, at(LONG), LAST, VIEWS));
  return {
    'asm-plain': those(({ engine, buffers }) => !isV8(engine.id) && buffers >= ASM_FASTER),
    'asm-alike':
      found.length === 0 || faster || slower ? undefined : 'Beside views it makes no difference in any engine.',
    'asm-faster': faster,
    'asm-slower': slower,
    'asm-verdict':
      found.length === 0
        ? undefined
        : faster
          ? say`Over views it gains ${percentText(Math.max(...found.map(({ value }) => value)) - 1)} at most; WebAssembly with vectors is ${rangeText(lanes, timesText)} as fast as views.`
          : 'Nothing is left that would be worth its restrictions.',
  };
}

/** Advice that depends on the figures. */
function advice(data: StudyData, all: readonly Ranked[]): Figures {
  const best = all.toSorted((a, b) => middleOf(b.gains) - middleOf(a.gains)).at(0);
  const undone = all.filter(({ gains }) => gains.some(isUndone));
  const undoing = undone.flatMap(({ gains }) => gains.filter(isUndone).map(({ engine }) => engine.id));
  const losing = all.find(({ step }) => step === LANES)?.gains.filter(isUndone) ?? [];
  const engines = enginesOf(data, at(LONG));
  const over = rangeText(
    engines.map(({ id }) => data.faster(id, at(LONG), LAST, VIEWS)),
    timesText,
  );
  const platform = engines.flatMap(({ id }) => {
    const values = PLATFORM.flatMap((name) => data.faster(id, at(LONG), LIBRARY, name) ?? []);
    return values.length > 0 ? [Math.min(...values)] : [];
  });
  return {
    'best-step': best && stepText(best.step),
    'best-gain': best && ratioText(middleOf(best.gains)),
    'measure-each':
      all.length === 0
        ? undefined
        : undone.length > 0
          ? say`Measure each step in every engine, not in one: ${steps(undone)} ${many(undone, 'costs', 'cost')} speed in at least one of them${new Said(undoing.some(isV8) ? '' : ', and none of that shows in V8')}.`
          : 'The steps can be taken without fear: none costs speed in any of these engines.',
    'lanes-verdict':
      losing.length > 0
        ? say`Vectors whose words JavaScript transposes are no gain everywhere: ${listedEngines(losing.map(({ engine }) => engine))} ${losing.length === 1 ? 'is' : 'are'} slower with ${stepText(LANES)}. Let the module do the transposing; ${stepText(LAST)} is ${over} as fast as the best JavaScript.`
        : say`Vectors pay everywhere, and most where the module transposes the words itself: ${stepText(LAST)} is ${over} as fast as the best JavaScript.`,
    'sha-verdict':
      platform.length > 0 && Math.min(...platform) >= 1
        ? say`BLAKE3 by the library is faster than the platform's SHA-256 in every engine, ${rangeText(platform, timesText)} at ${lengthText(LONG)}, although processors have instructions for SHA-256.`
        : say`Processors have instructions for SHA-256, and platforms use them: BLAKE3 by the library is ${rangeText(platform, timesText)} as fast as the faster SHA-256 of the platform at ${lengthText(LONG)}.`,
  };
}

export function figuresOf(data: StudyData): Figures {
  const all = rankedSteps(data, LONG_CONTESTS);
  const each = (id: string, than: string) =>
    enginesOf(data, ...LONG_CONTESTS).map((engine) => overLong(data, engine.id, id, than));
  return {
    ...summary(all),
    'long-lengths': listed(LONG_LENGTHS.map(lengthText)),
    both: rangeText(each(VARIABLES, PERMUTATIONS)),
    'round-alone': rangeText(each(ROUND, PERMUTATIONS)),
    unsteady: unsteady(data, LONG_CONTESTS, gained),
    'views-over-rust': rangeText(each(VIEWS, RUST[1])),
    'crate-ahead': listedEngines(
      enginesOf(data, at(MIB)).filter(({ id }) => (data.faster(id, at(MIB), LIBRARY, RUST[0]) ?? 1) < 1),
    ),
    ...asmFigures(data),
    ...advice(data, all),
  };
}

/** Tables of gains, and a sentence for each step. */
export function partsOf(data: StudyData): NonNullable<Given['parts']> {
  const steps = Object.keys(OVER_RUST);
  const ours = OURS.slice(0, -1);
  return {
    'gain-table': gainTable(data, LONG_CONTESTS, gained),
    'gain-verdicts': verdicts(data, LONG_CONTESTS, gained),
    'short-gain-table': gainTable(
      data,
      [at(SHORT)],
      gained.filter((step) => !isLanes(step)),
      false,
    ),
    'rust-table': table(
      ['engine', ...steps.map((step) => new Said(step))],
      [
        ['published', ...steps.map((step) => new Said(OVER_RUST[step]))],
        ...enginesOf(data, ...LONG_CONTESTS).map(({ id, name }): Value[] => [
          new Said(name),
          ...steps.map((step) => plain(overLong(data, id, step, RUST[1]))),
        ]),
      ],
    ),
    'our-gain-table': gainTable(data, [at(MIB)], ours, false),
    'our-verdicts': verdicts(data, [at(MIB)], ours),
  };
}

export const columnsOf = (data: StudyData): NonNullable<Given['columns']> => ({
  'asm÷buffers': (id) => ratioText(overLong(data, id, ASM, BUFFERS)),
  'asm÷views': (id) => ratioText(overLong(data, id, ASM, VIEWS)),
});
