// Markdown of our own (guides, descriptions in the OpenAPI document) as HTML. Never for text that comes from outside.
import { Marked } from 'marked';
import { Html } from './html.ts';

export function markdown(text: string): Html {
  return new Html(new Marked({ async: false, gfm: true }).parse(text) as string);
}
