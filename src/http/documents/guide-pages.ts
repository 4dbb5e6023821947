// Guides for integrators: renders the Markdown files of docs/guides as pages under /docs/guides.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Html, html } from './html.ts';
import { markdown } from './markdown.ts';
import { guideEntries, type IndexEntry } from './search-index.ts';
import { docsShell } from './shell.ts';

interface Guide {
  readonly name: string;
  readonly title: string;
  readonly page: string;
  /** Its sections, for the search. */
  readonly entries: readonly IndexEntry[];
  /** The Markdown source. */
  readonly text: string;
}

/** Reads every guide once. @throws the file system's error if the folder is missing */
export function readGuides(folder: string): ReadonlyMap<string, Guide> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  return new Map(
    files.sort().map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const name = file.slice(0, -'.md'.length);
      const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
      return [
        name,
        { name, title, text, page: guidePage(title, text), entries: guideEntries(name, title, text) },
      ];
    }),
  );
}

/** Links to all guides, for the API page. */
export function guideList(guides: ReadonlyMap<string, Guide>): Html {
  const items = [...guides.values()].map(
    ({ name, title }) => html`<li><a href="/docs/guides/${name}">${title}</a></li>`,
  );
  return html`<ul>${items}</ul>`;
}

function guidePage(title: string, text: string): string {
  // The files link to each other by file name, so that the links also work in the repository.
  const linked = markdown(text).text.replace(
    /href="([a-z0-9-]+)\.md(#[a-z0-9-]+)?"/g,
    'href="/docs/guides/$1$2"',
  );
  return docsShell(`${title} · Likeness`, new Html(linked));
}
