/** BLAKE3 in JavaScript, step by step. `page.md` has the text. */
import type { Shown } from '../shown.ts';
import type { Given, Study, StudyData } from '../study.ts';
import { CONTESTS } from './contests.ts';
import { columnsOf, figuresOf, names, partsOf, published } from './figures.ts';
import { barsOf, climb, eachLength } from './lengths.ts';

/** The length of the pictures at the top: the longest that is one call of the library. */
const LONG = 2 ** 16;

const given = (data: StudyData, shown: Shown): Given => ({
  names,
  published,
  figures: figuresOf(data),
  columns: columnsOf(data),
  parts: {
    ...partsOf(data),
    'steps-picture': shown('steps', 'The speed of each step in each engine', climb(data, LONG)),
    'long-picture': shown(
      '65536',
      'Speed of each step, the libraries and SHA-256 for 64 KiB, in three engines',
      barsOf(data, LONG),
    ),
    'every-length': eachLength(data, shown, LONG).join('\n\n'),
  },
});

export const study: Study = {
  id: 'blake3-ladder',
  title: 'BLAKE3 in JavaScript, step by step',
  summary: 'a naive port made faster in fourteen steps, the gain of each in each engine, and the engines that undo it',
  order: 3,
  contests: CONTESTS,
  given,
};
