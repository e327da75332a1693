/** The report: one file, readable without scripts, on narrow and wide screens, which contains all measurements. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeWhole } from '../whole-file.ts';
import { processorName } from '../results/processor.ts';
import type { Result } from '../results/schema.ts';
import { viewOf, type View } from '../results/view.ts';
import { html, Markup } from './markup.ts';
import { COLOUR_RULES } from '../charts/palette.ts';

export interface ReportOptions {
  /** Name of the JSON file beside the report, to which the report links if the JSON is too large to be embedded. */
  readonly jsonName?: string;
  /** A result of another machine, whose ratios the report lays beside those of this one. */
  readonly beside?: Result | undefined;
  /** The most bytes of compressed JSON that are embedded. */
  readonly mostInside?: number;
}

const MOST_INSIDE = 3e6;
/** The style sheet, and the colours of data. */
const STYLE = readFileSync(join(import.meta.dirname, 'report.css'), 'utf8') + COLOUR_RULES;
/** The report has no scripts, and everything that it shows is in it. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'";
const RESERVATIONS = 'reservations';

/** The whole report. */
export async function reportHtml(result: Result, options: ReportOptions = {}): Promise<string> {
  const view = viewOf(result);
  // Plot and jsdom, which draw the figures, are loaded only where a report is written.
  const { sectionsOf } = await import('./sections.ts');
  const sections = sectionsOf(view, options.beside && viewOf(options.beside));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <link rel="icon" href="data:," />
        <title>Lanewise lab: ${processorName(result.host)}, ${result.startedAt.slice(0, 10)}</title>
        <style>
          ${new Markup(STYLE)}
        </style>
      </head>
      <body>
        <header>
          <h1>Lanewise: measurements</h1>
          <p class="soft">
            ${processorName(result.host)}, ${result.startedAt.slice(0, 10)};
            ${view.engines.map(({ name }) => name).join(', ')}.
            ${
              sections.some(({ id }) => id === RESERVATIONS)
                ? html`The figures come first; <a href="#${RESERVATIONS}">reservations</a> about them are below.`
                : undefined
            }
          </p>
        </header>
        <nav class="top" aria-label="Sections">
          <details>
            <summary>Sections</summary>
            <ul>
              ${[...sections, REPRODUCE].map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
            </ul>
          </details>
        </nav>
        <main>
          ${sections.map(
            ({ id, title, content }) =>
              html`<section id="${id}" aria-labelledby="${id}-title">
                <h2 id="${id}-title">${title}</h2>
                ${content}
              </section>`,
          )}
          ${reproduce(view, options)}
        </main>
      </body>
    </html> `;
  return page.text.replaceAll(/\n\s+/g, '\n');
}

export async function writeReport(path: string, result: Result, options: ReportOptions = {}): Promise<void> {
  writeWhole(path, await reportHtml(result, options));
}

const REPRODUCE = { id: 'reproduce', title: 'Method, and how to reproduce' } as const;

function reproduce({ result }: View, options: ReportOptions): Markup {
  const { lab, command = 'npm run lab', plan, schema } = result;
  const [least, most] = plan.rounds;
  return html`<section id="${REPRODUCE.id}" aria-labelledby="reproduce-title">
    <h2 id="reproduce-title">${REPRODUCE.title}</h2>
    <pre
      tabindex="0"
      role="region"
      aria-label="Commands"
    ><code>${lab.commit === undefined ? '' : `git checkout ${lab.commit}\n`}npm ci
${command}</code></pre>
    <p>
      Every session is a fresh process. In it, cases that do the same task are sampled in rounds: each case once a
      round, in random order, in batches of at least ${plan.batchMilliseconds} ms; ${least} to ${most} rounds, while
      ${plan.budgetMilliseconds} ms for each case last. Answers are checked before anything is timed, and again after
      it.
    </p>
    <p>
      A ratio is the median of the ratios within rounds, in each process; then the median of the processes. Its interval
      is a bootstrap in two stages, processes first, at 95 %, widened for few processes. Cycles are estimated by a
      yardstick in every round: a chain of rotations and additions, two cycles a step. Sessions in which a kernel that
      never changes took more than twice its usual time are in no table.
    </p>
    <p>
      A probe before and after each sample tells whether another thread uses the same core: a kernel that is limited by
      its throughput, in cycles of the yardstick. A sample is quiet if both probes take at most 6 % more than the best
      of the engine, and busy if both take at least 18 % more. Figures are of rounds in which all samples that they need
      are quiet, if at least three rounds in each of two processes are; otherwise of all rounds, and marked. Results of
      hosts without vectors or with a coarse clock, or of older versions of the lab, have no probes, and all their
      rounds count.
    </p>
    ${dataLink(result, schema, options)}
  </section>`;
}

function dataLink(
  result: Result,
  schema: string,
  { jsonName = 'lab.json', mostInside = MOST_INSIDE }: ReportOptions,
): Markup {
  const compressed = gzipSync(JSON.stringify(result), { level: 9 });
  const size = `${(compressed.length / 1e6).toFixed(1)} MB`;
  if (compressed.length > mostInside) {
    return html`<p>All samples are in <a href="${jsonName}">${jsonName}</a> beside this file (${schema}).</p>`;
  }
  const data = `data:application/gzip;base64,${compressed.toString('base64')}`;
  return html`<p>
    All samples are in this file: <a download="${jsonName}.gz" href="${data}">${jsonName}.gz</a> (${schema}, ${size}).
  </p>`;
}
