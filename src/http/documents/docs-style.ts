// The stylesheet that the documentation's pages have in addition to that of all pages.

export const DOCS_STYLE_PATH = '/docs/docs.css';

export const DOCS_STYLE = `
.top { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); }
.top a { color: var(--ink); text-decoration: none; }
.top a:first-child { font-weight: 600; }
.contents { border-bottom: 1px solid var(--line); }
.contents summary { padding: .75rem 1.25rem; cursor: pointer; }
.contents nav { padding: 0 1.25rem 1rem; font-size: .9375rem; }
.contents p { margin: 1rem 0 .25rem; color: var(--soft); font-size: .85rem; font-weight: 600; }
.contents ul { margin: 0; padding: 0; list-style: none; }
.contents a { display: block; padding: .25rem .5rem; border-radius: 6px; color: var(--ink); text-decoration: none; }
.contents a:hover { background: var(--tint); }
.contents [aria-current] { background: var(--tint); color: var(--link); font-weight: 600; }
.sections { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 0 2rem; }
.sections ul { margin: 0; padding-left: 1.25rem; }
.search { margin-bottom: 2rem; }
.search input { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); color: var(--ink); font: inherit; }
.search ol { margin: .5rem 0; padding: 0; list-style: none; }
.search li { padding: .5rem 0; border-bottom: 1px solid var(--line); }
.search li p { margin: 0; overflow-wrap: anywhere; }
td code { overflow-wrap: break-word; }
.copyable { position: relative; margin: 1rem 0; }
.copyable pre { margin: 0; padding-right: 5.5rem; }
.copyable .copy { position: absolute; top: .25rem; right: .25rem; margin: 0; padding: .25rem .75rem; background: var(--paper); font-size: .85rem; }
@media (max-width: 40rem) {
  .copyable pre { padding-right: 1rem; }
  .copyable .copy { position: static; margin-top: .25rem; }
  .stacked, .stacked tbody, .stacked tr, .stacked td { display: block; }
  .stacked th { display: none; }
  .stacked td { padding: .1rem 0; border: 0; }
  .stacked tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
}
@media (min-width: 64rem) {
  body { display: grid; grid-template: auto 1fr / 17rem minmax(0, 1fr); }
  .top { grid-column: 1 / -1; }
  .contents { position: sticky; top: 0; max-height: 100vh; overflow: auto; border-right: 1px solid var(--line); border-bottom: 0; }
  main.document { width: 100%; margin: 0; padding-left: 2.5rem; }
  .contents[open] summary { display: none; }
}
`;
