// /llms.txt: points language models to the API and its documentation, as https://llmstxt.org proposes. In Markdown.
import type { Site } from './site.ts';

/** The text; links are absolute, documents in Markdown. */
export function llmsText(baseUrl: string, site: Site): string {
  const link = (title: string, path: string, what: string) => `- [${title}](${baseUrl}${path}): ${what}`;
  return `${[
    '# Likeness',
    '',
    '> Biometric authentication challenges: a server creates one with a POST, a person opens its link and records a short video,',
    '> and the result (a live person, and the same person?) comes as a signed webhook. Self-hosted.',
    '',
    'Requests carry `Authorization: Basic API_KEY` and belong on a server. Errors are RFC 9457 problem details. Store FeatureIDs as securely as keys.',
    '',
    '## API',
    '',
    link('OpenAPI 3.1', '/openapi.json', 'every call, field, problem and webhook'),
    link('Errors', '/docs/errors', 'every kind of problem, and what to do'),
    '',
    '## Documents',
    '',
    ...[...site.pages.values()].map(({ path, title }) => `- [${title}](${baseUrl}${path}.md)`),
  ].join('\n')}\n`;
}
