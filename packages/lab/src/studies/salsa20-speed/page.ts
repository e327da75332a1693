/** The page on the questions of "Salsa20 speed". */
import { paragraph, given, say } from '../prose.ts';
import { shownIn } from '../shown.ts';
import type { StudyData, StudyPage } from '../study.ts';
import { aes, meaning } from './aes.ts';
import { code } from './code.ts';
import { alignment, company } from './company.ts';
import { direction } from './direction.ts';
import { everyLength, lengths } from './lengths.ts';
import { keys, many, positions } from './many.ts';
import { processors } from './processors.ts';

const QUESTIONS = [processors, lengths, everyLength, alignment, keys, many, positions, company, code, direction, aes];

export function page(data: StudyData): StudyPage {
  const { shown, pictures } = shownIn('salsa20-speed', data);
  return {
    parts: [
      paragraph(
        say`“Salsa20 speed” (${given(2005, 'the date of the document')}) asks what a figure of “cycles a byte” leaves out, and answers it for Salsa20 on the processors of its time.`,
        'These are the same questions for JavaScript: Salsa20 of the library, with ChaCha20 and AES beside it. For some of them (every length, streams under way, positions) only ChaCha20 was measured, whose blocks are made in the same way and by code of the same shape.',
      ),
      ...QUESTIONS.flatMap((question) => question(data, shown)),
      ...meaning(data),
    ],
    pictures,
  };
}
