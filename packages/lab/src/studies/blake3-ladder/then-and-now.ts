/** What the case study published, beside the same steps now. */
import { plain, rangeText, ratioText } from '../numbers.ts';
import { heading, listed, paragraph, Said, say, table } from '../prose.ts';
import { sourceText } from '../published.ts';
import type { StudyData } from '../study.ts';
import {
  at,
  isLanes,
  lengthText,
  LONG_LENGTHS,
  PERMUTATIONS,
  PUBLISHED,
  ROUND,
  RUST,
  STEPS,
  VARIABLES,
  VIEWS,
} from './contests.ts';
import { enginesOf, gainTable, overLong, stepText, unsteady, verdicts } from './gains.ts';
import { CASE_STUDY, GAINS, OVER_RUST } from './published.ts';

const SHORT = 96;
const LONG = LONG_LENGTHS.map(at);
const WASM = RUST[1];

const each = (data: StudyData, id: string, than: string): (number | undefined)[] =>
  enginesOf(data, ...LONG).map((engine) => overLong(data, engine.id, id, than));

export function gainParts(data: StudyData): (string | undefined)[] {
  const gained = PUBLISHED.slice(1);
  const inlined = STEPS[3];
  return [
    heading('The gain of each step: published, and measured now'),
    paragraph(
      say`Published: ${sourceText(CASE_STUDY)}; it promised the figures of other engines, which follow here.`,
      say`Each figure is how many times as fast a step is as the one before it: here the median over ${listed(LONG_LENGTHS.map(lengthText))}, in the case study for a length that it does not name.`,
    ),
    gainTable(data, LONG, gained),
    verdicts(data, LONG, gained),
    paragraph(
      say`The third step of the case study inlines the round, and leaves G a function until its fourth; here ${stepText(inlined)} writes out G as well. So these two are to be compared together: published ${ratioText(GAINS[inlined] * GAINS[VARIABLES])}, and ${rangeText(each(data, VARIABLES, PERMUTATIONS))} here.`,
      say`With the round alone, \`${new Said(ROUND)}\` is ${rangeText(each(data, ROUND, PERMUTATIONS))} times as fast as ${stepText(PERMUTATIONS)}.`,
      say`The lengths do not agree about ${unsteady(data, LONG, gained)}: such a range tells more of when an engine compiles and collects garbage than of the step.`,
    ),
    heading(say`The same for ${lengthText(SHORT)}`, 3),
    paragraph(
      'Here the cost of a call counts for as much as the hashing, and buffers that are there already matter more. Lanes have nothing to do, so that their step is left out.',
    ),
    gainTable(
      data,
      [at(SHORT)],
      gained.filter((step) => !isLanes(step)),
      false,
    ),
  ];
}

export function rustParts(data: StudyData): (string | undefined)[] {
  const steps = Object.keys(OVER_RUST);
  const figures = table(
    ['engine', ...steps.map((step) => new Said(step))],
    [
      ['published', ...steps.map((step) => new Said(OVER_RUST[step]))],
      ...enginesOf(data, ...LONG).map(({ id, name }) => [
        new Said(name),
        ...steps.map((step) => plain(overLong(data, id, step, WASM))),
      ]),
    ],
  );
  return [
    heading("Beside Rust's WebAssembly", 3),
    paragraph(
      say`The case study began because Rust's WebAssembly had no vectors, and ended faster than it. This table has how many times as fast as that the steps are: published for a build of its author, here for the package \`${new Said(WASM)}\`.`,
      say`At ${stepText(VIEWS)}, plain JavaScript was ${new Said(OVER_RUST[VIEWS])} times as fast as WebAssembly; here it is ${rangeText(each(data, VIEWS, WASM))} times.`,
    ),
    figures,
  ];
}
