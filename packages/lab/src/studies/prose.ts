/**
 * The text of pages. A number in it comes from a result of the lab (`study.ts`), from a table of published figures
 * (`published.ts`), or from a definition (`given`); a digit that somebody wrote into a sentence is an error when the page
 * is drawn. So no sentence can outlive the measurement that it was written about.
 */

/** Text that may contain digits, because it was made from a figure. */
export class Said {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** A value in a sentence; a sentence with an undefined one, which was not measured, is left out. */
export type Value = Said | string | undefined;

/** Parts of a text in which digits are names: words that begin with a letter, specifications, code, and addresses of links. */
const NAMES = [
  /`[^`]*`/g,
  /\]\([^)\s]*\)/g,
  /\bRFC \d+(?: §[\d.]+)?/g,
  /(?<![\w.])[A-Za-z][\w-]*\d[\w-]*/g,
  // The marker of an ordered list.
  /^\d+\. /gm,
];

/** The first digit that comes from no figure, with its surroundings; undefined if there is none. */
export function strayDigit(text: string): string | undefined {
  const rest = NAMES.reduce((each, name) => each.replaceAll(name, ' '), text);
  return /\S*\d\S*/.exec(rest)?.[0];
}

function checked(text: string): string {
  const stray = strayDigit(text);
  if (stray !== undefined)
    throw new Error(`"${stray}" is written by hand in "${text.trim()}": numbers come from results, or by given()`);
  return text;
}

/** A piece of text with values; undefined if one of these is. Digits outside of values are an error. */
export function say(strings: TemplateStringsArray, ...values: readonly Value[]): Said | undefined {
  const parts = strings.map((part) => checked(part));
  const shown: string[] = [];
  for (const value of values) {
    if (value === undefined) return undefined;
    shown.push(value instanceof Said ? value.text : checked(value));
  }
  return new Said(parts.map((part, i) => part + (shown[i] ?? '')).join(''));
}

/** A number of a definition, with the clause that it is from: it can be looked up, and no measurement changes it. */
export function given(value: number | string, clause: string): Said {
  if (clause.trim() === '') throw new Error('given() names the clause that its number is from');
  return new Said(String(value));
}

export const textOf = (value: Said | string): string => (value instanceof Said ? value.text : checked(value));

/** The texts of those that are defined. */
const textsOf = (values: readonly Value[]): string[] =>
  values.flatMap((value) => (value === undefined ? [] : textOf(value)));

/** `a`, `a and b`, `a, b and c`; undefined if there is nothing. */
export function listed(values: readonly Value[]): Said | undefined {
  const texts = textsOf(values);
  if (texts.length === 0) return undefined;
  return new Said(texts.length === 1 ? texts[0] : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`);
}

/** Sentences to a paragraph, without those that are undefined. */
export const paragraph = (...sentences: readonly Value[]): string => textsOf(sentences).join(' ');

export const heading = (text: Value, level: 2 | 3 = 2): string => `${'#'.repeat(level)} ${textOf(text ?? '')}`;

export const bullets = (...points: readonly Value[]): string =>
  textsOf(points)
    .map((text) => `- ${text}`)
    .join('\n');

/** Names that are as short as those of engines stay on one line. */
const SHORT_NAME = 18;
const unbroken = (name: string): string => (name.length <= SHORT_NAME ? name.replaceAll(' ', '\u00a0') : name);

/** A cell without a value. */
const NONE = '–';

/** The first `names` columns are text, the others are numbers. Rows without any value after their names are left out. */
export function table(
  head: readonly (Said | string)[],
  rows: readonly (readonly Value[])[],
  names = 1,
): string | undefined {
  const shown = rows.filter((row) => row.slice(names).some((cell) => cell !== undefined));
  if (shown.length === 0) return undefined;
  const line = (cells: readonly Value[]): string =>
    `| ${cells
      .map((cell, i) => {
        if (cell === undefined) return NONE;
        const shown = textOf(cell).replaceAll('|', '\\|');
        return i < names ? unbroken(shown) : shown;
      })
      .join(' | ')} |`;
  const rule = `| ${head.map((_, i) => (i < names ? '---' : '--:')).join(' | ')} |`;
  return [line(head), rule, ...shown.map(line)].join('\n');
}
