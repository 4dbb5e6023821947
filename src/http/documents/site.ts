// The documentation as a site: the Markdown files of the table of contents as pages under /docs, which link to each
// other and share the navigation.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTENTS } from './contents.ts';
import type { Html } from './html.ts';
import { markdown } from './markdown.ts';
import { docsShell, type NavigationSection } from './shell.ts';

/** A document of the site. */
export interface SitePage {
  readonly path: string;
  readonly title: string;
  /** The Markdown source. */
  readonly text: string;
}

export interface Site {
  /** Every document, by its path. */
  readonly pages: ReadonlyMap<string, SitePage>;
  readonly navigation: readonly NavigationSection[];
  /** The document as a whole page. */
  document(page: SitePage): string;
  /** Any other page of the site. */
  page(path: string, title: string, content: Html): string;
}

/** Reads every document once, from the folder `docs`. @throws the file system's error if one is missing */
export function readSite(folder: string): Site {
  const byFile = new Map<string, SitePage>();
  for (const file of CONTENTS.flatMap(({ files }) => files)) {
    const text = readFileSync(join(folder, `${file}.md`), 'utf8');
    const path = `/docs/${file.replace(/\/README$/, '')}`;
    byFile.set(file, { path, text, title: plainTitle(text) });
  }
  const navigation = CONTENTS.map(({ title, files, pages = [] }) => {
    const documents = files.map((file) => {
      const { path, title } = byFile.get(file)!;
      // "Quickstart: from nothing to a compared face"
      return { path, label: title.split(':')[0]! };
    });
    return { title, links: [...pages, ...documents] };
  });
  const files = new Map([...byFile].map(([file, page]) => [page, file]));
  const rendered = new Map<SitePage, string>();
  const page = (path: string, title: string, content: Html) =>
    docsShell({ path, title, content, navigation });
  return {
    pages: new Map([...byFile.values()].map((page) => [page.path, page])),
    navigation,
    page,
    document(shown) {
      const linked = (href: string) => siteAddress(href, files.get(shown)!, byFile);
      const html = rendered.get(shown) ?? page(shown.path, shown.title, markdown(shown.text, linked));
      rendered.set(shown, html);
      return html;
    },
  };
}

/** Where a link of the file leads on the site; null: to a file that only the repository has. */
function siteAddress(href: string, file: string, pages: ReadonlyMap<string, SitePage>): string | null {
  if (/^(\w+:|[/#])/.test(href)) return href;
  // The files link to each other by file name, so that the links also work in the repository.
  const { pathname, hash } = new URL(href, `file:///${file}`);
  const page = pages.get(pathname.slice(1).replace(/\.md$/, ''));
  return page ? page.path + hash : null;
}

const plainTitle = (text: string) => (/^# (.+)$/m.exec(text)?.[1] ?? '').replaceAll('`', '');
