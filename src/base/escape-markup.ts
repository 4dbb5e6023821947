// Escaping for the pages that the server renders, benchmark reports and the SVG of curves.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Not `&apos;`: XML defines it, but HTML did not always.
  "'": '&#39;',
};

/** Escapes text for element content and quoted attributes of HTML and SVG. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
