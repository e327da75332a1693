/** The sections of a report, one for each axis of the catalogue. An axis that was not measured has no section. */
import type { View } from '../results/view.ts';
import { besideTable } from './beside.ts';
import { lengthByContestant, lengthByEngine, tierUp } from './curves.ts';
import { engineTable, hostCard, moduleTable, packageTable, reservations } from './environment.ts';
import { groupsOf, nameOfGroup, representative, type Group } from './groups.ts';
import { folded, tableHtml, tablesHtml } from './html.ts';
import { html, type Markup } from './markup.ts';
import { bars, heatMap } from './panels.ts';
import { poolTable } from './pools.ts';
import { quietTable } from './quiet.ts';
import { engineRatios, rivalRatios, strips } from './ratios.ts';
import { contestTable, contestTables, cyclesTables, quartileTable, rivalTables, speedTables } from './tables.ts';
import { verdicts } from './verdicts.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Markup;
}

const section = (id: string, title: string, ...content: readonly (Markup | undefined)[]): Section[] => {
  const there = content.filter((part) => part !== undefined);
  return there.some(({ text }) => text.trim() !== '') ? [{ id, title, content: html`${there}` }] : [];
};

/** The question that each axis answers; other axes are shown as tables, under their own name. */
const QUESTIONS: Readonly<Record<string, string>> = {
  direction: 'Encryption, decryption, rejection',
  boundary: 'Kernel and public API',
  kernels: 'Kernels for study',
  studies: 'Studies',
  many: 'One message and many',
  streams: 'Streams',
  parallel: 'Sequential and parallel',
  context: 'Isolation and context',
};
const SHOWN = new Set(['platforms', 'length', 'alignment', 'keys', 'cold']);

/** Figures first, then their meaning, then tables. `other` is a result of another machine. */
export function sectionsOf(view: View, other?: View): Section[] {
  const { principal } = view;
  if (!principal) return section('reservations', 'No session that can be trusted', reservations(view));
  const platforms = groupsOf(view, 'platforms');
  const lengths = groupsOf(view, 'length');
  const ids = (axis: string): string[] => view.contests.filter((each) => each.axis === axis).map(({ id }) => id);
  const cold = ids('cold');
  const form = (id: string) => view.contest(id)?.form;

  return [
    ...section(
      'platforms',
      'Platforms',
      ...platforms.flatMap((group) => {
        const contest = representative(view, principal, group);
        return contest
          ? [heading(group), rivalRatios(view, principal, group, contest), engineRatios(view, group, contest)]
          : [];
      }),
    ),
    ...section(
      'length',
      'Long and short messages',
      ...lengths.flatMap((group) => [
        heading(group),
        lengthByContestant(view, principal, group),
        lengthByEngine(view, group),
      ]),
      ...tablesHtml(cyclesTables(view)),
    ),
    ...section('verdicts', 'Verdicts', verdictList(view)),
    ...section(
      'quiet',
      'Quiet and busy rounds',
      ...[quietTable(view)].map((found) => found && tableHtml(found, false)),
    ),
    ...(other ? section('beside', 'Two machines', tableHtml(besideTable(view, other), false)) : []),
    ...section('speed', 'Scalar and SIMD', ...tablesHtml(speedTables(view))),
    ...section(
      'field',
      'The field',
      ...tablesHtml(rivalTables(view, principal)),
      ...view.engines
        .filter((engine) => engine !== principal)
        .map((engine) => folded(`The field in ${engine.name}`, tablesHtml(rivalTables(view, engine)))),
    ),
    ...section('alignment', 'Alignment', ...ids('alignment').map((id) => heatOrTable(view, id, 'offset'))),
    ...section('keys', 'One key and many', ...ids('keys').map((id) => heatOrTable(view, id, 'keys'))),
    ...section(
      'cold',
      'Cold and hot',
      ...cold.filter((id) => form(id) === 'once').map((id) => bars(view, principal, id)),
      ...cold.filter((id) => form(id) === 'series').map((id) => tierUp(view, id)),
      ...cold
        .filter((id) => form(id) === 'once')
        .map((id) => folded(`${view.contest(id)!.title}: every engine`, tableHtml(contestTable(view, id), false))),
    ),
    ...section('pools', 'Pools of threads', ...[poolTable(view)].map((found) => found && tableHtml(found, false))),
    ...otherAxes(view),
    ...section(
      'raw',
      'Raw samples',
      ...platforms.map((group) => {
        const contest = representative(view, principal, group);
        const strip = contest && strips(view, principal, group, contest);
        return strip && folded(nameOfGroup(group), [strip, tableHtml(quartileTable(view, principal, contest), false)]);
      }),
    ),
    ...section('environment', 'Machine and engines', hostCard(view), engineTable(view)),
    ...section('reservations', 'Reservations', reservations(view)),
    ...section('modules', 'Versions and modules', packageTable(view), moduleTable(view)),
  ];
}

const heatOrTable = (view: View, id: string, parameter: string): Markup =>
  heatMap(view, id, parameter) ?? tableHtml(contestTable(view, id));

const heading = (group: Group): Markup => html`<h3>${nameOfGroup(group)}</h3>`;

function verdictList(view: View): Markup | undefined {
  const all = verdicts(view);
  if (all.length === 0) return undefined;
  return html`<ol class="verdicts">
    ${all.map(({ subject, sentence }) => html`<li><strong>${subject}:</strong> ${sentence}</li>`)}
  </ol>`;
}

function otherAxes(view: View): Section[] {
  const axes = new Set(view.contests.map(({ axis }) => axis).filter((axis) => !SHOWN.has(axis)));
  return Array.from(axes).flatMap((axis) =>
    section(axis, QUESTIONS[axis] ?? axis, ...tablesHtml(contestTables(view, axis))),
  );
}
