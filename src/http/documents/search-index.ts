// The index of the documentation search: sections of documents, error pages, operations and objects
// of the API.
import { API_PATH } from './api-page.ts';
import { headingId } from './markdown.ts';
import type { OpenApiDocument, Schema } from './openapi-document.ts';
import type { SitePage } from './site.ts';

/** One possible search result. */
export interface IndexEntry {
  readonly title: string;
  /** Title of the page that it is part of. */
  readonly page: string;
  readonly url: string;
  /** Its plain text. */
  readonly text: string;
}

/** The sections of a document, one for each heading. */
export function documentEntries({ path: url, title, text }: SitePage): IndexEntry[] {
  return text
    .split(/^(?=#{1,3} )/m)
    .filter((section) => section.trim() !== '')
    .map((section) => {
      const heading = /^#+ (.+)$/m.exec(section)?.[1] ?? title;
      const isTop = section.startsWith('# ');
      const body = plain(section.replace(/^#+ .+$/m, ''));
      return {
        title: plain(heading),
        page: title,
        url: isTop ? url : `${url}#${headingId(heading)}`,
        text: body,
      };
    });
}

/** The operations of the API. */
export function operationEntries(document: OpenApiDocument): IndexEntry[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, { summary, description, operationId, tags = [] }]) => ({
        title: `${method.toUpperCase()} ${path}`,
        page: 'API',
        url: `${API_PATH}#tag/${headingId(tags[0] ?? '')}/${operationId}`,
        text: plain([summary, description].filter(Boolean).join('. ')),
      })),
  );
}

/** The objects of the API, with the names and descriptions of their fields. */
export function schemaEntries(document: OpenApiDocument): IndexEntry[] {
  return Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => ({
    title: name,
    page: 'API object',
    url: `${API_PATH}#model/${name}`,
    text: plain(fieldWords(schema).join(' ')),
  }));
}

function fieldWords({ properties = {}, items, anyOf = [] }: Schema): string[] {
  const own = Object.entries(properties).flatMap(([name, field]) => [
    name,
    field.description ?? '',
    ...fieldWords(field),
  ]);
  return [...own, ...(items ? fieldWords(items) : []), ...anyOf.flatMap(fieldWords)];
}

/** Markdown without its markup, to search and to show as text. */
function plain(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/```\w*|[`*|#]|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
