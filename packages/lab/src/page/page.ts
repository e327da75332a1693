/** "Measure this browser": the page that `npm run lab:serve` serves, and the site has in lab/. */
import { known } from '../client/known.ts';
import type { HelloMessage, Message } from '../client/messages.ts';
import { QuietCount } from '../results/quiet-count.ts';
import type { Result } from '../results/schema.ts';
import { choiceOf } from './choice.ts';
import { comparisons } from './comparison.ts';
import { byId, element } from './elements.ts';
import { figuresOf, type Figure, type Played } from './figures.ts';
import { Plot, type Point, type Unit } from './plot.ts';
import { engineOf } from './record.ts';
import { runHere } from './run.ts';
import { freshSession } from './session.ts';
import { ContestTable } from './tables.ts';

const AXIS_TITLES: Readonly<Record<string, string>> = {
  cold: 'Cold starts',
  platforms: 'Side by side',
  direction: 'Sealing, opening, refusing',
  length: 'Short and long messages',
  parallel: 'One thread and several',
};

const start = byId('start', HTMLButtonElement);
const stop = byId('stop', HTMLButtonElement);
const download = byId('download', HTMLButtonElement);
const progress = byId('progress', HTMLProgressElement);
const status = byId('status');
const unit = byId('plot-unit', HTMLSelectElement);
const plotTask = byId('plot-task', HTMLSelectElement);

let result: Result | undefined;
const comparison = comparisons(() => result);

function trouble(text: string): void {
  const at = byId('trouble');
  if (at.textContent?.includes(text)) return;
  at.hidden = false;
  at.append(element('span', {}, text), element('br'));
}

byId('waiting').hidden = true;
byId('loading').hidden = false;

if (!globalThis.crossOriginIsolated) {
  const at = byId('clock');
  at.hidden = false;
  at.append(
    'This page is served without the headers COOP and COEP, so that the clock of this browser is coarser: there are fewer ' +
      'contests with longer batches, and cycles cannot be estimated. ',
    element('code', {}, 'npm run lab:serve'),
    ' serves it with them.',
  );
}

/** The findings of the run so far. */
class Found {
  readonly #plot = new Plot();
  readonly #tables = new Map<string, ContestTable>();
  readonly #sections = new Map<string, HTMLElement>();
  readonly #played = new Map<string, Played>();
  readonly #figures = new Map<string, readonly Figure[]>();
  #count = new QuietCount();
  #coarse = false;
  /** A choice of plot that the user made is kept. */
  #chosen = false;

  constructor() {
    plotTask.addEventListener('change', () => {
      this.#chosen = true;
      this.#draw();
    });
    unit.addEventListener('change', () => this.#draw());
  }

  clear(): void {
    this.#tables.clear();
    this.#sections.clear();
    this.#played.clear();
    this.#figures.clear();
    this.#count = new QuietCount();
    byId('quiet').textContent = '';
    this.#chosen = false;
    plotTask.replaceChildren();
    byId('tables').replaceChildren();
    byId('plotted').hidden = true;
    byId('found').hidden = true;
  }

  hello(hello: HelloMessage): void {
    const { timer, features, notes } = hello;
    const { name, version } = engineOf(hello);
    this.#coarse = timer.coarse;
    byId('found').hidden = false;
    byId('session').textContent = [
      `${name} ${version}.`,
      `Steps of the clock: ${inWords(timer.stepMilliseconds)}; batches of ${inWords(timer.batchMilliseconds)}.`,
      features.simd ? '' : 'There is no SIMD here.',
      // A remark that is in the note above is not repeated.
      ...(globalThis.crossOriginIsolated ? notes : []),
    ].join(' ');
    for (const option of unit.options) option.disabled = timer.coarse && option.value === 'cycles';
  }

  /** Hears all messages, before they are shown. */
  hear(message: Message): void {
    this.#count.hear(message);
    if (message.type === 'samples') byId('quiet').textContent = String(this.#count);
  }

  /** Shows all contests again: what counts as quiet depends on the best probe of the whole run. */
  again(): void {
    for (const played of this.#played.values()) this.contest(played);
  }

  contest(played: Played): ContestTable {
    const { contest } = played;
    this.#played.set(contest.id, played);
    const table = known(this.#tables, contest.id, () => {
      const made = new ContestTable(contest);
      this.#section(contest.axis).append(made.element);
      return made;
    });
    const figures = figuresOf(played, this.#coarse, (samples) => this.#count.states(samples));
    table.show(figures);
    this.#figures.set(contest.id, figures);
    if (contest.axis === 'length' || contest.axis === 'platforms') this.#offer(taskOf(contest));
    return table;
  }

  #section(axis: string): HTMLElement {
    return known(this.#sections, axis, () => {
      const section = element(
        'section',
        {},
        element('h3', {}, AXIS_TITLES[axis] ?? axis[0].toUpperCase() + axis.slice(1)),
      );
      byId('tables').append(section);
      return section;
    });
  }

  /** Contests of the length axis draw curves; without them, the lengths of the platforms axis have to do. */
  #points(task: string): readonly Point[] {
    const all = [...this.#played.values()].filter(
      ({ contest }) => taskOf(contest) === task && typeof contest.parameters['length'] === 'number',
    );
    const of = (axis: string): readonly Point[] =>
      all
        .filter(({ contest }) => contest.axis === axis)
        .map(({ contest: { id, parameters } }) => ({
          length: Number(parameters['length']),
          // Cases of another primitive, which people choose instead, do not belong on this curve.
          figures: this.#figures.get(id)!.filter((figure) => !figure.case.id.includes(',')),
        }));
    const own = of('length');
    return own.length > 0 ? own : of('platforms');
  }

