// The capture page's HTML: the built index.html with a nonce, the state and the language put in, and the policy that goes
// with it. Links that give nothing have the same page, with their word in place of a challenge's state.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../base/errors.ts';
import { escapeMarkup } from '../base/escape-markup.ts';
import type { CaptureState, DeadLinkState } from '../contract/capture-page.ts';
import type { Language } from '../contract/languages.ts';
import type { DeadLinkKind, ServerTexts } from '../contract/server-texts.ts';
import { type ChallengeStatus, CLOSED_REASONS } from '../contract/states.ts';
import { html, scriptJson } from './html.ts';
import type { Page } from './send-page.ts';
import type { HttpSettings } from './services.ts';

/** Path of the page's files, below that of BASE_URL. */
export const CAPTURE_FILES = '/assets/capture';

/** Makes the pages behind a link. */
export interface CapturePages {
  live(state: CaptureState, language: Language): Page;
  /** The page of a link that gives nothing; readable without scripts too. `owner`: whose check it was, where known. */
  dead(kind: DeadLinkKind, language: Language, owner?: DeadLinkState['owner']): Page;
}

/**
 * Reads the built page once.
 * @throws Fault CONFIG_INVALID where it is not built
 */
export function readCapturePages(
  { capturePageDir: dir, baseUrl }: Pick<HttpSettings, 'capturePageDir' | 'baseUrl'>,
  frameAncestors: string,
): CapturePages {
  let template: string;
  let texts: Readonly<Record<Language, ServerTexts>>;
  try {
    template = readFileSync(join(dir, 'index.html'), 'utf8');
    template = template.replaceAll(
      '%FILES%',
      escapeMarkup(`${new URL(baseUrl).pathname.replace(/\/$/, '')}${CAPTURE_FILES}`),
    );
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
      // Last: what a client wrote may look like one of our own marks, and must not be filled in.
      const filled = text
        .replace(/<title>.*?<\/title>/, () => `<title>${escapeMarkup(own.deadLinks[kind].title)}</title>`)
        .replace(/<!--content-->.*?<!--\/content-->/s, () => deadLinkContent(kind, owner, own))
        .replace(/<noscript>.*?<\/noscript>/s, '');
      return { html: filled, policy };
    },
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

/** What stands in the page until its script has drawn it, and for good where scripts do not run. */
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
