/** Encryption or decryption. */
import { bars } from '../bars.ts';
import { newest } from '../newest.ts';
import { megabytes, rangeText, ratioText } from '../numbers.ts';
import { given, heading, paragraph, say, table, Said } from '../prose.ts';
import type { Shown } from '../shown.ts';
import type { StudyData } from '../study.ts';
import { called, mainEngine, STUDY } from './ciphers.ts';

const DIRECTION = `${STUDY}/direction/65536`;
const PAIRS = [
  'lanewise auto, secretbox',
  ...['node:crypto', 'WebCrypto', 'noble'].map((name) => `${name}, AES-256-GCM`),
];

export function direction(data: StudyData, shown: Shown): (string | undefined)[] {
  const all = data.engines(DIRECTION);
  const engines = newest(all);
  const main = mainEngine(data, DIRECTION);
  if (main === undefined) return [];
  const opening = (id: string, pair: string) => data.faster(id, DIRECTION, `${pair}, open`, `${pair}, seal`);
  return [
    heading('Encryption, or decryption?'),
    shown(
      'direction',
      `MB/s of sealing and of opening with secretbox and with AES-256-GCM, in ${main.name}`,
      bars({
        title: `Sealing and opening 64 KiB in ${main.name}: MB/s`,
        description: 'For each contestant two bars, one for each direction.',
        series: ['seal', 'open'],
        axis: 'MB/s',
        groups: PAIRS.map((pair) => ({
          name: called(pair),
          values: ['seal', 'open'].map((way) => data.speed(main.id, DIRECTION, `${pair}, ${way}`)),
        })),
      }),
    ),
    paragraph(
      'Salsa20 encrypts and decrypts by the same function, so only the authentication around it can tell the directions apart.',
      say`With ${given('64 KiB', 'the length of the contest')}, opening a secretbox is ${rangeText(engines.map(({ id }) => opening(id, PAIRS[0])))} times as fast as sealing it.`,
    ),
    table(
      [
        'engine',
        'secretbox, seal, MB/s',
        'open, MB/s',
        ...PAIRS.map((pair) => new Said(`${called(pair)}, open ÷ seal`)),
      ],
      all.map(({ id, name }) => [
        new Said(name),
        ...['seal', 'open'].map((way) => megabytes(data.speed(id, DIRECTION, `${PAIRS[0]}, ${way}`))),
        ...PAIRS.map((pair) => ratioText(opening(id, pair))),
      ]),
    ),
  ];
}
