// The layout of the documentation's pages: contents at the side (on a phone, folded away at the top), and the search.
import { DOCS_STYLE_PATH } from './docs-style.ts';
import { type Html, html } from './html.ts';
import { pageShell } from './page-shell.ts';
import { DOCS_SCRIPT_PATH } from './script.ts';

/** A heading of the contents, and the pages below it. */
export interface NavigationSection {
  readonly title: string;
  readonly links: readonly { readonly label: string; readonly path: string }[];
}

interface DocsPage {
  readonly path: string;
  readonly title: string;
  readonly content: Html;
  readonly navigation: readonly NavigationSection[];
}

/** A documentation page. Its search form is hidden until its script has loaded. */
export function docsShell({ path, title, content, navigation }: DocsPage): string {
  const sections = navigation.map(
    (section) =>
      html`<p>${section.title}</p><ul>${section.links.map(
        (link) =>
          html`<li><a href="${link.path}"${link.path === path && html` aria-current="page"`}>${link.label}</a></li>`,
      )}</ul>`,
  );
  const side = html`<header class="top"><a href="/docs">Likeness documentation</a><a href="/docs/api">API</a></header>
<details class="contents"><summary>Contents</summary><nav aria-label="Documentation">${sections}</nav></details>`;
  const search = html`<form class="search" role="search" hidden><label class="soft" for="search">Search the documentation (press <kbd>/</kbd>)</label>
<input id="search" type="search" autocomplete="off" spellcheck="false"><p class="soft" role="status"></p><ol></ol></form>`;
  const head = html`<link rel="stylesheet" href="${DOCS_STYLE_PATH}"><script src="${DOCS_SCRIPT_PATH}" defer></script>`;
  return pageShell(`${title} · Likeness`, html`${search}${content}`, 'document', head, side);
}
