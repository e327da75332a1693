/** What a sector costs. */
import { bars } from '../bars.ts';
import { isUsual, titleOf } from '../lanes.ts';
import { shortProcessor } from '../machine.ts';
import { newest } from '../newest.ts';
import { listedEngines, megabytes, plain, rangeText, timesText } from '../numbers.ts';
import { given, heading, paragraph, say, table, Said, type Value } from '../prose.ts';
import { quoted, sourceText } from '../published.ts';
import { MEDIANS, type Shown } from '../shown.ts';
import type { StudyData } from '../study.ts';
import { ADIANTUM_REPOSITORY, SECTORS_CORTEX_A7 } from './published.ts';

const SIZES = [512, 4096] as const;
const contest = (bytes: number): string => `studies/disks/sectors/${bytes}`;
const CIPHERS = ['Adiantum', 'HPolyC', 'AES-256-XTS'] as const;
const PAGES = 'platforms/adiantum/pages/65536';
/** Each has native code beside it. */
const MAIN = 'node26';

const own = (cipher: string): string => (cipher === 'AES-256-XTS' ? `noble, ${cipher}` : `lanewise simd, ${cipher}`);
const go = (cipher: string): string => `Go, native, ${cipher}`;
const OPENSSL = 'node:crypto, AES-256-XTS';

