/** Disk encryption: how fast ChaCha20 was made for it, and what a sector costs. `page.md` has the text. */
import { bars } from '../../charts/bars.ts';
import { lines, shortBytes } from '../../charts/lines.ts';
import { CYCLES, engineBars, engineTable } from '../forms.ts';
import { isUsual, titleOf } from '../lanes.ts';
import { shortProcessor, type MachineEngine } from '../machine.ts';
import { newest } from '../newest.ts';
import { listedEngines, megabytes, percentText, plain, rangeText, ratioText, timesText } from '../numbers.ts';
import { Said, table, type Value } from '../prose.ts';
import { quoted, sourceText } from '../published.ts';
import { MEDIANS, shownIn } from '../shown.ts';
import type { Study, StudyData, StudyPage } from '../study.ts';
import { filled, mainOf, templateOf, type Given } from '../template.ts';
import { ADIANTUM_REPOSITORY, CHACHA20_CORTEX_A7, KERNEL_LIST, SECTORS_CORTEX_A7 } from './published.ts';

const REGISTERS = 'studies/disks/registers/65536';
const BLOCK = 'studies/disks/registers/64';
const SUBKEY = 'studies/disks/subkey';
const CHACHA = 'studies/disks/ends/chacha20';
const PAGES = 'platforms/adiantum/pages/65536';
const sector = (bytes: number): string => `studies/disks/sectors/${bytes}`;

const names = {
  registers: 'studies/disks/registers',
  sectors: 'studies/disks/sectors',
  ends: 'studies/disks/ends',
  subkey: SUBKEY,
  mixed: 'rows 3x1 and integers by hand',
  rows3: 'rows 3x1 by hand',
  library: 'simd kernel',
  chacha: 'lanewise auto, ChaCha20, * bytes',
  xchacha: 'lanewise auto, XChaCha20, * bytes',
  bytes: 'lanewise auto, * bytes',
  noble: 'noble, * bytes',
  adiantum: 'lanewise simd, Adiantum',
  hpolyc: 'lanewise simd, HPolyC',
  xts: 'noble, AES-256-XTS',
  'native-xts': 'node:crypto, AES-256-XTS',
  go: 'Go, native, *',
} as const;

const LANES = ['memory 1x4 by hand', 'locals 1x4 by hand'] as const;
const FORMS = [...LANES, names.rows3, names.mixed, names.library] as const;
const FORM_NAMES = [
  '4 in lanes, words in memory',
  '4 in lanes, words in locals',
  '3 by rows',
  '3 by rows, 1 in integers',
  'the library: several sets in turns',
];
const [INTEGERS, ROWS] = ['scalar kernel', 'rows 1x1 by hand'];
const SUBKEY_LENGTHS = [64, 512, 4096] as const;
const BOUNDARIES = [64, 128, 192, 256, 512, 768, 1024, 4096] as const;
const SIZES = [512, 4096] as const;
const CIPHERS = ['Adiantum', 'HPolyC', 'AES-256-XTS'] as const;
/** Ratios that are nearer to 1 don't count as a difference. */
const ALIKE = 0.02;

const own = (cipher: string): string => (cipher === 'AES-256-XTS' ? names.xts : `lanewise simd, ${cipher}`);
const go = (cipher: string): string => names.go.replace('*', cipher);
const less = (ratio: number | undefined): number | undefined => (ratio === undefined ? undefined : ratio - 1);

/** Engines in which a ratio is beyond 1 in either direction, and their ratios. */
function sides(engines: readonly MachineEngine[], ratioOf: (id: string) => number | undefined) {
  const all = engines.map((engine) => ({ engine, ratio: ratioOf(engine.id) ?? 1 }));
  const side = (is: (ratio: number) => boolean) => {
    const found = all.filter(({ ratio }) => is(ratio));
    return { engines: listedEngines(found.map(({ engine }) => engine)), ratios: found.map(({ ratio }) => ratio) };
  };
  return {
    above: side((ratio) => ratio > 1 + ALIKE),
    below: side((ratio) => ratio < 1 - ALIKE),
    alike: side((ratio) => Math.abs(ratio - 1) <= ALIKE),
  };
}

