// Text into markup: the pages that the server writes, the report of a bench, the SVG of curves.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // XML knows `&apos;`, HTML did not always.
  "'": '&#39;',
};

/** Escapes text for element content and quoted attributes of HTML and SVG. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