export function sectors(data: StudyData, shown: Shown): (string | undefined)[] {
  const all = data.engines(...SIZES.map(contest));
  const engines = newest(all);
  const main = engines.find(({ id }) => id === MAIN) ?? engines.at(0);
  if (main === undefined) return [];
  const cases = data.cases(main.id, contest(4096));
  const [long, short] = [contest(4096), contest(512)];
  const over = (bytes: number, cipher: string, than: string) => data.faster(main.id, contest(bytes), own(cipher), than);
  const cycles = (id: string, bytes: number, name: string): Value => plain(data.cycles(id, contest(bytes), name));
  return [
    heading('What a sector costs'),
    shown(
      'sectors',
      `MB/s of each contestant with sectors of 512 and of 4096 bytes in ${main.name}`,
      bars({
        title: `Sectors of 512 and 4096 bytes in ${main.name}: MB/s`,
        description: 'For each contestant two bars, of short sectors and of long ones.',
        series: ['512 bytes', '4096 bytes'],
        axis: 'MB/s',
        groups: cases.map((name) => ({
          name: titleOf(name),
          values: SIZES.map((bytes) => data.speed(main.id, contest(bytes), name)),
        })),
      }),
    ),
    paragraph(
      'Adiantum and HPolyC encrypt a sector as one block, with XChaCha12 and one block of AES-256; AES-256-XTS encrypts each sixteen bytes on their own, and needs an instruction of the processor to be fast.',
      say`In ${new Said(main.name)}, whose OpenSSL has that instruction, Adiantum of the library is ${timesText(over(4096, 'Adiantum', OPENSSL))} as fast as AES-256-XTS of node:crypto with long sectors, and ${timesText(over(512, 'Adiantum', OPENSSL))} with short ones: node:crypto needs a new object for each sector, and that call costs more than the cipher. It says nothing of a kernel, which uses the instruction without such a call.`,
      say`WebCrypto has no XTS, so that in a browser it is left to JavaScript. Beside AES-256-XTS made of noble's blocks, whose public functions expand both keys for each sector, Adiantum is ${timesText(data.faster(main.id, long, own('Adiantum'), own('AES-256-XTS')))} and ${timesText(data.faster(main.id, short, own('Adiantum'), own('AES-256-XTS')))} as fast.`,
      say`Go's module with assembly for AVX is ${timesText(data.faster(main.id, long, go('Adiantum'), own('Adiantum')))} as fast as the library for Adiantum and ${timesText(data.faster(main.id, long, go('HPolyC'), own('HPolyC')))} for HPolyC; Go's AES-256-XTS, hands one block at a time to the instruction: Adiantum of the library is ${timesText(data.faster(main.id, long, own('Adiantum'), go('AES-256-XTS')))} as fast.`,
    ),
    table(
      [
        'contestant',
        ...SIZES.flatMap((bytes) => [new Said(`${bytes} B, MB/s`), new Said(`${bytes} B, cycles a byte`)]),
      ],
      cases.map((name) => [
        new Said(titleOf(name)),
        ...SIZES.flatMap((bytes): Value[] => [
          megabytes(data.speed(main.id, contest(bytes), name)),
          cycles(main.id, bytes, name),
        ]),
      ]),
    ),
    heading('Beside the published figures', 3),
    paragraph(
      say`Cycles a byte of ${sourceText(ADIANTUM_REPOSITORY)}, and of this machine: JavaScript in ${new Said(main.name)}, and Go.`,
      say`There Adiantum was ${timesText(SECTORS_CORTEX_A7['AES-256-XTS'][4096] / SECTORS_CORTEX_A7['Adiantum'][4096])} as fast as AES-256-XTS with sectors of ${given(4096, 'the length of the contest')} bytes, because such a processor has no AES; here, in JavaScript without the instruction, it is ${timesText(data.faster(main.id, long, own('Adiantum'), own('AES-256-XTS')))} as fast. Published code is written for that processor, and is vectors in both; ours is WebAssembly with vectors beside plain JavaScript.`,
    ),
    table(
      [
        'cipher',
        ...['Cortex-A7', 'JavaScript', 'Go'].flatMap((where) => SIZES.map((bytes) => new Said(`${where}, ${bytes} B`))),
      ],
      CIPHERS.map((cipher) => [
        cipher,
        ...SIZES.map((bytes) => quoted(SECTORS_CORTEX_A7[cipher][bytes])),
        ...[own, go].flatMap((name) => SIZES.map((bytes) => cycles(main.id, bytes, name(cipher)))),
      ]),
    ),
    heading('In every engine', 3),
    paragraph(
      say`Cycles a byte of sectors of ${given(512, 'the contest')} and ${given(4096, 'the contest')} bytes.`,
      say`In ${listedEngines(engines)}, Adiantum is ${rangeText(
        engines.map(({ id }) => data.faster(id, long, own('Adiantum'), own('HPolyC'))),
        timesText,
      )} as fast as HPolyC with long sectors and ${rangeText(
        engines.map(({ id }) => data.faster(id, short, own('Adiantum'), own('HPolyC'))),
        timesText,
      )} with short ones: NH shortens a long sector before Poly1305 sees it, and has less to shorten in a short one.`,
    ),
    table(
      ['engine', ...CIPHERS.flatMap((cipher) => SIZES.map((bytes) => new Said(`${cipher}, ${bytes} B`)))],
      all.map(({ id, name }) => [
        new Said(name),
        ...CIPHERS.flatMap((cipher) => SIZES.map((bytes) => cycles(id, bytes, own(cipher)))),
      ]),
    ),
  ];
}

export function processors(data: StudyData, shown: Shown): (string | undefined)[] {
  const machines = [data, ...data.others].filter((machine) => machine.engines(PAGES).length > 0);
  const names = new Map(machines.flatMap((machine) => machine.engines(PAGES).map(({ id, name }) => [id, name])));
  const engines = data.engines(PAGES).filter(({ id }) => isUsual(id));
  if (machines.length < 2) return [];
  return [
    heading('By processor'),
    shown(
      'processors',
      'cycles a byte of Adiantum with pages of 4096 bytes in each engine, a bar for each processor',
      bars({
        title: 'Adiantum, pages of 4096 bytes: cycles a byte by processor',
        description: 'For each engine one bar for each processor that has measured; shorter ones are faster.',
        series: machines.map(({ processor }) => shortProcessor(processor)),
        axis: 'cycles a byte, fewer are faster',
        format: (value) => value.toFixed(2),
        groups: engines.map(({ id }) => ({
          name: names.get(id)!.replace(/ [\d.]+$/, ''),
          values: machines.map((machine) => machine.cycles(id, PAGES, 'lanewise simd')),
        })),
      }),
      MEDIANS,
    ),
  ];
}
