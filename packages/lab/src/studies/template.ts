/**
 * Pages of studies are Markdown with named figures: `{{name}}`, or an expression of the figures of a result, which are filled when
 * the page is drawn. A name that is not known is an error; a sentence (a line) whose figure was not measured is left out, and so is a
 * section, or a part of one with a heading of its own, none of whose figures was.
 *
 * - `{{64 by RFC 8439 §2.3}}`: a number of a definition, and its clause.
 * - `{{engines of CONTEST}}`: the engines that have it; `{{name}}` alone: a figure, a table or a picture that the study makes.
 * - `{{CONTEST CASE÷THAN}}`: how many times as fast CASE is, the least and the most over the newest engines; `÷…−1` is the share more.
 * - `{{CONTEST speed(CASE)}}`, `cycles`, `ns`; with ` in usual` over all engines that users have, with ` in bun` of this one,
 *   with ` in main` of the one that pictures of one engine have; and with ` as times` in another format.
 *
 * CONTEST and CASE are names of the study: `long`, `sectors/512`, which adds to the id, and `bytes:64`, which replaces its `*`.
 */
import { readFileSync } from 'node:fs';
import { contests } from '../client/catalogue.ts';
import type { Machine, MachineEngine } from './machine.ts';
import type { Given, StudyData } from './study.ts';
import { isUsual, newest } from './newest.ts';
import { drawn, type Reading } from './drawn.ts';
import {
  cyclesText,
  listedEngines,
  megabytes,
  percentText,
  plain,
  rangeText,
  ratioText,
  speedText,
  timesText,
} from './numbers.ts';
import type { Shown } from './shown.ts';
import { given, Said, strayDigit, textOf, type Value } from './prose.ts';

/** The values of a study, and its pictures for the page's blocks. */
type Own = Given & { readonly shown: Shown };

const FORMATS = {
  cycles: cyclesText,
  percent: percentText,
  plain,
  ratio: ratioText,
  speed: speedText,
  times: timesText,
};
const USUAL = { speed: speedText, cycles: cyclesText, ns: plain } as const;
/** Without the unit, which the head of a column has. */
const IN_COLUMNS = new Map([
  [speedText, megabytes],
  [cyclesText, plain],
]);
const known = new Set(contests.map(({ id }) => id));

/** The engine of a page that has room for one: Node, where there is native code beside it, and AES without a promise. */
export const mainOf = (engines: readonly MachineEngine[]): MachineEngine | undefined =>
  engines.find(({ id }) => id === 'node26') ?? engines.at(0);

class Template {
  readonly #machine: Machine;
  readonly #given: Given;

  constructor(machine: Machine, own: Given) {
    this.#machine = machine;
    this.#given = own;
  }

