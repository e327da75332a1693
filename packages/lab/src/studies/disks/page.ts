/** The page on disk encryption. */
import { paragraph, say, given } from '../prose.ts';
import { shownIn } from '../shown.ts';
import type { StudyData, StudyPage } from '../study.ts';
import { ends } from './ends.ts';
import { meaning } from './meaning.ts';
import { registers } from './registers.ts';
import { processors, sectors } from './sectors.ts';
import { subkey } from './subkey.ts';

export function page(data: StudyData): StudyPage {
  const { shown, pictures } = shownIn('disks', data);
  return {
    parts: [
      paragraph(
        say`In August ${given(2018, 'the date of the message')} the mailing list of the Linux kernel discussed how fast ChaCha20 can be for disks: small sectors, processors without instructions for AES, and one call for each sector. Its points are contests here, and so are the ciphers that came of it.`,
      ),
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
