// The layout of the documentation's pages.
import { type Html, html } from './html.ts';
import { pageShell } from './page-shell.ts';
import { DOCS_SCRIPT_PATH } from './script.ts';

/** A documentation page: navigation, and the search form (hidden until its script has loaded). */
export function docsShell(title: string, content: Html): string {
  const top = html`<nav class="nav" aria-label="Documentation"><a href="/docs">Likeness API</a><a href="/docs#guides">Guides</a><a href="/docs/errors">Errors</a></nav>
<form class="search" role="search" hidden><label class="soft" for="search">Search the documentation (press <kbd>/</kbd>)</label>
<input id="search" type="search" autocomplete="off" spellcheck="false"><p class="soft" role="status"></p><ol></ol></form>`;
  const script = html`<script src="${DOCS_SCRIPT_PATH}" defer></script>`;
  return pageShell(title, html`${top}${content}`, 'document', script);
}
