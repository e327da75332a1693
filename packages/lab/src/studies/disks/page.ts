/** The page on disk encryption. */
import { shownIn } from '../shown.ts';
import type { StudyData, StudyPage } from '../study.ts';
import { ends } from './ends.ts';
import { meaning } from './meaning.ts';
import { registers } from './registers.ts';
import { processors, sectors } from './sectors.ts';
import { subkey } from './subkey.ts';

export function page(data: StudyData): StudyPage {
  const { shown, pictures } = shownIn('disks');
  return {
    parts: [
      ...registers(data, shown),
      ...subkey(data, shown),
      ...ends(data, shown),
      ...sectors(data, shown),
      ...processors(data, shown),
      ...meaning(data),
    ],
    pictures,
  };
}
