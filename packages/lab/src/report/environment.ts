/** The part of a report about the machine, the engines, and failures. */
import { processorName } from '../results/processor.ts';
import type { SessionRecord } from '../results/schema.ts';
import type { EngineView, View } from '../results/view.ts';
import { folded, tableHtml } from './html.ts';
import { html, type Markup } from './markup.ts';
import { significant } from './numbers.ts';
import { countOf, tallyIn } from './quiet.ts';
import { machineOf } from './table.ts';

type Entry = readonly [name: string, value: string | undefined];

const definitions = (entries: readonly Entry[]): Markup =>
  html`<div class="card">
    <dl>
      ${entries.map(([name, value]) =>
        value === undefined
          ? undefined
          : html`<dt>${name}</dt>
              <dd>${value}</dd>`,
      )}
    </dl>
  </div>`;

const yesOrNo = (value: boolean | undefined): string | undefined =>
  value === undefined ? undefined : value ? 'yes' : 'no';

export function hostCard({ result }: View): Markup {
  const { host, lab, startedAt, endedAt, kind, seed } = result;
  const load = [host.loadBefore, host.loadAfter].map((value) => (value === undefined ? '?' : value.toFixed(2)));
  const commit = lab.commit?.slice(0, 12);
  return definitions([
    ['Processor', `${processorName(host)}, ${host.vcpus} virtual processors, ${host.architecture}`],
    ['Instruction set', host.flags.join(' ') || undefined],
    ['Memory', `${significant(host.memoryBytes / 2 ** 30)} GiB`],
    ['Operating system', `${host.platform} ${host.kernel}`],
    ['Virtual machine', yesOrNo(host.virtual)],
    ['Frequency governor', host.governor],
    ['Load before, after', host.loadBefore === undefined ? undefined : load.join(', ')],
    [
      'Lanewise',
      lab.version + (commit === undefined ? '' : `, commit ${commit}${lab.dirty === true ? ', with changes' : ''}`),
    ],
    ['Run', `${kind}, seed ${seed}, ${startedAt}${endedAt === undefined ? ', not finished' : ` to ${endedAt}`}`],
  ]);
}

/** The first message of the engine's first session, which stands for all if they differ. */
const first = ({ sessions }: EngineView) => sessions[0]?.record.hello;

function gigahertz({ sessions }: EngineView): string {
  const all = sessions.flatMap(({ record }) => record.canaries.map((canary) => canary.gigahertz));
  if (all.length === 0) return '–';
  const [least, most] = [Math.min(...all), Math.max(...all)].map((value) => value.toFixed(2));
  return least === most ? least : `${least}–${most}`;
}

export function engineTable(view: View): Markup {
  const rows = view.engines.map((engine) => {
    const hello = first(engine);
    const features = hello?.features;
    const has = (['simd', 'relaxed', 'wide', 'threads'] as const).filter((name) => features?.[name]);
    return [
      engine.name,
      engine.record.version,
      String(engine.sessions.length),
      String(engine.sessions.reduce((most, { record }) => Math.max(most, record.contests.length), 0)),
      hello ? `${significant(hello.timer.stepMilliseconds * 1000)} µs` : '–',
      gigahertz(engine),
      has.join(' ') || 'none',
      yesOrNo(features?.isolated) ?? '–',
    ];
  });
  return tableHtml({
    title: 'Engines',
    note: 'Sessions are fresh processes, those in the tables. GHz as the yardstick sees it; "isolated" is COOP and COEP.',
    machine: machineOf(view),
    head: ['engine', 'version', 'sessions', 'contests', 'clock step', 'GHz', 'WebAssembly has', 'isolated'],
    rows,
    names: 2,
  });
}

