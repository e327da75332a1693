/** Where the bytes start, and what ran before. */
import { bars } from '../../charts/bars.ts';
import { lines } from '../../charts/lines.ts';
import { engineTable } from '../forms.ts';
import type { MachineEngine } from '../machine.ts';
import { newest } from '../newest.ts';
import { listedEngines, percentText, plain, rangeText, timesText } from '../numbers.ts';
import { Said, say } from '../prose.ts';
import { called, CHACHA, CIPHERS, mainEngine, NOBLE_AES, SALSA, STUDY, type Question } from './cases.ts';

const ALIGNMENT = `${STUDY}/alignment/1024`;
const OFFSETS = Array.from({ length: 16 }, (_, offset) => offset);
const shifted = (cipher: string, offset: number): string => `${cipher}, offset ${offset}`;

export const alignment: Question = (data, shown) => {
  const all = data.engines(ALIGNMENT);
  const main = mainEngine(data, ALIGNMENT);
  const over = (id: string, cipher: string, offset: number): number | undefined =>
    offset === 0
      ? data.nanoseconds(id, ALIGNMENT, shifted(cipher, 0)) && 1
      : data.faster(id, ALIGNMENT, shifted(cipher, 0), shifted(cipher, offset));
  /** The offset that takes longest, as a share more than none. */
  const worst = (id: string, cipher: string): number | undefined => {
    const ratios = OFFSETS.flatMap((offset) => over(id, cipher, offset) ?? []);
    return ratios.length < 2 ? undefined : Math.max(...ratios) - 1;
  };
  return {
    figures: {
      'worst-offset': rangeText(
        newest(all).map(({ id }) => worst(id, SALSA)),
        percentText,
      ),
    },
    parts: {
      'alignment-picture':
        main &&
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
            curves: CIPHERS.filter((cipher) => over(main.id, cipher, 0) !== undefined).map((cipher) => ({
              name: called(cipher),
              points: OFFSETS.map((x) => ({ x, y: over(main.id, cipher, x) })),
            })),
          }),
        ),
      'alignment-table': engineTable(
        all,
        ['worst offset', ...CIPHERS.map((cipher) => new Said(called(cipher)))],
        (id) => CIPHERS.map((cipher) => percentText(worst(id, cipher))),
      ),
    },
  };
};

const CONTEXT = `${STUDY}/context/4096`;
/** The share of a call that a step of the clock may be. */
const FINE = 0.25;
const COMPANY = ['warm', 'after other code', 'caches evicted'] as const;
type Company = (typeof COMPANY)[number];

export const context: Question = (data, shown) => {
  const nanoseconds = (id: string, cipher: string, how: Company) => data.nanoseconds(id, CONTEXT, `${cipher}, ${how}`);
  /** One call is timed, so that a clock with steps as long as a call says nothing of it. */
  const isFine = ({ id }: MachineEngine): boolean => {
    const [step, call] = [data.clockStep(id), nanoseconds(id, SALSA, 'warm')];
    return step === undefined || call === undefined || step <= call * FINE;
  };
  const measured = data.engines(CONTEXT);
  const all = measured.filter(isFine);
  const coarse = measured.filter((engine) => !isFine(engine));
  const main = mainEngine(data, CONTEXT);
  const slower = (cipher: string, how: Company) =>
    newest(all).map(({ id }) => data.faster(id, CONTEXT, `${cipher}, warm`, `${cipher}, ${how}`));
  return {
    figures: {
      'salsa-after': rangeText(slower(SALSA, 'after other code')),
      'chacha-after': rangeText(slower(CHACHA, 'after other code')),
      'salsa-evicted': rangeText(slower(SALSA, 'caches evicted'), timesText),
      'noble-evicted': rangeText(slower(NOBLE_AES, 'caches evicted'), timesText),
      'coarse-clocks': say`${listedEngines(coarse)} ${coarse.length === 1 ? 'is' : 'are'} left out: their clocks have steps as long as such a call.`,
    },
    parts: {
      'context-picture':
        main &&
        shown(
          'context',
          `nanoseconds of one call with 4096 bytes: warm, after other code, and with evicted caches, in ${main.name}`,
          bars({
            title: `One call with 4096 bytes in ${main.name}: nanoseconds`,
            description:
              'For each cipher three dots: with its code and data in the caches, after a hash function has run, and after all caches were filled with other data.',
            series: COMPANY,
            axis: 'nanoseconds, fewer are faster',
            logarithmic: true,
            groups: CIPHERS.map((cipher) => ({
              name: called(cipher),
              values: COMPANY.map((how) => nanoseconds(main.id, cipher, how)),
            })),
          }),
        ),
      'context-table': engineTable(
        all,
        [
          'engine',
          ...[SALSA, CHACHA].flatMap((cipher) => COMPANY.map((how) => new Said(`${called(cipher)}, ${how}, ns`))),
        ],
        (id) => [SALSA, CHACHA].flatMap((cipher) => COMPANY.map((how) => plain(nanoseconds(id, cipher, how)))),
      ),
    },
  };
};