  /** One length isn't a curve. */
  #offer(task: string): void {
    if (new Set(this.#points(task).map(({ length }) => length)).size < 2) return;
    if (![...plotTask.options].some(({ value }) => value === task))
      plotTask.append(element('option', { value: task }, task));
    byId('plotted').hidden = false;
    if (!this.#chosen) plotTask.value = task;
    if (plotTask.value === task) this.#draw();
  }

  #draw(): void {
    this.#plot.draw(plotTask.value, this.#points(plotTask.value), unit.value as Unit);
  }
}

const taskOf = ({ primitive, operation }: Played['contest']): string => `${primitive}, ${operation}`;

const inWords = (milliseconds: number): string =>
  milliseconds < 0.1 ? `${(milliseconds * 1000).toPrecision(2)} µs` : `${milliseconds.toPrecision(2)} ms`;

function save(): void {
  if (!result) return;
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(result)}\n`], { type: 'application/json' }));
  element('a', { href: url, download: `lanewise-lab-${result.id}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

async function main(): Promise<void> {
  if (location.protocol === 'file:') throw new Error('Browsers start no workers from files: serve this folder.');
  let session = freshSession();
  const { catalogues, plans } = await session.ready;
  const choice = choiceOf(catalogues);
  const found = new Found();
  byId('loading').hidden = true;
  byId('page').hidden = false;
  start.disabled = false;
  let stopper: AbortController | undefined;

  const run = async (seed: number): Promise<void> => {
    const chosen = choice.read();
    if (chosen.contests.length === 0) {
      status.textContent = 'No contest is chosen.';
      return;
    }
    stopper = new AbortController();
    start.disabled = true;
    stop.disabled = false;
    download.disabled = true;
    choice.disable(true);
    found.clear();
    byId('trouble').hidden = true;
    byId('trouble').replaceChildren();
    const begun = performance.now();
    const used = session;
    try {
      const listener: Parameters<typeof runHere>[4] = {
        onMessage: (message) => found.hear(message),
        onHello: (hello) => found.hello(hello),
        onTrouble: trouble,
        onProgress(share, text) {
          progress.value = share;
          if (text) status.textContent = text;
        },
        onContest(played, message) {
          const table = found.contest(played);
          if (message.type === 'fault' || message.type === 'unavailable') table.remark(message);
        },
      };
      result = await runHere(chosen, plans[chosen.kind], seed, used, listener, stopper.signal);
      found.again();
      const seconds = ((performance.now() - begun) / 1000).toFixed(0);
      status.textContent = stopper.signal.aborted
        ? 'Stopped; the findings so far can be saved.'
        : `Done in ${seconds} s.`;
      progress.value = stopper.signal.aborted ? progress.value : 1;
    } catch (error) {
      trouble(error instanceof Error ? error.message : String(error));
    } finally {
      session = freshSession();
      start.disabled = false;
      stop.disabled = true;
      download.disabled = result === undefined;
      choice.disable(false);
      comparison.again();
    }
  };

  byId('choice', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void run(Math.floor(Math.random() * 2 ** 32));
  });
  stop.addEventListener('click', () => {
    status.textContent = 'Stopping';
    stopper?.abort();
  });
  download.addEventListener('click', save);
  await fromAddress(choice, run);
}

/** `?run=quick&only=TEXT&sessions=N&seed=N&post=PATH` starts a run at once, for programs that cannot click. */
async function fromAddress(choice: ReturnType<typeof choiceOf>, run: (seed: number) => Promise<void>): Promise<void> {
  const query = new URLSearchParams(location.search);
  choice.set(query.get('run'), query.get('only'), query.get('sessions'));
  if (!query.has('run')) return;
  await run(Number(query.get('seed') ?? 1) >>> 0);
  await post(result ?? null);
}

/** Results are posted to the page's own origin only. */
async function post(value: unknown): Promise<void> {
  const path = new URLSearchParams(location.search).get('post');
  const url = path === null ? undefined : new URL(path, location.href);
  if (url?.origin === location.origin) await fetch(url, { method: 'POST', body: JSON.stringify(value) });
}

main().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  byId('loading').hidden = true;
  trouble(text);
  return post({ error: text });
});
