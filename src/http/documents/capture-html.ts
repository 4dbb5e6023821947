// The capture page's HTML: the built index.html with a nonce, the state and the language filled in, and its
// Content-Security-Policy. Dead links get the same page, with the kind of dead link in place of a challenge's state.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../base/errors.ts';
import { escapeMarkup } from '../../base/escape-markup.ts';
import type { CaptureState } from '../../contract/capture-page.ts';
import type { DeadLinkState } from '../../contract/dead-link.ts';
import type { Language } from '../../contract/languages.ts';
import type { DeadLinkKind, ServerTexts } from '../../contract/server-texts.ts';
import { type ChallengeStatus, CLOSED_REASONS } from '../../contract/states.ts';
import type { HttpSettings } from '../settings.ts';
import { html, scriptJson } from './html.ts';
import type { Page } from './send-page.ts';

/** Path of the page's files, below that of BASE_URL. */
export const CAPTURE_FILES = '/assets/capture';

/** Makes the pages behind a link. */
export interface CapturePages {
  live(state: CaptureState, language: Language): Page;
  /** The page of a dead link; readable without scripts too. `owner`: whose check it was, if known. */
  dead(kind: DeadLinkKind, language: Language, owner?: DeadLinkState['owner']): Page;
}

/**
 * Reads the built page once.
 * @throws Fault CONFIG_INVALID if it is not built
 */
export function readCapturePages(
  { capturePageDir: dir, baseUrl }: Pick<HttpSettings, 'capturePageDir' | 'baseUrl'>,
  frameAncestors: string,
  passkeyAttestation: HttpSettings['passkeyAttestation'] = 'none',
): CapturePages {
  let template: string;
  let texts: Readonly<Record<Language, ServerTexts>>;
  try {
    template = readFileSync(join(dir, 'index.html'), 'utf8');
    template = template.replaceAll(
      '%FILES%',
      escapeMarkup(`${new URL(baseUrl).pathname.replace(/\/$/, '')}${CAPTURE_FILES}`),
    );
    template = template.replace('data-attestation="none"', `data-attestation="${passkeyAttestation}"`);
    // Cloudflare's Rocket Loader leaves scripts with this attribute as they are.
    template = template.replace('<script type="module"', '<script data-cfasync="false" type="module"');
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
      .replace('%NOSCRIPT%', () => escapeMarkup(own.noScript))
      .replace('%LATE%', () => escapeMarkup(own.late))
      .replace('%RETRY%', () => escapeMarkup(own.retry));
    templates.set(language as Language, inLanguage);
  }
  const page = (text: string, state: CaptureState | DeadLinkState): Page => {
    const nonce = randomBytes(16).toString('base64');
    return {
      html: text.replaceAll('%NONCE%', nonce).replace('%STATE%', () => scriptJson(state)),
      policy: capturePolicy(nonce, frameAncestors),
    };
  };
  return {
    live: (state, language) => page(templates.get(language)!, state),
    dead: (kind, language, owner = null) => {
      const own = texts[language];
      const { html: text, policy } = page(templates.get(language)!, { dead_link: kind, owner });
      // Filled in last: a client's text may look like one of our placeholders, and must not be replaced.
      const filled = text
        .replace(/<title>.*?<\/title>/, () => `<title>${escapeMarkup(own.deadLinks[kind].title)}</title>`)
        .replace(/<!--content-->.*?<!--\/content-->/s, () => deadLinkContent(kind, owner, own))
        .replace(/<noscript>.*?<\/noscript>/s, '');
      return { html: filled, policy };
    },
  };
}

/**
 * The page's policy. It allows only the script with the nonce and what that script imports, so that nothing else served
 * from this origin can run here. The guidance Worker compiles its WebAssembly under the policy of its own file. The
 * camera preview is a stream, not a URL, and needs no source.
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

/**
 * The kind of page for a closed challenge. Any other status means expired: the challenge may not have been swept yet.
 */
export function deadLinkKind(status: ChallengeStatus): DeadLinkKind {
  return CLOSED_REASONS.find((reason) => reason === status) ?? 'expired';
}

/** What the page shows until its script has rendered, and permanently where scripts do not run. */
function deadLinkContent(kind: DeadLinkKind, owner: DeadLinkState['owner'], texts: ServerTexts): string {
  const { title, body } = texts.deadLinks[kind];
  const back = owner?.exit_redirect_url;
  return html`<header class="bar"><div class="bar__who"><span class="bar__name" dir="auto">${owner?.account.display_name}</span></div></header>
<main class="main"><div class="screen screen--message"><div class="screen__content"><div class="badge"></div>
<h1 class="title">${title}</h1><p class="lead">${body}</p></div>${
    back &&
    html`<div class="actions"><a class="button button--quiet" href="${back}" target="_top" rel="noreferrer">${texts.goBack}</a></div>`
  }</div></main>`.text;
}
