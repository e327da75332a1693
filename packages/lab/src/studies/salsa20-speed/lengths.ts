/** Long and short messages, and inconvenient lengths. */
import { lines, shortBytes } from '../../charts/lines.ts';
import { median } from '../../results/medians.ts';
import { engineTable } from '../forms.ts';
import type { Machine } from '../machine.ts';
import { newest } from '../newest.ts';
import { percentText, plain, rangeText } from '../numbers.ts';
import { Said } from '../prose.ts';
import { called, CIPHERS, mainEngine, names, SALSA, type Question } from './cases.ts';

export const LENGTHS = [8, 64, 256, 576, 1536, 4096, 16384, 65536] as const;
export const lengthContest = (length: number): string => `${names.length}/${length}`;

export const lengths: Question = (data, shown) => {
  const all = LENGTHS.map(lengthContest);
  const main = mainEngine(data, ...all);
  return {
    figures: {},
    parts: {
      'length-picture':
        main &&
        shown(
          'length',
          `cycles a byte by the length of the message, a curve for each cipher, in ${main.name}`,
          lines({
            title: `Cycles a byte by the length of the message, in ${main.name}`,
            description: 'A curve for each cipher, which falls as messages grow, because the call counts for less.',
            x: { label: 'bytes', logarithmic: true, format: shortBytes },
            y: { label: 'cycles a byte, fewer are faster', logarithmic: true },
            dots: true,
            curves: CIPHERS.map((cipher) => ({
              name: called(cipher),
              points: LENGTHS.map((x) => ({ x, y: data.cycles(main.id, lengthContest(x), cipher) })),
            })),
          }),
        ),
      'length-table': engineTable(
        data.engines(...all),
        [
          'Salsa20, cycles a byte',
          ...LENGTHS.map((length) => new Said(`${shortBytes(length)} B`.replace('K B', ' KiB'))),
        ],
        (id) => LENGTHS.map((length) => plain(data.cycles(id, lengthContest(length), SALSA))),
      ),
    },
  };
};

const CURVE = 'length/chacha20/encrypt/';
const AUTO = 'lanewise auto';
const MOST = 8192;
const NEAR = 640;
const BLOCK = 64;

export const everyLength: Question = (data, shown) => {
  const measured = data
    .contests(CURVE)
    .map((id) => Number(id.slice(CURVE.length)))
    .filter((length) => length <= MOST)
    .sort((a, b) => a - b);
  const engines = newest(data.engines(...measured.map((length) => `${CURVE}${length}`)));
  const nanoseconds = (id: string, length: number) => data.nanoseconds(id, `${CURVE}${length}`, AUTO);
  const over = (id: string, length: number, than: number): number | undefined => {
    const [time, other] = [nanoseconds(id, length), nanoseconds(id, than)];
    return time === undefined || other === undefined ? undefined : time / other;
  };
  /** The share by which one byte after a whole number of blocks takes longer: by ratios of the processes' medians. */
  const overshoot = (id: string, length: number): number | undefined => {
    const ratio = over(id, length + 1, length);
    return ratio === undefined ? undefined : ratio - 1;
  };
  const ends = measured.filter((length) => length > 0 && length % BLOCK === 0 && measured.includes(length + 1));
  const [short, long] = [ends.filter((length) => length <= NEAR), ends.filter((length) => length >= 1024)];
  /** In each engine the median over some lengths, because a single one may be disturbed. */
  const middles = (of: readonly number[], value: (id: string, length: number) => number | undefined) =>
    engines.map(({ id }) => {
      const values = of.flatMap((length) => value(id, length) ?? []);
      return values.length === 0 ? undefined : median(values);
    });
  const picture = (name: string, most: number, alternative: string, title: string, description: string, x: object) =>
    shown(
      name,
      `nanoseconds of a message of ChaCha20 by its length up to ${alternative}, a curve for each engine`,
      lines({
        title,
        description: `A curve for each engine, ${description}`,
        x: { label: 'bytes', ...x },
        y: { label: 'nanoseconds' },
        curves: engines.map(({ id, name: engine }) => ({
          name: engine,
          points: measured.filter((length) => length <= most).map((x) => ({ x, y: nanoseconds(id, x) })),
        })),
      }),
    );
  return {
    figures: {
      'lengths-measured': engines.length === 0 ? undefined : new Said(String(measured.length)),
      'short-overshoot': rangeText(middles(short, overshoot), percentText),
      'long-overshoot': rangeText(middles(long, overshoot), percentText),
      'filled-block': rangeText(middles(short, (id, length) => over(id, length + 1, length + BLOCK))),
    },
    parts: {
      'short-lengths-picture': picture(
        'lengths-short',
        NEAR,
        'ten blocks',
        'ChaCha20, short messages: nanoseconds by length',
        'which rises in steps at whole blocks.',
        { ticks: Array.from({ length: 11 }, (_, i) => BLOCK * i) },
      ),
      'lengths-picture': picture(
        'lengths',
        MOST,
        '8192 bytes',
        'ChaCha20 up to 8192 bytes: nanoseconds by length',
        'nearly a straight line.',
        { ticks: [0, 1024, 2048, 4096, 6144, 8192], format: shortBytes },
      ),
    },
  };
};

/** The least of the measured lengths from which on a case is faster than Salsa20, if it stays so. */
export function leastAhead(data: Machine, id: string, name: string): number | undefined {
  const last = LENGTHS.findLastIndex((length) => (data.faster(id, lengthContest(length), name, SALSA) ?? 0) <= 1);
  return LENGTHS.at(last + 1);
}
