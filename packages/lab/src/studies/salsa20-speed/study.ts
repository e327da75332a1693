/** The questions of D. J. Bernstein's "Salsa20 speed". `page.md` has the text, `cases.ts` the names of the cases. */
import { shownIn } from '../shown.ts';
import type { Study, StudyData, StudyPage } from '../study.ts';
import { filled, templateOf } from '../template.ts';
import { aes } from './aes.ts';
import { names, STUDY } from './cases.ts';
import { alignment, context } from './company.ts';
import { code, direction } from './code.ts';
import { everyLength, lengths } from './lengths.ts';
import { keys, many, parallel, positions } from './many.ts';
import { processors, published } from './processors.ts';

const QUESTIONS = [
  processors,
  lengths,
  everyLength,
  alignment,
  keys,
  many,
  positions,
  parallel,
  context,
  code,
  direction,
  aes,
];

function page(data: StudyData): StudyPage {
  const { shown, pictures } = shownIn('salsa20-speed', data);
  const answers = QUESTIONS.map((question) => question(data, shown));
  const text = filled(templateOf(import.meta.dirname), data, {
    names,
    published,
    figures: Object.assign({}, ...answers.map(({ figures }) => figures)) as (typeof answers)[number]['figures'],
    parts: Object.assign({}, ...answers.map(({ parts }) => parts)) as (typeof answers)[number]['parts'],
  });
  return { parts: [text], pictures };
}

export const study: Study = {
  id: 'salsa20-speed',
  title: 'The ten questions of “Salsa20 speed”',
  summary:
    'processors, lengths, alignment, keys, many messages, positions, caches, code and directions, a plot each, with AES beside',
  order: 5,
  contests: [
    `${STUDY}/`,
    'platforms/salsa20/encrypt/65536',
    'length/chacha20/encrypt/',
    'many/chacha20/update',
    'many/blake3/update',
    names.seek,
    names.parallel,
  ],
  page,
};
