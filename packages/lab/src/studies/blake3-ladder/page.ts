/** The page on BLAKE3 in JavaScript, step by step. */
import { bullets, heading, paragraph, Said, say } from '../prose.ts';
import { steps } from '../../kernels/blake3-ladder/steps.ts';
import { shownIn } from '../shown.ts';
import type { StudyData, StudyPage } from '../study.ts';
import { asmParts, oursParts } from './beside.ts';
import { CONTESTS, LAST, lengthText, LONG_LENGTHS, NAIVE } from './contests.ts';
import { stepText } from './gains.ts';
import { barsOf, climb, eachLength, noLengths, numberOf } from './lengths.ts';
import { meaning, summary } from './meaning.ts';
import { gainParts, rustParts } from './then-and-now.ts';

export { CONTESTS };

/** The length of the pictures at the top: the longest that is one call of the library. */
const LONG = 2 ** 16;
const FOLDER = '../../packages/lab/src/kernels/blake3-ladder/';

/** Steps up to the seventh are printed. */
const fileOf = (name: string): string => {
  const file = name === 'round inlined' ? '3-round-only' : name.replaceAll(' ', '-').replace(/\.js$/, '');
  return `${Number.parseInt(file) < 8 ? 'generated/' : ''}${file}.ts`;
};

export function page(data: StudyData): StudyPage {
  const { shown, pictures } = shownIn('blake3-ladder', data);
  const none = noLengths(data);
  const parts =
    none === undefined
      ? [
          paragraph(
            say`The reference implementation of BLAKE3 (step ${new Said(String(numberOf(NAIVE)))}) becomes the library's (step ${new Said(String(numberOf(LAST)))}); each step changes one thing. The horizontal axis of the first plot has the numbers of the steps; [the list below](#the-steps) has their names.`,
          ),
          shown('steps', 'The speed of each step in each engine', climb(data, LONG)),
          shown(
            '65536',
            'Speed of each step, the libraries and SHA-256 for 64 KiB, in three engines',
            barsOf(data, LONG),
          ),
          paragraph(...summary(data), say`These are medians over the lengths from ${lengthText(LONG_LENGTHS[0])} on.`),
          heading('The steps'),
          paragraph(
            'They were written anew from their description; each is a file that can be read in a sitting. Most of the length of the third to the sixth is the round, written out.',
          ),
          bullets(
            ...steps.map(({ name, change }) => say`[${stepText(name)}](${new Said(FOLDER + fileOf(name))}): ${change}`),
          ),
          ...gainParts(data),
          ...rustParts(data),
          ...oursParts(data),
          ...asmParts(data),
          ...meaning(data),
          ...eachLength(data, shown, LONG),
        ]
      : [none];
  return { parts, pictures };
}
