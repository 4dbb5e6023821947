// Drawings as text: part of an HTML page or, with a namespace, a document of its own.
import { escapeMarkup } from '../base/escape-markup.ts';
import { type Look, type Shape, shape } from './shapes.ts';

/** What makes a drawing a document of its own. */
export const STANDALONE: Look = { xmlns: 'http://www.w3.org/2000/svg' };

/** The markup of shapes on a view box of `width` by `height`. Texts and attribute values are escaped. */
export function drawingText(width: number, height: number, look: Look, shapes: readonly Shape[]): string {
  const viewBox = `0 0 ${width} ${height}`;
  return markupOf(shape('svg', { viewBox, ...look }, shapes));
}

function markupOf({ tag, look, children }: Shape): string {
  const attributes = Object.entries(look).map(([name, value]) => ` ${name}="${escapeMarkup(String(value))}"`);
  const inner = children.map((child) => (typeof child === 'string' ? escapeMarkup(child) : markupOf(child)));
  return `<${tag}${attributes.join('')}>${inner.join('')}</${tag}>`;
}
