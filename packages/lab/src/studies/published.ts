/**
 * Figures that others have published, as facts with their sources. Pages show them beside those that are measured now;
 * nothing else is taken from the sources.
 */
import { Said } from './prose.ts';

export interface Source {
  /** Author or project, and title. */
  readonly name: string;
  readonly date: string;
  /** The machine that the figures are of. */
  readonly machine: string;
}

/** The benchmark pages of a library for the web, by whose measurements the pages on ChaCha20 and Serpent are asked for. */
export const LEVIATHAN: Source = {
  name: 'leviathan-crypto, benchmark pages of its wiki',
  date: 'March 2026',
  machine: 'Apple Silicon',
};

/** A figure of a source as text; the source must be named on the same page, which `sourceText` does. */
export const quoted = (value: number | string | undefined): Said | undefined =>
  value === undefined ? undefined : new Said(String(value));

export const sourceText = ({ name, date, machine }: Source): Said => new Said(`${name}, ${date}, ${machine}`);

/** Megabytes a second without and with vectors, and the speed-up that was published with them. */
export interface SpeedUp {
  /** A range, where one was published. */
  readonly scalar: number | readonly [number, number];
  readonly simd: number | readonly [number, number];
  readonly times: number | undefined;
}

export const rangeOf = (value: number | readonly [number, number]): string =>
  typeof value === 'number' ? String(value) : `${value[0]} to ${value[1]}`;

/** By the lab's names of engines; chunks of 65,536 bytes. */
export const CHACHA20: Readonly<Record<string, SpeedUp>> = {
  chromium: { scalar: 506, simd: 1285, times: 2.54 },
  firefox: { scalar: 24.9, simd: 60.1, times: 2.42 },
  webkit: { scalar: 410, simd: 1192, times: 2.91 },
  bun: { scalar: [310, 330], simd: [970, 1030], times: 3.11 },
};

/** One block across the lanes, as a share of the scalar speed: the least and the most of four attempts. */
export const CHACHA20_ROWS: readonly [number, number] = [0.6, 0.72];

export const SERPENT: Readonly<Record<string, SpeedUp>> = {
  chromium: { scalar: 15.0, simd: 38.9, times: undefined },
  firefox: { scalar: 7.1, simd: 15.8, times: undefined },
  webkit: { scalar: 33.7, simd: 43.5, times: undefined },
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
