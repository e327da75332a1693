// Every instruction of a kernel, and both ways of every branch, are executed by a claim about results. The exceptions are
// listed by the kernel's room, with reasons. Code that no claim about results executes could do anything.
import type { Coverage } from '../execute/coverage.ts';
import { parse } from '../javascript/parse.ts';
import { conditionsOf } from '../javascript/conditions.ts';
import type { KernelText } from '../javascript/texts.ts';
import type { Kernel } from '../kernels.ts';
import { decode } from '../wasm/decode.ts';
import type { DecodedFunction } from '../wasm/types.ts';
import { counted } from './amounts.ts';
import { Failure, type Claim } from './claim.ts';
import { exceptionsOf } from '../rooms.ts';

/** A place that must be executed: an instruction, a condition, or a function of a text. */
interface Place {
  /** The offset in the module or the text. */
  readonly at: number;
  /** The instruction or condition, for example `i32.add`. */
  readonly what: string;
  /** Whether the place is a decision, which must go both ways. */
  readonly decides: boolean;
  /**
   * The places that are executed only if the condition holds (`then`), and only if it does not (`otherwise`): from one
   * number up to, but not including, another.
   */
  readonly then?: readonly [from: number, to: number];
  readonly otherwise?: readonly [from: number, to: number];
}

interface Places {
  readonly name: string;
  readonly places: readonly Place[];
}

/** `else` and `end` compute nothing: they run if the instruction before them runs. */
function placesOfFunction({ name, index, code }: DecodedFunction): Places {
  const places = code.map((instruction, i): Place => {
    const { op, at } = instruction;
    const place = { at, what: op, decides: op === 'if' || op === 'br_if' };
    if (instruction.op !== 'if') return place;
    const { otherwise, end } = instruction;
    return { ...place, then: [i + 1, otherwise], otherwise: [otherwise + 1, end] };
  });
  return { name: name ?? `function ${index}`, places };
}

const placesOfModule = ({ bytes }: Kernel): Places[] => decode(bytes).functions.map(placesOfFunction);

/** The places of a text: its conditions, because nothing else decides which code runs. */
const placesOfText = ({ text }: KernelText): Places[] =>
  [...parse(text).functions.values()].map((f) => ({
    name: f.name,
    places: [
      { at: f.at, what: 'function', decides: false },
      ...conditionsOf(f).map(({ at }): Place => ({ at, what: 'condition', decides: true })),
    ],
  }));

export interface Gap {
  /** The name in the list of exceptions, for example `open 21: if always holds`. */
  readonly name: string;
  /** The offset of the first place that is not executed, or of the branch that goes one way only. */
  readonly at: number;
}

const isMark = ({ what }: Place): boolean => what === 'end' || what === 'else';

/** The code of a function that was not executed. The code after a branch that goes one way only is not listed again. */
function gapsOf({ name, places }: Places, coverage: Coverage): Gap[] {
  const ran = ({ at, decides }: Place): boolean =>
    coverage.hasRun(at) || (decides && (coverage.hasHeld(at) || coverage.hasFailed(at)));
  if (!places.some(ran)) return [{ name: `${name}: not run`, at: places[0].at }];
  const implied = new Set<number>();
  const imply = (range: Place['then']): void => {
    for (let i = range?.[0] ?? 0; i < (range?.[1] ?? 0); i++) implied.add(i);
  };
  const gaps: Gap[] = [];
  for (let i = 0; i < places.length; i++) {
    const place = places[i];
    const { at, what, decides, then, otherwise } = place;
    if (implied.has(i) || isMark(place)) continue;
    if (!ran(place)) {
      let last = i;
      while (last + 1 < places.length && !ran(places[last + 1]) && !isMark(places[last + 1])) last++;
      gaps.push({ name: `${name} ${i === last ? i : `${i} to ${last}`}: not run`, at });
      i = last;
      continue;
    }
    if (!decides || (coverage.hasHeld(at) && coverage.hasFailed(at))) continue;
    const always = coverage.hasHeld(at);
    imply(always ? otherwise : then);
    gaps.push({ name: `${name} ${i}: ${what} ${always ? 'always' : 'never'} holds`, at });
  }
  return gaps;
}

/** The code of a module, or of a text, that was not executed. */
export const moduleGaps = (kernel: Kernel, coverage: Coverage): Gap[] =>
  placesOfModule(kernel).flatMap((places) => gapsOf(places, coverage));
export const textGaps = (text: KernelText, coverage: Coverage): Gap[] =>
  placesOfText(text).flatMap((places) => gapsOf(places, coverage));

const MOST_SHOWN = 12;
const shown = (names: readonly string[]): string =>
  names.slice(0, MOST_SHOWN).join('; ') + (names.length > MOST_SHOWN ? `; and ${names.length - MOST_SHOWN} more` : '');

/** A claim that must be proved after the claims about results, which mark the code that they execute. */
function coverageClaim(kernel: string, results: readonly Claim[], all: () => Places[], coverage: Coverage): Claim {
  return {
    kernel,
    claim: 'coverage: every instruction and both ways of every branch, by claims about results',
    after: results,
    prove() {
      const functions = all();
      const gaps = functions.flatMap((places) => gapsOf(places, coverage)).map(({ name }) => name);
      const exceptions = exceptionsOf(kernel);
      const unknown = gaps.filter((name) => !exceptions.includes(name));
      if (unknown.length) throw new Failure(`no claim about results runs all of it: ${shown(unknown)}`);
      const needless = exceptions.filter((name) => !gaps.includes(name));
      if (needless.length) throw new Failure(`exceptions that are none: ${shown(needless)}`);
      const places = functions.flatMap((f) => f.places);
      counted('places', places.length + places.filter(({ decides }) => decides).length);
      counted('exceptions', exceptions.length);
    },
  };
}

export const moduleCoverage = (kernel: Kernel, results: readonly Claim[], coverage: Coverage): Claim =>
  coverageClaim(kernel.name, results, () => placesOfModule(kernel), coverage);
export const textCoverage = (text: KernelText, results: readonly Claim[], coverage: Coverage): Claim =>
  coverageClaim(text.name, results, () => placesOfText(text), coverage);
