/** The questions of D. J. Bernstein's "Salsa20 speed". `page.md` has the text, `cases.ts` the names of the cases. */
import type { Shown } from '../shown.ts';
import type { Given, Study, StudyData } from '../study.ts';
import { names, STUDY, type Answer } from './cases.ts';
import { published, QUESTIONS } from './questions.ts';

/** The answers to all questions together. */
function given(data: StudyData, shown: Shown): Given {
  const answers = QUESTIONS.map((question) => question(data, shown));
  const all = <Part extends keyof Answer>(part: Part) =>
    Object.assign({}, ...answers.map((answer) => answer[part])) as NonNullable<Answer[Part]>;
  return { names, published, figures: all('figures'), parts: all('parts'), columns: all('columns') };
}

export const study: Study = {
  id: 'salsa20-speed',
  title: 'The ten questions of “Salsa20 speed”',
  summary:
    'processors, lengths, alignment, keys, many messages, positions, caches, code and directions, a plot each, with AES beside',
  order: 5,
  contests: [
    `${STUDY}/`,
    names.long,
    'length/chacha20/encrypt/',
    'many/chacha20/update',
    'many/blake3/update',
    names.seek,
    names.parallel,
  ],
  given,
};
