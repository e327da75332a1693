/** The pages of docs/studies and their pictures, drawn from results. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as prettier from 'prettier';
import { contests as allContests } from '../client/catalogue.ts';
import { between, marksIn } from '../report/markdown.ts';
import { quantile } from '../results/medians.ts';
import { isFileName } from '../results/names.ts';
import { ResultError } from '../results/schema.ts';
import { readResult } from '../results/store.ts';
import { machinesOf, type Machine, type NamedResult } from './machine.ts';
import { isUsual } from './newest.ts';
import { percentText } from './numbers.ts';
import { listed, paragraph, Said, say, heading } from './prose.ts';
import { shownIn } from './shown.ts';
import type { Study, StudyData } from './study.ts';
import { filled, templateOf } from './template.ts';

const root = join(import.meta.dirname, '../../../..');
export const STUDIES: string = join(root, 'docs/studies');
/** Results that were measured for studies, on this machine and on others. */
export const RESULTS: string = join(STUDIES, 'results');
/** The beginning of the names of these results. */
export const IN_RESULTS = 'docs/studies/results/';
const MEASUREMENTS = join(root, 'docs/measurements');

/** All studies, by their order. */
export async function allStudies(): Promise<readonly Study[]> {
  const files = readdirSync(import.meta.dirname, { withFileTypes: true })
    .map(({ name }) => join(import.meta.dirname, name, 'study.ts'))
    .filter((path) => existsSync(path));
  const modules = await Promise.all(
    files.map((path) => import(/* @vite-ignore */ pathToFileURL(path).href) as Promise<{ study: Study }>),
  );
  return modules.map(({ study }) => study).sort((a, b) => a.order - b.order);
}

/** A result as pages name it. Its own names can be written into pages, whoever sent it: `readResult` refuses all others. */
export function resultFor(name: string, path: string): NamedResult {
  if (!name.split('/').every(isFileName))
    throw new ResultError(`${path} expected a name of letters A-Z, digits and .+-, because pages show it`);
  return { name, result: readResult(path) };
}

/** The results that the repository has: whole runs of the lab, newest first, whose newest is of the pages' machine; then those of studies. */
export function committedResults(): readonly NamedResult[] {
  const runs = readdirSync(MEASUREMENTS)
    .filter((name) => existsSync(join(MEASUREMENTS, name, 'results.json')))
    .sort()
    .reverse()
    .map((name) => [`docs/measurements/${name}`, join(MEASUREMENTS, name, 'results.json')] as const);
  const own = (existsSync(RESULTS) ? readdirSync(RESULTS) : [])
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [`${IN_RESULTS}${name}`, join(RESULTS, name)] as const);
  return [...runs, ...own].map(([name, path]) => resultFor(name, path));
}

export function dataOf(results: readonly NamedResult[]): StudyData {
  const [main, ...others] = machinesOf(results);
  if (main === undefined) throw new Error('studies are drawn from results, and there are none');
  return { ...main, others };
}

/** The ids of the contests that a study names: with `full`, those of all kinds. */
export function contestsOf(names: readonly string[], full = false): readonly string[] {
  const ids = allContests
    .filter(({ id, kinds }) =>
      names.some(
        (name) =>
          id === name ||
          (name.endsWith('/') && id.startsWith(name) && (full || kinds.length === 0 || kinds.includes('default'))),
      ),
    )
    .map(({ id }) => id);
  for (const name of names)
    if (!ids.some((id) => id === name || (name.endsWith('/') && id.startsWith(name))))
      throw new Error(`a study names "${name}", which is no contest`);
  return ids;
}

/** A page is about the processor that has measured most of its contests: that of the newest run, unless it lacks some. */
export function dataFor({ contests: names }: Study, data: StudyData): StudyData {
  const countOf = (its: Machine): number => contestsOf(names).filter((id) => its.engines(id).length > 0).length;
  const [main, ...others] = [data, ...data.others].sort((a, b) => countOf(b) - countOf(a));
  return { ...main, others };
}

