/** Runs properties with one seed after the other until the time is over, and keeps the seeds that failed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Property } from '../test/support/properties.ts';

/** A failure, with the values that reproduce it. */
export interface Failure {
  readonly property: string;
  readonly seed: number;
  readonly cases: number;
  readonly message: string;
}

export interface Plan {
  readonly properties: readonly Property[];
  readonly seed: number;
  /** Whether there is time for more, asked between seeds. */
  readonly more: () => boolean;
  /** Where failures are kept, and taken from: those of earlier runs are tried first. */
  readonly file: string;
  /** For each line of progress. */
  readonly tell: (line: string) => void;
}

export interface Outcome {
  readonly cases: number;
  readonly failures: readonly Failure[];
}

/** Cases a property gets with one seed, per unit of its share: enough that starting costs nothing. */
const CASES = 20;

export const kept = (file: string): Failure[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Failure[]) : [];

function keep(file: string, failures: readonly Failure[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(failures, undefined, 2)}\n`);
}

function attempt({ name, run }: Property, cases: number, seed: number): Failure | undefined {
  try {
    run(cases, seed);
    return undefined;
  } catch (error) {
    return { property: name, seed, cases, message: error instanceof Error ? error.message : String(error) };
  }
}

export function fuzz({ properties, seed, more, file, tell }: Plan): Outcome {
  const start = performance.now();
  let cases = 0;
  const failures: Failure[] = [];
  const fail = (failure: Failure): void => {
    failures.push(failure);
    tell(`FAILED ${failure.property}, seed ${failure.seed}, ${failure.cases} cases\n${failure.message}`);
  };

  // Failures that still occur stay in the file; the others are removed.
  const earlier = kept(file);
  const ofOthers = earlier.filter(({ property }) => !properties.some(({ name }) => name === property));
  for (const { property: name, cases: count, seed: its } of earlier) {
    const property = properties.find((each) => each.name === name);
    if (!property) continue;
    const failure = attempt(property, count, its);
    cases += count;
    if (failure) fail(failure);
  }
  if (earlier.length) tell(`${earlier.length} earlier failures tried again: ${failures.length} fail still`);

  for (let round = 0; more(); round++) {
    for (const property of properties) {
      const count = CASES * property.share;
      const failure = attempt(property, count, (seed + round) | 0);
      cases += count;
      if (failure) fail(failure);
    }
    if (round % 16 === 0) {
      const seconds = (performance.now() - start) / 1000;
      tell(
        `${cases} cases, ${Math.round(cases / seconds)} a second, seed ${seed + round}, ${failures.length} failures`,
      );
    }
    if (failures.length) keep(file, [...ofOthers, ...failures]);
  }
  if (failures.length || earlier.length) keep(file, [...ofOthers, ...failures]);
  return { cases, failures };
}
