/** The findings as tables: one for each contest, extended by every session. */
import { duration, significant } from '../report/text-table.ts';
import type { FaultMessage, UnavailableMessage } from '../client/messages.ts';
import type { ContestRecord } from '../results/schema.ts';
import { mark } from '../report/quiet.ts';
import { element } from './elements.ts';
import { quietText, verdictOf, type Figure } from './figures.ts';

/** Axes whose tables are open at first, because most people look for them. */
const OPEN: readonly string[] = ['platforms', 'direction', 'parallel'];

const SVG = 'http://www.w3.org/2000/svg';

/** Longer bars are faster. */
function bar(share: number): HTMLTableCellElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('aria-hidden', 'true');
  const rectangle = document.createElementNS(SVG, 'rect');
  rectangle.setAttribute('width', `${(100 * share).toFixed(1)}%`);
  rectangle.setAttribute('height', '100%');
  rectangle.setAttribute('rx', '2');
  svg.append(rectangle);
  return element('td', { className: 'bar' }, svg);
}

const number = (value: number | undefined, suffix = ''): HTMLTableCellElement =>
  element('td', {}, value === undefined ? '' : significant(value) + suffix);

const HEAD = ['', 'time', 'takes', 'MB/s', 'cycles per byte', ''];
const [CYCLES, BAR] = [4, 5];

function row(figure: Figure, share: number): HTMLTableRowElement {
  const { case: each, nanoseconds, speed, cyclesPerByte, ratio, times, ratios } = figure;
  const star = times ? mark(times) : '';
  return element(
    'tr',
    { className: each.standing === 'ours' ? 'ours' : '' },
    element('th', { scope: 'row' }, each.id),
    element('td', {}, duration(nanoseconds) + star),
    number(ratio, `×${ratios ? mark(ratios) : ''}`),
    number(speed, star),
    number(cyclesPerByte),
    bar(share),
  );
}

/** The time of the fastest over that of each: by paired ratios where there are any, since nothing else is as steady. */
function shares(figures: readonly Figure[]): number[] {
  const paired = figures.some(({ ratio }) => ratio !== undefined);
  const times = figures.map(({ ratio, nanoseconds }) => (paired ? (ratio ?? 1) : nanoseconds));
  // A clock that is too coarse for a single call shows 0.
  return times.map((time) => (time > 0 ? Math.min(...times) / time : 1));
}

/** The table of one contest. */
export class ContestTable {
  readonly element: HTMLDetailsElement;
  readonly #cyclesHead: HTMLTableCellElement;
  readonly #body = element('tbody');
  readonly #verdict = element('span', { className: 'verdict' });
  readonly #quiet = element('p', { className: 'hint', hidden: true });
  readonly #remarks = element('ul', { hidden: true });

  constructor(contest: ContestRecord) {
    const head = HEAD.map((text, i) => element('th', { scope: 'col', className: i === BAR ? 'bar' : '' }, text));
    this.#cyclesHead = head[CYCLES];
    const table = element('table', {}, element('thead', {}, element('tr', {}, ...head)), this.#body);
    this.element = element(
      'details',
      { open: OPEN.includes(contest.axis) },
      element('summary', {}, contest.title, ' ', this.#verdict),
      element(
        'div',
        { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: contest.title },
        table,
        this.#quiet,
        this.#remarks,
      ),
    );
  }

  show(figures: readonly Figure[]): void {
    const all = shares(figures);
    const rows = figures.map((figure, i) => row(figure, all[i]));
    const noCycles = figures.every(({ cyclesPerByte }) => cyclesPerByte === undefined);
    for (const cell of [this.#cyclesHead, ...rows.map(({ cells }) => cells[CYCLES])]) cell.hidden = noCycles;
    this.#body.replaceChildren(...rows);
    this.#verdict.textContent = verdictOf(figures);
    this.#quiet.textContent = quietText(figures);
    this.#quiet.hidden = this.#quiet.textContent === '';
  }

  /** The contestants that are not in the table, with the reasons. */
  remark({ case: name = '', ...message }: FaultMessage | UnavailableMessage): void {
    const text = `${name}: ${message.type === 'fault' ? `WRONG: ${message.fault}` : message.reason}`;
    if ([...this.#remarks.children].some(({ textContent }) => textContent === text)) return;
    this.#remarks.hidden = false;
    this.#remarks.append(element('li', { className: message.type === 'fault' ? 'slower' : '' }, text));
  }
}