  /** `$` stands for `item`. */
  #idOf(word: string, item = ''): string {
    if (word === '$' && item.startsWith('=')) return item.slice(1);
    const [name, argument] = word.replace('$', item).split(':');
    const id = this.#given.names[name] as string | undefined;
    if (id === undefined) throw new Error(`"${word}" is no name of the study`);
    if (id.includes('*') !== (argument !== undefined)) throw new Error(`"${word}" does not fit "${id}"`);
    return id.replace('*', argument);
  }

  contestOf(word: string): string {
    const slash = word.lastIndexOf('/');
    const id = slash < 0 ? this.#idOf(word) : this.#idOf(word.slice(0, slash)) + word.slice(slash);
    if (!known.has(id)) throw new Error(`"${word}" is "${id}", which is no contest`);
    return id;
  }

  /** Undefined if it was not measured. */
  figure(expression: string): Value {
    const { figures = {}, parts: blocks = {}, published = {} } = this.#given;
    if (Object.hasOwn(blocks, expression)) {
      const block = blocks[expression];
      return block === undefined ? undefined : new Said(block);
    }
    if (Object.hasOwn(figures, expression)) return figures[expression];
    if (Object.hasOwn(published, expression)) return published[expression];
    const definition = /^(.+) by (.+)$/.exec(expression);
    if (definition) return given(definition[1], definition[2]);
    const engines = /^engines of (\S+)$/.exec(expression);
    if (engines) return listedEngines(newest(this.#machine.engines(this.contestOf(engines[1]))));
    const parts = /^(\S+) (\S+)(?: in (\S+))?(?: as (\S+))?$/.exec(expression);
    if (!parts) throw new Error(`"${expression}" is neither a figure of the study nor an expression`);
    const [, word, measure, group = 'newest', as] = parts;
    const contest = this.contestOf(word);
    const { of, usual } = this.#measure(contest, measure);
    const format = as === undefined ? usual : (FORMATS[as as keyof typeof FORMATS] as typeof usual | undefined);
    if (!format) throw new Error(`"${expression}" expects one of the formats ${Object.keys(FORMATS).join(', ')}`);
    const all = this.#machine.engines(contest);
    if (group === 'newest') return rangeText(newest(all).map(of), format);
    if (group === 'usual') return rangeText(all.filter(({ id }) => isUsual(id)).map(of), format);
    return format(of(group === 'main' ? (mainOf(all) ?? { id: group }) : { id: group }));
  }

  #measure(contest: string, measure: string, item?: string) {
    const ratio = /^([^÷]+)÷([^÷]+?)(−1)?$/.exec(measure);
    if (ratio) {
      const [one, other] = [this.#idOf(ratio[1], item), this.#idOf(ratio[2], item)];
      const less = ratio[3] === undefined ? 0 : 1;
      return {
        usual: less === 0 ? ratioText : percentText,
        of: ({ id }: { id: string }) => {
          const value = this.#machine.faster(id, contest, one, other);
          return value === undefined ? undefined : value - less;
        },
      };
    }
    const single = /^(speed|cycles|ns)\((.+)\)$/.exec(measure);
    if (!single) throw new Error(`"${measure}" is no measure: CASE÷CASE, speed(CASE), cycles(CASE) or ns(CASE)`);
    const name = this.#idOf(single[2], item);
    const kind = single[1] as keyof typeof USUAL;
    return {
      usual: USUAL[kind],
      of: ({ id }: { id: string }) => this.#machine[kind === 'ns' ? 'nanoseconds' : kind](id, contest, name),
    };
  }

  /** The figure of an engine, and its format in a column. */
  #column(expression: string, engine: string, item: string): readonly [number | Value, (value: number) => Value] {
    const own = this.#given.columns?.[expression];
    if (own) return [own(engine, item), plain];
    const [word, measure] = expression.split(' ');
    const { of, usual } = this.#measure(this.contestOf(word.replace('$', item)), measure, item);
    return [of({ id: engine }), IN_COLUMNS.get(usual) ?? usual];
  }
  get reading(): Reading {
    return {
      machine: this.#machine,
      mainOf,
      contestOf: (word) => this.contestOf(word),
      number: (expression, engine, item) => {
        const [value] = this.#column(expression, engine, item);
        return typeof value === 'number' ? value : undefined;
      },
      cell: (expression, engine, item) => {
        const [value, format] = this.#column(expression, engine, item);
        return typeof value === 'number' ? format(value) : value;
      },
    };
  }
  /** A line with its figures; undefined if one of them was not measured. */
  line(line: string): { readonly text: string | undefined; readonly measured: number; readonly asked: number } {
    const stray = strayDigit(line.replaceAll(/\{\{.*?\}\}/g, ' '));
    if (stray !== undefined) throw new Error(`"${stray}" is written by hand in "${line}": numbers come from figures`);
    const values: Value[] = [];
    let [measured, asked] = [0, 0];
    for (const [, expression] of line.matchAll(/\{\{(.*?)\}\}/g)) {
      const value = this.figure(expression.trim());
      values.push(value);
      if (/^.+ by .+$/.test(expression) || Object.hasOwn(this.#given.published ?? {}, expression)) continue;
      asked++;
      if (value !== undefined) measured++;
    }
    let i = 0;
    // Values are text: none of them is filled again.
    const text = values.includes(undefined) ? undefined : line.replaceAll(/\{\{.*?\}\}/g, () => textOf(values[i++]!));
    return { text, measured, asked };
  }
}

/** A part of a page, and how many of the figures that it asks for were measured. */
interface Part {
  readonly text: string;
  readonly measured: number;
  readonly asked: number;
}

/** Parts in a row. */
const together = (parts: readonly Part[]): Part =>
  parts.reduce(
    (all, { text, measured, asked }) => ({
      text: [all.text, text].filter((each) => each !== '').join('\n\n'),
      measured: all.measured + measured,
      asked: all.asked + asked,
    }),
    { text: '', measured: 0, asked: 0 },
  );

/** Nothing in place of a part none of whose figures was measured. */
const orNothing = (part: Part): Part => (part.asked > 0 && part.measured === 0 ? { ...part, text: '' } : part);

/** The page of a template, without the parts that weren't measured. */
export function filled(template: string, data: StudyData, own: Own): string {
  const [filling, ...others] = [data, ...data.others].map((machine) => new Template(machine, own));
  const readings = [filling, ...others].map(({ reading }) => reading);
  const part = (block: string): Part => {
    if (/^```(?:bars|lines|processors|table)\b/.test(block)) {
      const text = block.replaceAll(/\{\{(.*?)\}\}/g, (_, name: string) => textOf(filling.figure(name) ?? ''));
      const found = drawn(text, readings, own.shown);
      return { text: found ?? '', measured: found === undefined ? 0 : 1, asked: 1 };
    }
    const lines = block.split('\n').map((line) => filling.line(line));
    const { measured, asked } = together(lines.map((line) => ({ ...line, text: '' })));
    const text = lines.flatMap((line) => line.text ?? []).join(/^[-#|]/.test(block) ? '\n' : ' ');
    return { text, measured, asked };
  };
  // From one heading of the second or the third level to the next.
  return template
    .split(/\n(?=## )/)
    .map((section) => {
      const [first, ...others] = section
        .split(/\n(?=### )/)
        .map((each) => together(each.trim().split(/\n\n+/).map(part)));
      return orNothing(together([first, ...others.map(orNothing)])).text;
    })
    .filter((section) => section !== '')
    .join('\n\n');
}

/** The template of a study, `<id>/page.md`, with its links as docs/studies has them. */
export const templateOf = (folder: string): string =>
  readFileSync(`${folder}/page.md`, 'utf8')
    .replace(/^<!--.*?-->\n/s, '')
    .replaceAll('](../../kernels/', '](../../packages/lab/src/kernels/')
    .replaceAll(/\]\((?:\.\.\/){5}docs\/(studies\/)?/g, (_, studies?: string) => (studies ? '](' : '](../'));