function page(data: StudyData): StudyPage {
  const { shown, pictures } = shownIn('disks', data);
  const of = (contest: string) => {
    const all = data.engines(contest);
    return { all, newest: newest(all) };
  };
  const [registers, subkey, ends, sectors] = [of(REGISTERS), of(SUBKEY), of(CHACHA), of(sector(4096))];
  const lanes = sides(registers.newest, (id) => {
    const ratios = LANES.flatMap((form) => data.faster(id, REGISTERS, form, names.mixed) ?? []);
    return ratios.length === 0 ? undefined : Math.max(...ratios);
  });
  const integers = sides(subkey.newest, (id) => data.faster(id, BLOCK, INTEGERS, ROWS));
  const main = mainOf(sectors.newest);
  const cases = main ? data.cases(main.id, sector(4096)) : [];
  const cycles = (id: string, bytes: number, name: string): Value => plain(data.cycles(id, sector(bytes), name));
  const nanoseconds = (id: string): (number | undefined)[] => [
    data.nanoseconds(id, BLOCK, ROWS),
    data.nanoseconds(id, BLOCK, INTEGERS),
    data.nanoseconds(id, SUBKEY, 'lanewise auto, HChaCha20, 16 bytes'),
  ];
  const faster = (id: string, contest: string, name: string, than: string) => data.faster(id, contest, name, than);
  const bytes = (length: number): string => names.bytes.replace('*', String(length));
  const curve = (id: string) =>
    data
      .cases(id, CHACHA)
      .filter((name) => name.startsWith('lanewise'))
      .map((name) => ({ x: Number(/(\d+) bytes$/.exec(name)?.[1]), y: data.nanoseconds(id, CHACHA, name) }))
      .filter(({ x }) => x >= 63)
      .sort((a, b) => a.x - b.x);
  const machines = [data, ...data.others].filter((machine) => machine.engines(PAGES).length > 0);
  const { openssl, linux, improved } = CHACHA20_CORTEX_A7;
  const { Adiantum, 'AES-256-XTS': xts } = SECTORS_CORTEX_A7;

  const given: Given = {
    names,
    published: {
      openssl: quoted(openssl),
      linux: quoted(linux),
      'linux-gain': timesText(openssl / linux),
      improved: quoted(improved),
      'integers-published': quoted(CHACHA20_CORTEX_A7.integers),
      'kernel-list': sourceText(KERNEL_LIST),
      'adiantum-repository': sourceText(ADIANTUM_REPOSITORY),
      'adiantum-gain': timesText(xts[4096] / Adiantum[4096]),
    },
    figures: {
      winning: lanes.above.engines,
      'winning-ratios': rangeText(lanes.above.ratios),
      losing: lanes.below.engines,
      'losing-ratios': rangeText(lanes.below.ratios),
      alike: lanes.alike.engines,
      'integers-ahead': integers.above.engines,
      'ahead-ratios': rangeText(integers.above.ratios, timesText),
      'integers-behind': integers.below.engines,
      'behind-ratios': rangeText(integers.below.ratios),
      main: main && new Said(main.name),
    },
    parts: {
      'registers-picture': shown(
        'registers',
        'cycles a byte of four blocks in lanes, of three by rows without and with a fourth in integers, and of the library, in each engine',
        engineBars(
          registers.newest,
          {
            title: 'ChaCha20 by four blocks, 64 KiB: cycles a byte',
            description:
              'For each engine five bars, of which shorter ones are faster: four blocks in lanes with words in memory and in locals, three blocks by rows, the same with a fourth block in integers, and the library.',
            series: FORM_NAMES,
            ...CYCLES,
          },
          (id) => FORMS.map((form) => data.cycles(id, REGISTERS, form)),
        ),
      ),
      'registers-table': engineTable(
        registers.all,
        ['engine', ...FORM_NAMES.map((name) => new Said(name)), 'library ÷ mixture'],
        (id) => [
          ...FORMS.map((form) => plain(data.cycles(id, REGISTERS, form))),
          ratioText(data.faster(id, REGISTERS, names.library, names.mixed)),
        ],
      ),
      'subkey-picture': shown(
        'subkey',
        'nanoseconds of one block by rows and in integers, and of the subkey as a call of the library, in each engine',
        engineBars(
          subkey.newest,
          {
            title: 'One permutation: nanoseconds of a block, and of the subkey',
            description:
              'For each engine three bars: one block of ChaCha20 by rows in vectors, one block in integers, and a call of HChaCha20.',
            series: ['one block by rows', 'one block in integers', 'HChaCha20, the public call'],
            axis: 'nanoseconds, fewer are faster',
          },
          nanoseconds,
        ),
      ),
      'subkey-table': engineTable(
        subkey.all,
        [
          'engine',
          'block by rows, ns',
          'block in integers, ns',
          'HChaCha20, ns',
          ...SUBKEY_LENGTHS.map((length) => new Said(`XChaCha20 over ChaCha20, ${length} B`)),
        ],
        (id) => [
          ...nanoseconds(id).map(plain),
          ...SUBKEY_LENGTHS.map((length) => {
            const [chacha, xchacha] = [names.chacha, names.xchacha].map((name) => name.replace('*', String(length)));
            return percentText(less(faster(id, SUBKEY, chacha, xchacha)));
          }),
        ],
      ),
      'ends-picture': shown(
        'ends',
        'nanoseconds of a message of ChaCha20 on both sides of the boundaries of blocks and sets, a curve for each engine',
        lines({
          title: 'ChaCha20 on both sides of boundaries: nanoseconds',
          description: 'The curves rise in steps at whole blocks, which grow smaller in proportion as messages grow.',
          x: { label: 'bytes', logarithmic: true, format: shortBytes },
          y: { label: 'nanoseconds', logarithmic: true },
          dots: true,
          curves: ends.newest.map(({ id, name }) => ({ name, points: curve(id) })),
        }),
      ),
      'ends-table': engineTable(
        ends.all,
        ['engine', ...BOUNDARIES.map((length) => new Said(`${length} + 1 B`))],
        (id) => BOUNDARIES.map((length) => percentText(less(faster(id, CHACHA, bytes(length), bytes(length + 1))))),
      ),
      'sectors-picture':
        main &&
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
              values: SIZES.map((size) => data.speed(main.id, sector(size), name)),
            })),
          }),
        ),
      'sectors-table':
        main &&
        table(
          [
            'contestant',
            ...SIZES.flatMap((size) => [`${size} B, MB/s`, `${size} B, cycles a byte`].map((text) => new Said(text))),
          ],
          cases.map((name) => [
            new Said(titleOf(name)),
            ...SIZES.flatMap((size) => [
              megabytes(data.speed(main.id, sector(size), name)),
              cycles(main.id, size, name),
            ]),
          ]),
        ),
      'published-table':
        main &&
        table(
          [
            'cipher',
            ...['Cortex-A7', 'JavaScript', 'Go'].flatMap((where) =>
              SIZES.map((size) => new Said(`${where}, ${size} B`)),
            ),
          ],
          CIPHERS.map((cipher) => [
            cipher,
            ...SIZES.map((size) => quoted(SECTORS_CORTEX_A7[cipher][size])),
            ...[own, go].flatMap((name) => SIZES.map((size) => cycles(main.id, size, name(cipher)))),
          ]),
        ),
      'engines-table': engineTable(
        sectors.all,
        ['engine', ...CIPHERS.flatMap((cipher) => SIZES.map((size) => new Said(`${cipher}, ${size} B`)))],
        (id) => CIPHERS.flatMap((cipher) => SIZES.map((size) => cycles(id, size, own(cipher)))),
      ),
      'processors-picture':
        machines.length < 2
          ? undefined
          : shown(
              'processors',
              'cycles a byte of Adiantum with pages of 4096 bytes in each engine, a bar for each processor',
              engineBars(
                data
                  .engines(PAGES)
                  .filter(({ id }) => isUsual(id))
                  .map(({ id, name }) => ({ id, name: name.replace(/ [\d.]+$/, '') })),
                {
                  title: 'Adiantum, pages of 4096 bytes: cycles a byte by processor',
                  description: 'For each engine one bar for each processor that has measured; shorter ones are faster.',
                  series: machines.map(({ processor }) => shortProcessor(processor)),
                  ...CYCLES,
                },
                (id) => machines.map((machine) => machine.cycles(id, PAGES, 'lanewise simd')),
              ),
              MEDIANS,
            ),
    },
  };
  return { parts: [filled(templateOf(import.meta.dirname), data, given)], pictures };
}

export const study: Study = {
  id: 'disks',
  title: 'As fast as possible for disks',
  summary:
    'four blocks in lanes or by rows beside integers, the subkey, the ends of messages, and sectors by Adiantum, HPolyC and AES-XTS',
  order: 4,
  contests: ['studies/disks/', PAGES],
  page,
};
