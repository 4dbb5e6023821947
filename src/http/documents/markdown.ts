// Renders our own Markdown (documents, descriptions in the OpenAPI document) as HTML. Never use it for text from
// outside.
import { Marked } from 'marked';
import { Html, html } from './html.ts';

/** `linkTo`: where a link leads instead of its address; null: nowhere, and only its text is shown. */
export function markdown(text: string, linkTo: (href: string) => string | null = (href) => href): Html {
  const marked = new Marked({
    async: false,
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${headingId(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const shown = new Html(this.parser.parseInline(tokens));
        const address = linkTo(href);
        return address === null ? shown.text : html`<a href="${address}">${shown}</a>`.text;
      },
    },
  });
  return new Html(marked.parse(text) as string);
}

/** The anchor of a heading, as code forges make it: lower-case letters, digits and hyphens. */
export function headingId(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
