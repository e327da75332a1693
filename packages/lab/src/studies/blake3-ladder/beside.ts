/** The library, Rust's WebAssembly, SHA-256 and asm.js beside the steps. */
import { listedEngines, percentText, rangeText, ratioText, timesText } from '../numbers.ts';
import { given, heading, paragraph, Said, say, table, type Value } from '../prose.ts';
import type { StudyData } from '../study.ts';
import {
  ASM,
  at,
  before,
  BUFFERS,
  LAST,
  LENGTHS,
  lengthText,
  LIBRARY,
  LONG_LENGTHS,
  NAIVE,
  OURS,
  OUTPUT,
  RUST,
  VIEWS,
} from './contests.ts';
import { enginesOf, gainIn, gainTable, overLong, stepText, verdicts } from './gains.ts';
import { FIREFOX_WITHOUT_ASM } from './published.ts';

const MIB = 2 ** 20;
const LONG = 2 ** 16;
const SHORT = 96;

const over = (data: StudyData, contest: string, id: string, than: string): (number | undefined)[] =>
  enginesOf(data, contest).map((engine) => data.faster(engine.id, contest, id, than));

const TAILS = LENGTHS.filter((length) => length <= LONG);

const tailTable = (data: StudyData): string | undefined =>
  table(
    [new Said(`${LAST} ÷ ${before(LAST)}`), ...TAILS.map(lengthText)],
    enginesOf(data, at(LONG)).map((engine) => [
      new Said(engine.name),
      ...TAILS.map((length) => ratioText(gainIn(data, at(length), engine.id, LAST))),
    ]),
  );

/** Steps of the library, which are told apart by a long message: a subtree must not be all of it. */
export const oursParts = (data: StudyData): (string | undefined)[] => {
  const contest = at(MIB);
  const behindRust = enginesOf(data, contest).filter(({ id }) => (data.faster(id, contest, LIBRARY, RUST[0]) ?? 1) < 1);
  const output = over(data, OUTPUT, LIBRARY, 'lanewise scalar');
  return [
    heading('Additions of the library'),
    paragraph(
      say`The forms from ${stepText(OURS[0])} on are made of the functions of the library's kernel, with and without its parts. The message has ${lengthText(MIB)}: in a shorter one there are few subtrees that do not contain the root.`,
    ),
    gainTable(data, [contest], OURS.slice(0, -1), false),
    verdicts(data, [contest], OURS.slice(0, -1)),
    paragraph(
      say`What ${stepText(LAST)} gains depends on the length, because it is about what the subtrees leave over:`,
    ),
    tailTable(data),
    paragraph(
      say`The library, called as users call it, is ${rangeText(over(data, contest, LIBRARY, LAST), timesText)} as fast as ${stepText(LAST)}: it also checks its arguments, wipes its memory, and selects a kernel.`,
      say`For ${lengthText(SHORT)} it is ${rangeText(over(data, at(SHORT), LIBRARY, LAST), timesText)} as fast.`,
      say`It is ${rangeText(over(data, contest, LIBRARY, NAIVE), timesText)} as fast as the naive port, and ${rangeText(over(data, contest, LIBRARY, RUST[0]), timesText)} as fast as the official crate, compiled with vectors.`,
      say`The crate is the faster one in ${listedEngines(behindRust)}.`,
      say`Extended output in lanes, which no step above has, is ${rangeText(output, timesText)} as fast as without.`,
    ),
  ];
};

/** Engines whose compiler is V8. */
export const isV8 = (id: string): boolean => /^(?:chromium|deno|node\d*|workerd)$/.test(id);

const ASM_FASTER = 1.05;
const ASM_SLOWER = 0.95;

export const asmParts = (data: StudyData): (string | undefined)[] => {
  const contest = at(LONG);
  const found = enginesOf(data, ...LONG_LENGTHS.map(at)).flatMap((engine) => {
    const [value, buffers] = [VIEWS, BUFFERS].map((than) => overLong(data, engine.id, ASM, than));
    return value === undefined ? [] : [{ engine, value, buffers }];
  });
  if (found.length === 0) return [];
  const group = (is: (value: number) => boolean) => found.filter(({ value }) => is(value)).map(({ engine }) => engine);
  const [faster, slower] = [group((value) => value >= ASM_FASTER), group((value) => value <= ASM_SLOWER)];
  const plain = found
    .filter(({ engine, buffers }) => !isV8(engine.id) && (buffers ?? 0) >= ASM_FASTER)
    .map(({ engine }) => engine);
  const some = (engines: readonly { readonly name: string }[], text: Value): Value =>
    engines.length > 0 ? text : undefined;
  return [
    heading('asm.js'),
    paragraph(
      say`The case study tried asm.js as well: it found little difference in V8, and a gain in Firefox. Here ${stepText(ASM)} is the compression function and the loop over a chunk in it, as a function of a file that says \`use asm\`: no text becomes code.`,
      say`Its steps are those of ${stepText(BUFFERS)}, but each chunk is copied into its heap. V8 still compiles it ahead of time (a test asks its \`%IsAsmWasmCode\`); Firefox has not since its version ${given(FIREFOX_WITHOUT_ASM, 'the blog of SpiderMonkey, "Saying goodbye to asm.js"')}, and JavaScriptCore never did: for these it is JavaScript with many zeros.`,
    ),
    table(
      ['engine', new Said(`${ASM} ÷ ${BUFFERS}`), new Said(`${ASM} ÷ ${VIEWS}`)],
      found.map(({ engine, value, buffers }) => [new Said(engine.name), ratioText(buffers), ratioText(value)]),
    ),
    paragraph(
      say`Over ${stepText(BUFFERS)} it gains in ${listedEngines(plain)}, too, which run it as JavaScript: its words come from the heap, and are not put together from bytes.`,
      faster.length === 0 && slower.length === 0 ? 'Beside views it makes no difference in any engine.' : undefined,
      some(faster, say`It is faster than views in ${listedEngines(faster)}.`),
      some(slower, say`It is slower in ${listedEngines(slower)}.`),
      faster.length === 0
        ? 'Nothing is left that would be worth its restrictions.'
        : say`Over views it gains ${percentText(Math.max(...found.map(({ value }) => value)) - 1)} at most; WebAssembly with vectors is ${rangeText(over(data, contest, LAST, VIEWS), timesText)} as fast as views.`,
    ),
  ];
};
