// Tables of reports as HTML.
import { escapeMarkup } from '../base/escape-markup.ts';

/** The first row is the heading. Every cell is escaped. */
export function htmlTable([heading = [], ...rows]: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: string) =>
    `<tr>${row.map((cell) => `<${tag}>${escapeMarkup(cell)}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${cells(heading, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table>`;
}
