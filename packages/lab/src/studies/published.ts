/**
 * Figures that others have published, as facts with their sources. Pages show them beside those that are measured now;
 * nothing else is taken from the sources.
 */
import { ratioText } from './numbers.ts';
import { Said } from './prose.ts';

export interface Source {
  /** Author or project, and title. */
  readonly name: string;
  readonly date: string;
  /** The machine that the figures are of. */
  readonly machine: string;
}

/**
 * The benchmark pages of a library for the web, by whose measurements the pages on ChaCha20 and Serpent are asked for:
 * https://github.com/xero/leviathan-crypto/wiki/chacha_simd_bench and …/serpent_simd_bench, of 27 March 2026.
 */
export const LEVIATHAN: Source = {
  name: 'leviathan-crypto, benchmark pages of its wiki (`chacha_simd_bench`, `serpent_simd_bench`)',
  date: 'March 2026',
  machine: 'Apple Silicon, browsers started by Playwright',
};

export const sourceText = ({ name, date, machine }: Source): Said => new Said(`${name}, ${date}, ${machine}`);

/** A figure, with the digits that were published; a range where one was published. */
export type Figure = number | string | readonly [number, number];

/** A figure of a source as text; the source must be named on the same page, which `sourceText` does. */
export const quoted = (figure: Figure | undefined): Said | undefined =>
  figure === undefined ? undefined : new Said(typeof figure === 'object' ? figure.join('–') : String(figure));

/** Megabytes a second without and with vectors, and the speed-up that was published with them. */
interface SpeedUp {
  readonly scalar: Figure;
  readonly simd: Figure;
  readonly times: number;
}

const speedUp = (scalar: Figure, simd: Figure, times: number): SpeedUp => ({ scalar, simd, times });

/** By the bytes of a chunk, and by the lab's names of engines. */
type SpeedUps = Readonly<Record<number, Readonly<Record<string, SpeedUp>>>>;

/** Columns `published LENGTH scalar`, `simd` and `times` of the engines of a source. */
export const publishedColumns = (all: SpeedUps): Readonly<Record<string, (engine: string) => Said | undefined>> =>
  Object.fromEntries(
    Object.entries(all).flatMap(([length, engines]) => {
      const of = (engine: string): SpeedUp | undefined => engines[engine];
      return [
        [`published ${length} scalar`, (engine: string) => quoted(of(engine)?.scalar)],
        [`published ${length} simd`, (engine: string) => quoted(of(engine)?.simd)],
        [`published ${length} times`, (engine: string) => ratioText(of(engine)?.times)],
      ];
    }),
  );

export const CHACHA20: SpeedUps = {
  65536: {
    chromium: speedUp('506.1', '1285.0', 2.54),
    firefox: speedUp('24.9', '60.1', 2.42),
    webkit: speedUp('409.6', '1191.6', 2.91),
    bun: speedUp([310, 330], [970, 1030], 3.11),
  },
  16384: {
    chromium: speedUp('512.0', '1204.7', 2.35),
    firefox: speedUp('23.4', '56.9', 2.43),
    webkit: speedUp('431.2', '1365.3', 3.17),
    bun: speedUp([310, 330], [980, 1050], 3.17),
  },
  256: {
    chromium: speedUp('328.2', '711.1', 2.17),
    firefox: speedUp('22.5', '53.3', 2.38),
    webkit: speedUp('256.0', '426.7', 1.67),
  },
};

/** One block across the lanes, as a share of the scalar speed: the least and the most of four attempts. */
export const CHACHA20_ROWS: readonly [number, number] = [0.6, 0.72];

export const SERPENT: SpeedUps = {
  65536: {
    chromium: speedUp('15.0', '38.9', 2.59),
    firefox: speedUp('7.1', '15.8', 2.22),
    webkit: speedUp('33.7', '43.5', 1.29),
  },
  16384: {
    chromium: speedUp('15.2', '39.1', 2.58),
    firefox: speedUp('7.4', '15.7', 2.11),
    webkit: speedUp('34.7', '43.6', 1.26),
  },
  1024: {
    chromium: speedUp('14.7', '37.6', 2.55),
    firefox: speedUp('7.0', '14.8', 2.12),
    webkit: speedUp('32.5', '40.2', 1.24),
  },
};

/** Circuits of Serpent's S-boxes: operations on words, among them complements. */
export interface Circuits {
  /** For the head of a column. */
  readonly by: string;
  readonly source: Source;
  readonly gates: readonly number[];
  readonly complements: number;
}

const AUTHORS: Source = {
  name: 'Anderson, Biham and Knudsen, the optimised code of their submission to the AES contest (`serpentsboxes.h`)',
  date: '1998',
  machine: 'counts of its comments',
};
const GLADMAN: Source = {
  name: 'Gladman and Simpson, S-box functions found by search',
  date: 'December 1998',
  machine: 'counts of its comments',
};
const OSVIK: Source = {
  name: 'Osvik, "Speeding up Serpent"',
  date: '2000',
  machine: 'operations as Botan has them, without copies of registers',
};

/** S0 to S7. */
export const SBOX_CIRCUITS: readonly Circuits[] = [
  { by: 'the authors, 1998', source: AUTHORS, gates: [18, 18, 16, 18, 19, 17, 19, 19], complements: 9 },
  { by: 'Gladman and Simpson, 1998', source: GLADMAN, gates: [15, 14, 16, 16, 15, 16, 15, 16], complements: 9 },
  { by: 'Osvik, 2000', source: OSVIK, gates: [17, 17, 14, 17, 19, 18, 17, 19], complements: 11 },
];
/** Their inverses. */
export const INVERSE_CIRCUITS: readonly Circuits[] = [
  { by: 'the authors, 1998', source: AUTHORS, gates: [19, 18, 18, 17, 17, 17, 19, 18], complements: 8 },
  { by: 'Osvik, 2000', source: OSVIK, gates: [18, 18, 18, 17, 19, 18, 16, 18], complements: 9 },
];
