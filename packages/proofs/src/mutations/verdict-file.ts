/** The verdicts of a run, a line for each place that has been judged: a run that was ended goes on where it was. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Layer } from './full-set.ts';
import type { Verdict } from './judge.ts';
import type { Flip } from './mutants.ts';

export interface JudgedMutant extends Flip {
  /** The instruction before and after. */
  readonly change: string;
  readonly verdict: Verdict;
}

export interface JudgedPlace {
  readonly kernel: string;
  /** The first digits of the SHA-256 of the module. */
  readonly module: string;
  /** The index of the function, and that of the instruction. */
  readonly function: number;
  readonly index: number;
  readonly layer: Layer;
  readonly mutants: readonly JudgedMutant[];
  readonly milliseconds: number;
}

export type PlaceKey = Pick<JudgedPlace, 'module' | 'function' | 'index' | 'layer'>;
export const keyOf = ({ module, function: f, index, layer }: PlaceKey): string => `${module} ${f} ${index} ${layer}`;

/** The last line may be cut off, if the run was ended while it was written. */
function placeIn(line: string): JudgedPlace[] {
  try {
    return [JSON.parse(line) as JudgedPlace];
  } catch {
    return [];
  }
}

export class VerdictFile {
  readonly #path: string;
  readonly places: readonly JudgedPlace[];

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (text !== '' && !text.endsWith('\n')) appendFileSync(path, '\n');
    this.places = text.split('\n').flatMap(placeIn);
  }

  add(place: JudgedPlace): void {
    appendFileSync(this.#path, JSON.stringify(place) + '\n');
  }
}