const list = (items: readonly (string | Markup)[]): Markup =>
  html`<ul class="plain">
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;

const counted = (items: readonly string[]): string[] => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return Array.from(counts, ([item, count]) => (count === 1 ? item : `${item} (${count} times)`));
};

/** Everything that a reader must know before believing a number. */
export function reservations(view: View): Markup {
  const { missing, sessions } = view.result;
  const named = sessions.map((session) => ({
    ...session,
    name: view.engines.find(({ record }) => record.id === session.engine)?.record.name ?? session.engine,
  }));
  const distrusted = view.engines.flatMap(({ name, distrusted: reasons }) =>
    reasons.map((reason) => `${name}: a session is in no table: ${reason}`),
  );
  const unsteady = view.engines.flatMap((engine) => {
    const contests = engine.sessions.reduce((sum, { record }) => sum + record.contests.length, 0);
    const noisy = engine.sessions.reduce((sum, session) => sum + session.noisy().length, 0);
    const drifting = engine.sessions.filter((session) => session.drifting()).length;
    const tally = tallyIn(
      view,
      engine,
      view.contests.map(({ id }) => id),
    );
    return [
      ...(tally ? [`${engine.name}: ${countOf(tally)} samples are of a quiet core, ${tally.busy} of a busy one.`] : []),
      ...(noisy > 0
        ? [
            `${engine.name}: the yardstick was disturbed in ${noisy} of ${contests} contests (median more than 5 % above the 5th percentile).`,
          ]
        : []),
      ...(drifting > 0
        ? [`${engine.name}: the frequency drifted in ${drifting} of ${engine.sessions.length} sessions.`]
        : []),
      ...(engine.coarse ? [`${engine.name}: the clock is too coarse for cycles per byte.`] : []),
    ];
  });
  type Kind = 'faults' | 'errors' | 'unavailable';
  const said = <K extends Kind>(kind: K, words: (each: SessionRecord[K][number]) => string): string[] =>
    counted(
      named.flatMap(({ name, [kind]: all }) =>
        (all as readonly SessionRecord[K][number][]).map((each) => `${name}: ${words(each)}`),
      ),
    );
  const faults = said('faults', ({ contest, case: id, fault }) => `${id} ${fault} in ${contest}, and is not timed`);
  const errors = said('errors', ({ contest, message }) => [contest, message].filter(Boolean).join(': '));
  const absent = said('unavailable', ({ contest, case: id, reason }) => `${id ?? contest}: ${reason}`);
  const remarks = counted([
    ...view.engines.flatMap(({ record }) => record.remarks.map((remark) => `${record.name}: ${remark}`)),
    ...new Set(named.flatMap(({ name, hello }) => hello?.notes.map((note) => `${name}: ${note}`) ?? [])),
  ]);
  const serious = [...faults, ...distrusted, ...errors];
  return html`${serious.length > 0 ? html`<div class="warning">${list(serious)}</div>` : undefined}
  ${list([
    ...missing.map(({ name, missing, howToGet }) => `${name} did not take part: ${missing} is missing. ${howToGet}`),
    ...unsteady,
    ...remarks,
  ])}
  ${absent.length > 0 ? folded(`Not measured (${absent.length})`, list(absent)) : undefined}`;
}

export function moduleTable(view: View): Markup {
  const modules = new Map(
    view.result.sessions.flatMap(
      ({ hello }) => hello?.modules.map((module) => [`${module.name} ${module.sha256}`, module] as const) ?? [],
    ),
  );
  return tableHtml({
    title: 'Modules',
    note: 'The modules that the library assembles, as the engines got them.',
    head: ['module', 'bytes', 'SHA-256'],
    rows: Array.from(modules.values(), ({ name, bytes: size, sha256 }) => [name, String(size), sha256]),
    names: 1,
  });
}

export function packageTable(view: View): Markup {
  const versions = new Map<string, Set<string>>();
  for (const { contestant, version } of view.result.cases) {
    if (version !== undefined) versions.set(contestant, (versions.get(contestant) ?? new Set()).add(version));
  }
  return tableHtml({
    title: 'Contestants',
    note: 'Versions; those of the platform differ from engine to engine.',
    head: ['contestant', 'version'],
    rows: Array.from(versions, ([name, all]) => [name, [...all].join(', ')]),
    names: 2,
  });
}
