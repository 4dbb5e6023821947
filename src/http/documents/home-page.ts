// /docs: what the documentation contains.
import { type Html, html } from './html.ts';
import type { NavigationSection } from './shell.ts';

/** `navigation`: the contents at the side, which the page shows at length. */
export function homePage(navigation: readonly NavigationSection[], version: string): Html {
  const sections = navigation.map(
    ({ title, links }) =>
      html`<section><h2>${title}</h2><ul>${links.map(({ path, label }) => html`<li><a href="${path}">${label}</a></li>`)}</ul></section>`,
  );
  return html`<h1>Likeness documentation <span class="soft">${version}</span></h1>
<p>Begin with the <a href="/docs/guides/quickstart">quickstart</a>: it takes you from nothing to a compared face. The
<a href="/docs/api">API reference</a> has every call, with code in many languages.</p>
<div class="sections" id="guides">${sections}</div>
<p>For programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1) and <a href="/llms.txt">llms.txt</a>, which
lists these pages as Markdown.</p>`;
}
