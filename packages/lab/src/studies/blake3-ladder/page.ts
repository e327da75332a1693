/** The page on BLAKE3 in JavaScript, step by step. */
import { bullets, heading, paragraph, Said, say } from '../prose.ts';
import { steps } from '../../kernels/blake3-ladder/steps.ts';
import { sourceText } from '../published.ts';
import { shownIn } from '../shown.ts';
import type { StudyData, StudyPage } from '../study.ts';
import { asmParts, oursParts } from './beside.ts';
import { at, CONTESTS, lengthText, PUBLISHED } from './contests.ts';
import { gainTable, stepText, verdicts } from './gains.ts';
import { barsOf, climb, eachLength, noLengths } from './lengths.ts';
import { meaning, summary } from './meaning.ts';
import { CASE_STUDY } from './published.ts';

export { CONTESTS };

/** The length at which the steps are told apart: the longest that is one call of the library. */
const LONG = 2 ** 16;
const SHORT = 96;
const FOLDER = '../../packages/lab/src/kernels/blake3-ladder/';

export function page(data: StudyData): StudyPage {
  const { shown, pictures } = shownIn('blake3-ladder');
  const none = noLengths(data);
  const gained = PUBLISHED.slice(1);
  const parts =
    none === undefined
      ? [
          shown('steps', 'The speed of each step in each engine', climb(data, LONG)),
          shown('65536', 'Speed of each step, the libraries and SHA-256, in three engines', barsOf(data, LONG)),
          paragraph(...summary(data)),
          heading('The steps'),
          paragraph('They were written anew from their description; each is a file that can be read in a sitting.'),
          bullets(
            ...steps.map(({ name, file, change }) => say`[${stepText(name)}](${new Said(FOLDER + file)}): ${change}`),
          ),
          heading('What each step gains: published, and measured now'),
          paragraph(
            say`Published: ${sourceText(CASE_STUDY)}; it promised the figures of other engines, which follow here. Each figure is how many times as fast a step is as the one before it, for ${lengthText(LONG)}.`,
          ),
          gainTable(data, at(LONG), gained),
          verdicts(data, at(LONG), gained),
          heading(say`The same for ${lengthText(SHORT)}`, 3),
          paragraph(
            'Here the cost of a call counts for as much as the hashing: buffers that are there already matter more, and lanes have nothing to do.',
          ),
          gainTable(data, at(SHORT), gained, false),
          ...oursParts(data),
          ...asmParts(data),
          ...meaning(data),
          ...eachLength(data, shown, LONG),
        ]
      : [none];
  return { parts, pictures };
}
