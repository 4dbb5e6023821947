// The layout of the server's own pages (documentation, front page, the notice that the console is off): one stylesheet,
// nothing from other hosts, readable in light and dark mode.
import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --paper: #fff; --tint: #f6f8fa; --link: #0a58ca; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b1; --line: #30363d; --paper: #0d1117; --tint: #161b22; --link: #6cb2ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
main.card { max-width: 32rem; padding-top: 18vh; text-align: center; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { margin: .5rem 0; }
a { color: var(--link); }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
code { background: var(--tint); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem; overflow: auto; }
pre code { background: none; padding: 0; }
table { width: 100%; border-collapse: collapse; margin: .5rem 0; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; font-size: .85rem; }
button { min-height: 2.75rem; margin: .25rem 0; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--tint); color: var(--link); font: inherit; cursor: pointer; }
.soft { color: var(--soft); }
`;

/** Path of these pages' icon. Without a link to one, browsers request /favicon.ico, which no policy here allows. */
export const ICON_PATH = '/favicon.svg';
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Likeness</title><rect width="32" height="32" rx="9" fill="#2f5bea"/><g fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"><ellipse cx="16" cy="16" rx="7.5" ry="9.5"/><path d="M12.6 18.6c1.9 2.2 4.9 2.2 6.8 0"/></g></svg>';

/** CSP source of the one stylesheet. */
const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** What a page may do beyond being read. */
interface ShellRights {
  /** Where it may send a form. */
  readonly formAction?: string;
  /** Whether it may load scripts and stylesheets from this origin, and fetch from it. */
  readonly scripts?: boolean;
}

/** Content-Security-Policy of these pages: the one stylesheet, the icon, and what the page's rights add. */
export function shellPolicy(
  frameAncestors: string,
  { formAction = "'none'", scripts = false }: ShellRights = {},
): string {
  return [
    "default-src 'none'",
    ...(scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    `style-src ${scripts ? "'self' " : ''}${STYLE_HASH}`,
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');
}

/** A whole page. `card` centres a short message; `head` goes at the end of `<head>`, `side` before the content. */
export function pageShell(
  title: string,
  content: Html,
  layout: 'document' | 'card' = 'document',
  head: Html | null = null,
  side: Html | null = null,
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${ICON_PATH}">
<style>${new Html(STYLE)}</style>
${head}</head>
<body>${side}<main class="${layout}">${content}</main></body>
</html>
`.text;
}
