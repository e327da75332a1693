/** Where the bytes start, and what ran before. */
import { bars } from '../bars.ts';
import { lines } from '../lines.ts';
import type { MachineEngine } from '../machine.ts';
import { newest } from '../newest.ts';
import { listedEngines, percentText, plain, rangeText, timesText } from '../numbers.ts';
import { given, heading, paragraph, say, table, Said } from '../prose.ts';
import type { Shown } from '../shown.ts';
import type { StudyData } from '../study.ts';
import { called, CHACHA, CIPHERS, mainEngine, SALSA, STUDY } from './ciphers.ts';

const ALIGNMENT = `${STUDY}/alignment/1024`;
const OFFSETS = Array.from({ length: 16 }, (_, offset) => offset);
const shifted = (cipher: string, offset: number): string => `${cipher}, offset ${offset}`;

export function alignment(data: StudyData, shown: Shown): (string | undefined)[] {
  const all = data.engines(ALIGNMENT);
  const engines = newest(all);
  const main = mainEngine(data, ALIGNMENT);
  if (main === undefined) return [];
  const over = (id: string, cipher: string, offset: number): number | undefined =>
    offset === 0
      ? data.nanoseconds(id, ALIGNMENT, shifted(cipher, 0)) && 1
      : data.faster(id, ALIGNMENT, shifted(cipher, 0), shifted(cipher, offset));
  /** The offset that takes longest, as a share more than none. */
  const worst = (id: string, cipher: string): number | undefined => {
    const ratios = OFFSETS.flatMap((offset) => over(id, cipher, offset) ?? []);
    return ratios.length < 2 ? undefined : Math.max(...ratios) - 1;
  };
  const present = CIPHERS.filter((cipher) => over(main.id, cipher, 0) !== undefined);
  return [
    heading('Aligned, or not?'),
    shown(
      'alignment',
      `time at each offset of the data from 0 to 15 bytes over that at offset 0, a curve for each cipher, in ${main.name}`,
      lines({
        title: `1024 bytes at offsets from 0 to 15, in ${main.name}: time over that of offset 0`,
        description: 'A curve for each cipher: the time at each offset over that at offset 0.',
        x: { label: 'offset of the data behind a boundary of 16 bytes', ticks: [0, 2, 4, 6, 8, 10, 12, 14] },
        y: { label: 'times the time of offset 0' },
        mark: 1,
        dots: true,
        curves: present.map((cipher) => ({
          name: called(cipher),
          points: OFFSETS.map((x) => ({ x, y: over(main.id, cipher, x) })),
        })),
      }),
    ),
    paragraph(
      say`The worst of the fifteen offsets makes Salsa20 take ${rangeText(
        engines.map(({ id }) => worst(id, SALSA)),
        percentText,
      )} longer, engine by engine; the worst of fifteen is above the others by chance, too.`,
      'The public call copies the bytes to an aligned place anyway, and processors of today load vectors from any address; the copy is what an offset can slow down.',
    ),
    table(
      ['worst offset', ...CIPHERS.map((cipher) => new Said(called(cipher)))],
      all.map(({ id, name }) => [new Said(name), ...CIPHERS.map((cipher) => percentText(worst(id, cipher)))]),
    ),
  ];
}

const CONTEXT = `${STUDY}/context/4096`;
/** The share of a call that a step of the clock may be. */
const FINE = 0.25;
const COMPANY = ['warm', 'after other code', 'caches evicted'] as const;

export function company(data: StudyData, shown: Shown): (string | undefined)[] {
  /** One call is timed, so that a clock with steps as long as a call says nothing of it. */
  const isFine = ({ id }: MachineEngine): boolean => {
    const [step, call] = [data.clockStep(id), data.nanoseconds(id, CONTEXT, `${SALSA}, warm`)];
    return step === undefined || call === undefined || step <= call * FINE;
  };
  const measured = data.engines(CONTEXT);
  const all = measured.filter(isFine);
  const coarse = measured.filter((engine) => !isFine(engine));
  const engines = newest(all);
  const main = mainEngine(data, CONTEXT);
  if (main === undefined) return [];
  const slower = (id: string, cipher: string, how: (typeof COMPANY)[number]) =>
    data.faster(id, CONTEXT, `${cipher}, warm`, `${cipher}, ${how}`);
  const each = (cipher: string, how: (typeof COMPANY)[number]) => engines.map(({ id }) => slower(id, cipher, how));
  return [
    heading('Alone, or in company?'),
    shown(
      'context',
      `nanoseconds of one call with 4096 bytes: warm, after other code, and with evicted caches, in ${main.name}`,
      bars({
        title: `One call with 4096 bytes in ${main.name}: nanoseconds`,
        description:
          'For each cipher three dots: with its code and data in the caches, after a hash function has run, and after all caches were filled with other data.',
        series: [...COMPANY],
        axis: 'nanoseconds, fewer are faster',
        logarithmic: true,
        groups: CIPHERS.map((cipher) => ({
          name: called(cipher),
          values: COMPANY.map((how) => data.nanoseconds(main.id, CONTEXT, `${cipher}, ${how}`)),
        })),
      }),
    ),
    paragraph(
      say`Each call is timed on its own, with ${given(4096, 'the length of the contest')} bytes. After another primitive has run, Salsa20 takes ${rangeText(each(SALSA, 'after other code'))} times as long as before, and ChaCha20 ${rangeText(each(CHACHA, 'after other code'))} times.`,
      say`When every cache was filled with other data first, Salsa20 takes ${rangeText(each(SALSA, 'caches evicted'), timesText)} as long, and AES of noble, which reads tables, ${rangeText(each('noble, AES-256-CTR', 'caches evicted'), timesText)}.`,
      say`${listedEngines(coarse)} ${coarse.length === 1 ? 'is' : 'are'} left out: their clocks have steps as long as such a call.`,
    ),
    table(
      [
        'engine',
        ...[SALSA, CHACHA].flatMap((cipher) => COMPANY.map((how) => new Said(`${called(cipher)}, ${how}, ns`))),
      ],
      all.map(({ id, name }) => [
        new Said(name),
        ...[SALSA, CHACHA].flatMap((cipher) =>
          COMPANY.map((how) => plain(data.nanoseconds(id, CONTEXT, `${cipher}, ${how}`))),
        ),
      ]),
    ),
  ];
}
