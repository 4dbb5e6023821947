// What each kind of error means and what to do, for /docs/errors/{kind}: the page that a problem's `type` points to.
import { PROBLEMS, type ProblemKind } from '../../contract/problem.ts';
import { html } from './html.ts';
import { markdown } from './markdown.ts';
import type { IndexEntry } from './search-index.ts';
import { docsShell } from './shell.ts';

export function isProblemKind(text: string): text is ProblemKind {
  return Object.hasOwn(PROBLEMS, text);
}

/** The page of one kind: why it happens, what to do, what the response looks like. */
export function problemPage(kind: ProblemKind): string {
  const { status, title, cause, remedy } = PROBLEMS[kind];
  const answer = { type: `…/docs/errors/${kind}`, title, status, detail: '…', instance: 'req_…' };
  return docsShell(
    `${kind} · Likeness`,
    html`<h1>${title}</h1>
<p class="soft">HTTP ${status} · <code>${kind}</code></p>
<h2>Why</h2>${markdown(cause)}
<h2>What to do</h2>${markdown(remedy)}
<h2>The response</h2><pre><code>${JSON.stringify(answer, null, 2)}</code></pre>
<p>Errors are <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a> problem details (<code>application/problem+json</code>). <code>instance</code> is the request id, also in <code>X-Request-Id</code>: quote it when you ask the operator for help.</p>
<p><a href="/docs/errors">All errors</a></p>`,
  );
}

/** Every kind, for the search. */
export function problemEntries(): IndexEntry[] {
  return (Object.keys(PROBLEMS) as ProblemKind[]).map((kind) => {
    const { status, cause, remedy } = PROBLEMS[kind];
    const text = `${status} ${cause} ${remedy}`.replaceAll('`', '');
    return {
      title: `${kind}: ${PROBLEMS[kind].title}`,
      page: 'Errors',
      url: `/docs/errors/${kind}`,
      text,
    };
  });
}

/** The list of all kinds, for /docs/errors. */
export function problemIndexPage(): string {
  const rows = (Object.keys(PROBLEMS) as ProblemKind[]).map(
    (kind) =>
      html`<tr><td>${PROBLEMS[kind].status}</td><td><a href="/docs/errors/${kind}">${kind}</a></td><td>${PROBLEMS[kind].title}</td><td>${markdown(PROBLEMS[kind].remedy)}</td></tr>`,
  );
  return docsShell(
    'Errors · Likeness',
    html`<h1>Errors</h1><table><tr><th>Status</th><th>Kind</th><th>Title</th><th>What to do</th></tr>${rows}</table>
`,
  );
}
