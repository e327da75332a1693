/** Disk encryption: how fast ChaCha20 was made for it, and the cost of a sector. `page.md` has the text. */
import type { MachineEngine } from '../machine.ts';
import { newest } from '../newest.ts';
import { listedEngines, rangeText, timesText } from '../numbers.ts';
import { Said } from '../prose.ts';
import { quoted, sourceText } from '../published.ts';
import type { Given, Study, StudyData } from '../study.ts';
import { mainOf } from '../template.ts';
import { ADIANTUM_REPOSITORY, CHACHA20_CORTEX_A7, KERNEL_LIST, SECTORS_CORTEX_A7 } from './published.ts';

const REGISTERS = 'studies/disks/registers/65536';
const BLOCK = 'studies/disks/registers/64';
const SUBKEY = 'studies/disks/subkey';
const SECTORS = 'studies/disks/sectors/4096';
const PAGES = 'platforms/adiantum/pages/65536';

const names = {
  registers: 'studies/disks/registers',
  sectors: 'studies/disks/sectors',
  ends: 'studies/disks/ends',
  subkey: SUBKEY,
  pages: PAGES,
  'library-simd': 'lanewise simd',
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
  'own-Adiantum': 'lanewise simd, Adiantum',
  'own-HPolyC': 'lanewise simd, HPolyC',
  'own-AES-256-XTS': 'noble, AES-256-XTS',
  'in-memory': 'memory 1x4 by hand',
  'in-locals': 'locals 1x4 by hand',
  rows1: 'rows 1x1 by hand',
  integers: 'scalar kernel',
  hchacha: 'lanewise auto, HChaCha20, 16 bytes',
  'native-xts': 'node:crypto, AES-256-XTS',
  go: 'Go, native, *',
} as const;

/** Ratios that are nearer to 1 don't count as a difference. */
const ALIKE = 0.02;

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

function given(data: StudyData): Given {
  const [registers, subkey, sectors] = [REGISTERS, SUBKEY, SECTORS].map((contest) => newest(data.engines(contest)));
  const lanes = sides(registers, (id) => {
    const ratios = [names['in-memory'], names['in-locals']].flatMap(
      (form) => data.faster(id, REGISTERS, form, names.mixed) ?? [],
    );
    return ratios.length === 0 ? undefined : Math.max(...ratios);
  });
  const integers = sides(subkey, (id) => data.faster(id, BLOCK, names.integers, names.rows1));
  const main = mainOf(sectors);
  const { openssl, linux, improved } = CHACHA20_CORTEX_A7;
  const { Adiantum, 'AES-256-XTS': xts } = SECTORS_CORTEX_A7;

  return {
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
    columns: {
      'published-512': (_, cipher) => quoted(SECTORS_CORTEX_A7[cipher][512]),
      'published-4096': (_, cipher) => quoted(SECTORS_CORTEX_A7[cipher][4096]),
    },
  };
}

export const study: Study = {
  id: 'disks',
  title: 'As fast as possible for disks',
  summary:
    'four blocks in lanes or by rows beside integers, the subkey, the ends of messages, and sectors by Adiantum, HPolyC and AES-XTS',
  order: 4,
  contests: ['studies/disks/', PAGES],
  given,
};
