/** Comparison of result files that were dropped on the page. */
import { significant } from '../report/text-table.ts';
import { compare, type Change, type Comparison } from '../results/compare.ts';
import { parseResult, ResultError, type Result } from '../results/schema.ts';
import { byId, element } from './elements.ts';

const MOST = 200;

async function resultIn(file: File): Promise<Result> {
  let data: unknown;
  try {
    data = JSON.parse(await file.text());
  } catch {
    throw new ResultError(`${file.name} is not JSON`);
  }
  return parseResult(data, file.name);
}

const titleOf = ({ engines, startedAt, sessions }: Result): string =>
  `${engines.map(({ name, version }) => `${name} ${version}`).join(', ')}; ${startedAt.slice(0, 16).replace('T', ' ')}; ` +
  (sessions.length === 1 ? '1 session' : `${sessions.length} sessions`);

function changesTable(changes: readonly Change[]): HTMLElement {
  const cells = ({ engine, contest, case: name, ratio, verdict }: Change): HTMLElement[] => [
    element('th', { scope: 'row' }, contest),
    element('td', { className: 'words' }, name),
    element('td', { className: 'words' }, engine),
    element('td', { className: verdict === 'faster' ? 'faster' : 'slower' }, `${significant(ratio.value)}×`),
    element('td', {}, `${significant(ratio.low)}–${significant(ratio.high)}`),
    element('td', { className: 'words' }, verdict),
  ];
  const head = ['contest', 'case', 'engine', 'time, new ÷ old', '99 %', ''];
  return element(
    'div',
    { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: 'Changes' },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...head.map((text) => element('th', { scope: 'col' }, text)))),
      element('tbody', {}, ...changes.slice(0, MOST).map((change) => element('tr', {}, ...cells(change)))),
    ),
  );
}

function show(before: Result, after: Result): HTMLElement[] {
  // Whoever drops a file wants to see it compared; the notes report differences that may make the comparison
  // meaningless.
  const { changes, compared, notes, regressions }: Comparison = compare(before, after, {
    threshold: 0.03,
    forced: true,
  });
  const shown = changes.length > MOST ? `, of which ${MOST} are shown` : '';
  return [
    element('p', {}, `Old: ${titleOf(before)}. New: ${titleOf(after)}.`),
    element(
      'p',
      {},
      `${compared} cases are in both. Beyond the noise, ${changes.length} changed${shown}; ` +
        (regressions.length === 0 ? 'no regression.' : `${regressions.length} of them regressed by more than 3 %.`),
    ),
    ...notes.map((note) => element('p', { className: 'hint' }, note)),
    ...(changes.length > 0 ? [changesTable(changes)] : []),
  ];
}

/** `own` returns the result of this page, if it has measured. */
export function comparisons(own: () => Result | undefined): { readonly again: () => void } {
  const at = byId('comparison');
  /** The last two files that were dropped. */
  let files: Result[] = [];

  const again = (): void => {
    const [before, after] = [...files.slice(-2), own()].filter((each) => each !== undefined).slice(-2);
    if (files.length === 0) return;
    if (before && after) at.replaceChildren(...show(before, after));
    else {
      const title = titleOf(files[0]);
      at.replaceChildren(element('p', {}, `Taken: ${title}. Start, or drop a second file, and they are compared.`));
    }
  };
  const safely = async (work: () => Promise<void> | void): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      at.replaceChildren(element('p', { className: 'slower' }, text));
    }
  };
  const take = (list: FileList | null): void =>
    void safely(async () => {
      const taken = await Promise.all(Array.from(list ?? [], resultIn));
      files = [...files, ...taken].slice(-2);
      again();
    });

  const input = byId('file', HTMLInputElement);
  input.addEventListener('change', () => {
    take(input.files);
    input.value = '';
  });
  const over = (event: DragEvent, is: boolean): void => {
    event.preventDefault();
    document.body.classList.toggle('over', is);
  };
  document.addEventListener('dragover', (event) => over(event, true));
  document.addEventListener('dragleave', (event) => over(event, false));
  document.addEventListener('drop', (event) => {
    over(event, false);
    take(event.dataTransfer?.files ?? null);
  });
  return { again: () => void safely(again) };
}
