/** Long and short messages, and inconvenient lengths. */
import { lines, shortBytes, type Curve } from '../lines.ts';
import type { Machine } from '../machine.ts';
import { median } from '../../results/medians.ts';
import { newest } from '../newest.ts';
import { percentText, plain, rangeText } from '../numbers.ts';
import { given, heading, paragraph, say, table, Said } from '../prose.ts';
import type { Shown } from '../shown.ts';
import type { StudyData } from '../study.ts';
import { called, CIPHERS, mainEngine, SALSA, STUDY } from './ciphers.ts';

const LENGTHS = [8, 64, 256, 576, 1536, 4096, 16384, 65536] as const;
const contest = (length: number): string => `${STUDY}/length/${length}`;

export function lengths(data: StudyData, shown: Shown): (string | undefined)[] {
  const all = LENGTHS.map(contest);
  const every = data.engines(...all);
  const engines = newest(every);
  const main = mainEngine(data, ...all);
  if (main === undefined) return [];
  const at = (id: string, length: number) => data.cycles(id, contest(length), SALSA);
  return [
    heading('Long messages, or short ones?'),
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
          points: LENGTHS.map((x) => ({ x, y: data.cycles(main.id, contest(x), cipher) })),
        })),
      }),
    ),
    paragraph(
      say`A message of ${given(64, 'one block')} bytes takes ${rangeText(
        engines.map(({ id }) => at(id, 64)),
        plain,
      )} cycles a byte, and one of ${given('64 KiB', 'the length of the contest')} ${rangeText(
        engines.map(({ id }) => at(id, 65536)),
        plain,
      )}.`,
      'What a short message costs is the call: its arguments are checked, key, nonce and data are copied into linear memory, and the memory is wiped.',
    ),
    table(
      [
        'Salsa20, cycles a byte',
        ...LENGTHS.map((length) => new Said(`${shortBytes(length)} B`.replace('K B', ' KiB'))),
      ],
      every.map(({ id, name }) => [new Said(name), ...LENGTHS.map((length) => plain(at(id, length)))]),
    ),
  ];
}

const CURVE = 'length/chacha20/encrypt/';
const AUTO = 'lanewise auto';
const MOST = 8192;
const NEAR = 640;
const BLOCK = 64;

/** The share by which one byte after a whole number of blocks takes longer: by ratios of the processes' medians. */
const overshoot = (data: Machine, id: string, length: number): number | undefined => {
  const [whole, more] = [length, length + 1].map((each) => data.nanoseconds(id, `${CURVE}${each}`, AUTO));
  return whole === undefined || more === undefined ? undefined : more / whole - 1;
};

export function everyLength(data: StudyData, shown: Shown): (string | undefined)[] {
  const measured = data
    .contests(CURVE)
    .map((id) => Number(id.slice(CURVE.length)))
    .filter((length) => length <= MOST)
    .sort((a, b) => a - b);
  const engines = newest(data.engines(...measured.map((length) => `${CURVE}${length}`)));
  if (engines.length === 0) return [];
  const curves = (most: number, value: (id: string, length: number) => number | undefined): Curve[] =>
    engines.map(({ id, name }) => ({
      name,
      points: measured.filter((x) => x <= most).map((x) => ({ x, y: value(id, x) })),
    }));
  const nanoseconds = (id: string, length: number) => data.nanoseconds(id, `${CURVE}${length}`, AUTO);
  const ends = measured.filter((length) => length > 0 && length % BLOCK === 0 && measured.includes(length + 1));
  /** In each engine the median over some lengths, because a single one may be disturbed. */
  const middles = (
    lengths: readonly number[],
    value: (id: string, length: number) => number | undefined,
  ): readonly (number | undefined)[] =>
    engines.map(({ id }) => {
      const values = lengths.flatMap((length) => value(id, length) ?? []);
      return values.length === 0 ? undefined : median(values);
    });
  const short = ends.filter((length) => length <= NEAR);
  const long = ends.filter((length) => length >= 1024);
  /** The time of one byte more than whole blocks over that of a whole block more. */
  const filled = (id: string, length: number): number | undefined => {
    const [more, whole] = [nanoseconds(id, length + 1), nanoseconds(id, length + BLOCK)];
    return more === undefined || whole === undefined ? undefined : more / whole;
  };
  return [
    heading('Convenient lengths, or every length?'),
    shown(
      'lengths-short',
      'nanoseconds of a message of ChaCha20 by its length up to ten blocks, a curve for each engine',
      lines({
        title: 'ChaCha20, short messages: nanoseconds by length',
        description: 'A curve for each engine, which rises in steps at whole blocks.',
        x: { label: 'bytes', ticks: [0, 64, 128, 192, 256, 320, 384, 448, 512, 576, 640] },
        y: { label: 'nanoseconds' },
        curves: curves(NEAR, nanoseconds),
      }),
    ),
    shown(
      'lengths',
      'nanoseconds of a message of ChaCha20 by its length up to 8192 bytes, a curve for each engine',
      lines({
        title: 'ChaCha20 up to 8192 bytes: nanoseconds by length',
        description: 'A curve for each engine, nearly a straight line.',
        x: { label: 'bytes', ticks: [0, 1024, 2048, 4096, 6144, 8192], format: shortBytes },
        y: { label: 'nanoseconds' },
        curves: curves(MOST, nanoseconds),
      }),
    ),
    paragraph(
      say`${new Said(String(measured.length))} lengths up to ${given(MOST, 'SUPERCOP measures up to it')} bytes are drawn; \`npm run studies -- --full\` measures all of them.`,
      say`One byte more than whole blocks takes ${rangeText(
        middles(short, (id, length) => overshoot(data, id, length)),
        percentText,
      )} longer in messages of up to ten blocks, and ${rangeText(
        middles(long, (id, length) => overshoot(data, id, length)),
        percentText,
      )} longer from ${given(1024, 'the length of the contest')} bytes on: the medians over the boundaries, engine by engine.`,
      say`The rest of the block is nearly free, because the keystream is computed to its end: one byte more takes ${rangeText(middles(short, filled))} times as long as a whole block more.`,
    ),
  ];
}

/** The least of the measured lengths from which on a case is faster than Salsa20, if it stays so. */
export function leastAhead(data: Machine, id: string, name: string): number | undefined {
  const behind = LENGTHS.findLastIndex((length) => (data.faster(id, contest(length), name, SALSA) ?? 0) <= 1);
  return LENGTHS.at(behind + 1);
}
export { LENGTHS, contest as lengthContest };
