// Renders our own Markdown (guides, descriptions in the OpenAPI document) as HTML. Never use it for text from outside.
import { Marked } from 'marked';
import { Html } from './html.ts';

const marked = new Marked({
  async: false,
  gfm: true,
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${headingId(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
  },
});

export function markdown(text: string): Html {
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