/** How the page can be repeated, and from which results it comes. */
function ending(study: Study, data: StudyData): string {
  const { processor, results, others } = data;
  const names = contestsOf(study.contests, true);
  const used = (all: readonly NamedResult[]): readonly NamedResult[] =>
    all.filter(({ result: { contests } }) => contests.some(({ id }) => names.includes(id)));
  const dates = used(results).map(
    ({ name, result: { startedAt } }) => new Said(`${startedAt.slice(0, 10)} (\`${name}\`)`),
  );
  const elsewhere = others
    .filter((machine) => used(machine.results).length > 0)
    .map(({ processor: other, results: own }) => new Said(`${other} (${used(own)[0].result.startedAt.slice(0, 10)})`));
  const engines = data.engines(...names);
  const at = engines.filter(({ id }) => isUsual(id)).map(({ name }) => new Said(name));
  const slow = engines.filter(({ id }) => !isUsual(id)).map(({ name }) => new Said(name.replace(/ [\d.]+$/, '')));
  const deviations = data.deviations(data.contests('').filter((id) => names.includes(id)));
  const within = (share: number): Said | undefined =>
    deviations.length === 0 ? undefined : percentText(quantile(deviations, share));
  return [
    heading('The machine, and how to repeat this'),
    paragraph(
      say`Measured on ${new Said(processor)}, in ${listed(at)}: ${listed(dates)}.`,
      say`In other tiers: ${listed(slow)}.`,
      say`Plots by processor also have ${listed(elsewhere)}, each with the code and the engines of its day.`,
      'Figures are medians over fresh processes, ratios are medians of the ratios within a round: [the lab](../../packages/lab/README.md) says how.',
      say`Half of all processes are within ${within(0.5)} of the median of their case, and nine of ten within ${within(0.9)}; pictures show medians only.`,
      'Contestants that can write to a buffer of the caller get one; the others allocate their results, and that counts.',
    ),
    `\`\`\`sh\n# Measures what no result of your processor has, and draws the page:\nnpm run studies -- ${study.id}\n# Draws it from the results that are there:\nnpm run studies -- ${study.id} --draw\n\`\`\``,
    '[How to send a result](README.md#send-a-result) of another processor.',
  ].join('\n\n');
}

const NOTE = '<!-- `npm run studies` writes this page: edit packages/lab/src/studies, not this file. -->';

/** The text of a page below its title, and its pictures by the names of their files. */
export function pageOf({ id, contests: names, given }: Study, data: StudyData) {
  const { shown, pictures } = shownIn(id, data);
  const text =
    data.engines(...contestsOf(names)).length === 0
      ? 'No result of this processor has these contests yet.'
      : filled(templateOf(join(import.meta.dirname, id)), data, { ...given(data, shown), shown });
  return { text, pictures };
}

/** The files of a study by their names in docs/studies. */
export async function filesOf(study: Study, data: StudyData): Promise<ReadonlyMap<string, string>> {
  const { text, pictures } = pageOf(study, data);
  const markdown = [NOTE, `# ${study.title}`, text, ending(study, data)].join('\n\n');
  for (const name of pictures.keys()) {
    if (!name.startsWith(`${study.id}-`) || !name.endsWith('.svg'))
      throw new Error(`the picture ${name} of the study ${study.id} expected the name ${study.id}-….svg`);
    if (!markdown.includes(`](${name})`)) throw new Error(`the page ${study.id} does not show its picture ${name}`);
  }
  return new Map([[`${study.id}.md`, await formatted(markdown, `${study.id}.md`)], ...pictures]);
}

const formatted = async (markdown: string, name: string): Promise<string> =>
  prettier.format(markdown, { ...(await prettier.resolveConfig(join(STUDIES, name))), parser: 'markdown' });

const COMMAND = 'npm run studies';

/** Whether a text is docs/studies/README.md, or was made of it. */
export const isIndex = (text: string): boolean => marksIn(text, COMMAND) !== undefined;

/** docs/studies/README.md with the list of studies. */
export async function indexOf(
  readme: string,
  studies: readonly Study[],
  machines: readonly Machine[],
): Promise<string> {
  const list = studies.map(({ id, title, summary }, i) => `${i + 1}. [${title}](${id}.md): ${summary}`).join('\n');
  const processors = machines
    .map(({ processor, results }) => `- ${processor}: ${results.map(({ name }) => `\`${name}\``).join(', ')}`)
    .join('\n');
  const section = `${list}\n\nProcessors that have measured, the one that the pages are about first:\n\n${processors}`;
  return formatted(between(readme, COMMAND, section), 'README.md');
}

/** All files of all studies, by their names in docs/studies. */
export async function allFiles(
  studies: readonly Study[],
  results: readonly NamedResult[],
): Promise<Map<string, string>> {
  const data = dataOf(results);
  const files = new Map<string, string>();
  for (const study of studies)
    for (const [name, text] of await filesOf(study, dataFor(study, data))) files.set(name, text);
  const readme = readFileSync(join(STUDIES, 'README.md'), 'utf8');
  files.set('README.md', await indexOf(readme, await allStudies(), [data, ...data.others]));
  return files;
}

/** Pictures that no study draws any more, and pages without a study. */
export async function leftOver(files: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const ids = (await allStudies()).map(({ id }) => id);
  return readdirSync(STUDIES).filter(
    (name) =>
      /\.(?:md|svg)$/.test(name) &&
      !files.has(name) &&
      // Pictures of studies that are not drawn now are left alone.
      !ids.some((id) => !files.has(`${id}.md`) && (name === `${id}.md` || name.startsWith(`${id}-`))),
  );
}
