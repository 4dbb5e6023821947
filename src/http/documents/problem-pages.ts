// What each kind of error means and what to do, for /docs/errors/{kind}, to which a problem's `type` points.
import { PROBLEMS, type ProblemKind } from '../../contract/problem.ts';
import { type Html, html } from './html.ts';
import { markdown } from './markdown.ts';
import type { IndexEntry } from './search-index.ts';

export const ERRORS_PATH = '/docs/errors';

export function isProblemKind(text: string): text is ProblemKind {
  return Object.hasOwn(PROBLEMS, text);
}

/** The page of one kind: why it happens, what to do, what the response looks like. */
export function problemPage(kind: ProblemKind): Html {
  const { status, title, cause, remedy } = PROBLEMS[kind];
  const answer = { type: `…/docs/errors/${kind}`, title, status, detail: '…', instance: 'req_…' };
  return html`<h1>${title}</h1>
<p class="soft">HTTP ${status} · <code>${kind}</code></p>
<h2>Why</h2>${markdown(cause)}
<h2>What to do</h2>${markdown(remedy)}
<h2>The response</h2><pre><code>${JSON.stringify(answer, null, 2)}</code></pre>
<p>Errors are <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a> problem details (<code>application/problem+json</code>). <code>instance</code> is the request id, also in <code>X-Request-Id</code>: quote it when you ask the operator for help.</p>
<p><a href="/docs/errors">All errors</a></p>`;
}

/** Every kind, for the search. */
export function problemEntries(): IndexEntry[] {
  return (Object.keys(PROBLEMS) as ProblemKind[]).map((kind) => {
    const { status, cause, remedy } = PROBLEMS[kind];
    const text = `${status} ${cause} ${remedy}`.replaceAll('`', '');
    return {
      title: `${kind}: ${PROBLEMS[kind].title}`,
      page: 'Errors',
      url: `${ERRORS_PATH}/${kind}`,
      text,
    };
  });
}

/** The list of all kinds, for /docs/errors. */
export function problemIndexPage(): Html {
  const rows = (Object.keys(PROBLEMS) as ProblemKind[]).map(
    (kind) =>
      html`<tr><td>${PROBLEMS[kind].status}</td><td><a href="/docs/errors/${kind}">${kind}</a></td><td>${PROBLEMS[kind].title}</td><td>${markdown(PROBLEMS[kind].remedy)}</td></tr>`,
  );
  return html`<h1>Errors</h1><table class="stacked"><tr><th>Status</th><th>Kind</th><th>Title</th><th>What to do</th></tr>${rows}</table>`;
}
