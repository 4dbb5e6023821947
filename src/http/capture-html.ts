// The capture page's HTML: the built index.html with a nonce, the state and the language put in, and the policy that goes
// with it; and the pages of links that give nothing.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../base/errors.ts';
import { escapeMarkup } from '../base/escape-markup.ts';
import type { CaptureState } from '../contract/capture-page.ts';
import type { EmbeddingMessage } from '../contract/embedding.ts';
import type { Language } from '../contract/languages.ts';
import type { DeadLinkKind, ServerTexts } from '../contract/server-texts.ts';
import { type ChallengeStatus, CLOSED_REASONS } from '../contract/states.ts';
import { Html, html, scriptJson } from './html.ts';
import { pageShell, shellPolicy } from './page-shell.ts';

/** One answer to a person's browser. */
export interface CapturePage {
  readonly html: string;
  readonly policy: string;
}

/** Makes the pages behind a link. */
export interface CapturePages {
  live(state: CaptureState, language: Language): CapturePage;
  /** A short page for a link that gives nothing. `redirectUrl` leads back to where the person came from. */
  dead(kind: DeadLinkKind, language: Language, redirectUrl?: string | null): CapturePage;
}

/**
 * Reads the built page once.
 * @throws Fault CONFIG_INVALID where it is not built
 */
export function readCapturePages(dir: string, frameAncestors: string): CapturePages {
  let template: string;
  let texts: Readonly<Record<Language, ServerTexts>>;
  try {
    template = readFileSync(join(dir, 'index.html'), 'utf8');
    texts = JSON.parse(readFileSync(join(dir, 'server-texts.json'), 'utf8'));
  } catch (cause) {
    throw new Fault('CONFIG_INVALID', `the capture page is not built in ${dir}`, { cause });
  }
  const templates = new Map<Language, string>();
  for (const [language, own] of Object.entries(texts)) {
    const inLanguage = template
      .replace('%LANG%', language)
      .replace('%DIR%', own.direction)
      .replace('%TITLE%', () => escapeMarkup(own.documentTitle))
      .replace('%NOSCRIPT%', () => escapeMarkup(own.noScript));
    templates.set(language as Language, inLanguage);
  }
  return {
    live: (state, language) => {
      const nonce = randomBytes(16).toString('base64');
      return {
        html: templates
          .get(language)!
          .replaceAll('%NONCE%', nonce)
          .replace('%STATE%', () => scriptJson(state)),
        policy: capturePolicy(nonce, frameAncestors),
      };
    },
    dead: (kind, language, redirectUrl = null) =>
      deadLinkPage(kind, language, texts[language], redirectUrl, frameAncestors),
  };
}

/**
 * The page's policy. Scripts: the one with the nonce and what it imports itself, so that nothing else that this origin
 * serves can run here. The guidance Worker compiles its WebAssembly under the policy of its own file. The person's own
 * picture is a stream and no address: no source is needed for it.
 */
function capturePolicy(nonce: string, frameAncestors: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');
}

/** The page for a closed challenge; one whose time is over may not have been swept yet. */
export function deadLinkKind(status: ChallengeStatus): DeadLinkKind {
  return CLOSED_REASONS.find((reason) => reason === status) ?? 'expired';
}

/** What an embedding page is told of a dead link, by the names of the page's own dead ends. */
const FRAME_REASONS: Readonly<Record<DeadLinkKind, string>> = {
  unknown: 'unknown_link',
  completed: 'used',
  expired: 'expired',
  cancelled: 'cancelled',
  busy: 'too_many_requests',
  failed: 'server',
};

function deadLinkPage(
  kind: DeadLinkKind,
  language: Language,
  texts: ServerTexts,
  redirectUrl: string | null,
  frameAncestors: string,
): CapturePage {
  const { title, body } = texts.deadLinks[kind];
  const message: EmbeddingMessage = { source: 'likeness', event: 'failed', reason: FRAME_REASONS[kind] };
  const script = `if(parent!==self)parent.postMessage(${scriptJson(message)},'*')`;
  const hash = createHash('sha256').update(script).digest('base64');
  const back = redirectUrl && html`<p><a href="${redirectUrl}" rel="noreferrer">${texts.goBack}</a></p>`;
  const content = html`<h1>${title}</h1><p>${body}</p>${back}<script>${new Html(script)}</script>`;
  return {
    html: pageShell(title, content, 'card', { language, direction: texts.direction }),
    policy: `${shellPolicy(frameAncestors)}; script-src 'sha256-${hash}'`,
  };
}
