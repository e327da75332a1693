/**
 * Rounds as C: steps become statements on operators that GCC and Clang define for words and for vectors of words alike, so one
 * text serves any number of lanes. The text has no branch and no index that depends on a word.
 */
import type { ProductWords } from '../../lanewise/src/argon2/rounds.ts';
import type { Sha2Words } from '../../lanewise/src/sha2/rounds.ts';
import type { FeedingWords, Logic } from '../../lanewise/src/words/machine.ts';

/** Words that are expressions of C; its steps are collected in the order in which a round takes them. */
export interface Printer extends ProductWords<string>, FeedingWords<string> {
  /** The statements since the last call. */
  taken(): string[];
}

/** @param rotation - The macro that rotates a word to the left. */
export function printer(rotation = 'ROTL'): Printer {
  let code: string[] = [];
  const step = (statement: string): void => void code.push(`${statement};`);
  return {
    add: (d, s) => step(`${d} += ${s}`),
    xor: (d, s) => step(`${d} ^= ${s}`),
    rotl: (d, n) => step(`${d} = ${rotation}(${d}, ${n})`),
    xorRotatedSum: (d, x, y, n) => step(`${d} ^= ${rotation}(${x} + ${y}, ${n})`),
    addProduct: (d, s) => step(`${d} += ${s} + 2 * LOW_PRODUCT(${d}, ${s})`),
    taken() {
      const steps = code;
      code = [];
      return steps;
    },
  };
}

/** Words whose operations are expressions, each in parentheses. */
export const expressions: Sha2Words<string> = {
  add: (x, y) => `(${x} + ${y})`,
  xor: (x, y) => `(${x} ^ ${y})`,
  and: (x, y) => `(${x} & ${y})`,
  rotr: (x, count) => `(${x} >> ${count} | ${x} << ${32 - count})`,
  shr: (x, count) => `(${x} >> ${count})`,
};

/** So many lists of as many steps each, side by side, then the next ones: while one list waits for a result, the others compute. */
export const sideBySide = (lists: readonly (readonly string[])[], count: number): string[] =>
  lists.flatMap((_, first) =>
    first % count === 0 ? lists[0].flatMap((_, i) => lists.slice(first, first + count).map((steps) => steps[i])) : [],
  );

/** Two and four side by side, as `NAME_2` and `NAME_4`: lanes.h has the number that the registers of a width hold. */
export const NUMBERS = [2, 4];

/** A program of bit-sliced rounds: each value becomes a constant of the block that it is printed into; the prefix keeps those of two programs apart. */
export interface LogicPrinter extends Logic<string> {
  taken(): string[];
}

export function logicPrinter(type: string, prefix: string): LogicPrinter {
  let code: string[] = [];
  let count = 0;
  const value = (expression: string): string => {
    const name = `${prefix}${count++}`;
    code.push(`const ${type} ${name} = ${expression};`);
    return name;
  };
  return {
    xor: (x, y) => value(`${x} ^ ${y}`),
    and: (x, y) => value(`${x} & ${y}`),
    or: (x, y) => value(`${x} | ${y}`),
    andnot: (x, y) => value(`${x} & ~${y}`),
    rotl: (x, n) => value(`ROTL(${x}, ${n})`),
    shl: (x, n) => value(`${x} << ${n}`),
    taken() {
      const steps = code;
      code = [];
      return steps;
    },
  };
}

/** A macro of several lines. */
export const macro = (head: string, lines: readonly string[]): string =>
  `#define ${head} \\\n${lines.map((line) => `  ${line}`).join(' \\\n')}\n`;
