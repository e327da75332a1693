/** Tables as HTML. */
import { html, type Markup } from './markup.ts';
import type { Table } from './table.ts';

/** A note that is the same as that of the table before is not repeated. */
export const tablesHtml = (tables: readonly Table[]): Markup[] =>
  tables.map((table, i) => tableHtml(table.note === tables[i - 1]?.note ? { ...table, note: '' } : table));

/** Longer heads of columns are broken into lines. */
const LONG = 30;

/** The table scrolls in a box of its own, so that the page never scrolls sideways. */
export function tableHtml({ title, note, machine, head, rows, names }: Table, heading = true): Markup {
  const caption = [note, machine === undefined ? '' : `${machine}.`].filter(Boolean).join(' ');
  const side = (i: number): string => (i < names ? 'name' : 'number');
  return html`${heading ? html`<h3>${title}</h3>` : undefined}
    <div class="scroll" tabindex="0" role="region" aria-label="Table: ${title}">
      <table>
        ${
          caption === ''
            ? undefined
            : html`<caption>
                ${caption}
              </caption>`
        }
        <thead>
          <tr>
            ${head.map((text, i) =>
              text === ''
                ? html`<td class="${side(i)}"></td>`
                : html`<th scope="col" class="${side(i)}${text.length > LONG ? ' long' : ''}">${text}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr class="${row.slice(0, names).some((text) => text.startsWith('lanewise')) ? 'ours' : 'other'}">
                ${row.map((text, i) =>
                  i === 0 ? html`<th scope="row" class="name">${text}</th>` : html`<td class="${side(i)}">${text}</td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

export const folded = (summary: string, content: Markup | readonly Markup[]): Markup =>
  html`<details>
    <summary>${summary}</summary>
    ${content}
  </details>`;
