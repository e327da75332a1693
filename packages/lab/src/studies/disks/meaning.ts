/** What the page on disks means for somebody who writes such code. */
import { newest } from '../newest.ts';
import { rangeText, timesText } from '../numbers.ts';
import { bullets, heading, say } from '../prose.ts';
import type { StudyData } from '../study.ts';

const LONG = 'studies/disks/registers/65536';
const SECTORS = 'studies/disks/sectors/4096';

export function meaning(data: StudyData): (string | undefined)[] {
  const each = (contest: string, id: string, than: string) =>
    newest(data.engines(contest)).map((engine) => data.faster(engine.id, contest, id, than));
  return [
    heading('For somebody who writes such code'),
    bullets(
      say`Find out what a processor does at once before you choose a form. The mixture that lost on a Cortex-A7 gains ${rangeText(each(LONG, 'rows 3x1 and integers by hand', 'rows 3x1 by hand'), timesText)} over rows alone on this one; several sets in turns gain more.`,
      'Have a form for a single permutation. It is all that the subkey of a sector needs, and it ends messages, too.',
      'Let a page end where the cipher likes it: a stream that may be overwritten needs no tail.',
      say`Encrypt many sectors in one call. Longer sectors are cheaper by the byte, because the subkey, the block of AES and the call are paid once; where only JavaScript is left for AES, as in browsers, Adiantum is ${rangeText(each(SECTORS, 'lanewise simd, Adiantum', 'noble, AES-256-XTS'), timesText)} as fast as AES-256-XTS.`,
    ),
  ];
}
