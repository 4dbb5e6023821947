// HTML written by the server: a template tag that escapes everything it is given.
import { escapeMarkup } from '../../base/escape-markup.ts';

/** HTML that is already escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** Template tag: escapes strings, inserts `Html` as it is, joins lists, and drops null, undefined and false. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(parts.map((part, index) => part + render(values[index])).join(''));
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  return escapeMarkup(String(value));
}

/** JSON for a `<script type="application/json">`: nothing in it can end the element or open a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
