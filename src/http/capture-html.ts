// The capture page's HTML: the built index.html with a nonce and the state put in, and the policy that goes with it.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../base/errors.ts';
import type { CaptureState } from '../contract/capture-page.ts';
import { type ChallengeStatus, CLOSED_REASONS } from '../contract/states.ts';
import { html, scriptJson } from './html.ts';
import { pageShell } from './page-shell.ts';

/** One answer of the page. */
export interface CapturePage {
  readonly html: string;
  readonly policy: string;
}

/**
 * Reads the built page once.
 * @throws Fault CONFIG_INVALID where it is not built
 */
export function readCapturePage(dir: string, frameAncestors: string): (state: CaptureState) => CapturePage {
  let template: string;
  try {
    template = readFileSync(join(dir, 'index.html'), 'utf8');
  } catch (cause) {
    throw new Fault('CONFIG_INVALID', `the capture page is not built in ${dir}`, { cause });
  }
  return (state) => {
    const nonce = randomBytes(16).toString('base64');
    return {
      html: template.replaceAll('%NONCE%', nonce).replace('%STATE%', () => scriptJson(state)),
      policy: capturePolicy(nonce, frameAncestors),
    };
  };
}

/**
 * The page's policy: code and data from our own origin alone. `wasm-unsafe-eval` lets the face guidance compile its
 * WebAssembly; blob: is for the Worker and the person's own picture.
 */
function capturePolicy(nonce: string, frameAncestors: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'wasm-unsafe-eval'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob: mediastream:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');
}

const DEAD_LINKS = {
  unknown: ['This link does not work', 'It may be incomplete. Please open it again from where you got it.'],
  completed: ['This check is done', 'There is nothing left to do here. You can close this page.'],
  expired: ['This link has expired', 'Please go back to where you got it and ask for a new one.'],
  cancelled: ['This check was called off', 'Please go back to where you got the link.'],
  busy: ['Too many requests', 'Please wait a minute and open the link again.'],
  failed: ['Something went wrong', 'Please wait a moment and open the link again.'],
} as const;

export type DeadLinkKind = keyof typeof DEAD_LINKS;

/** The page for a closed challenge; one whose time is over may not have been swept yet. */
export function deadLinkKind(status: ChallengeStatus): DeadLinkKind {
  return CLOSED_REASONS.find((reason) => reason === status) ?? 'expired';
}

/** A short page for a link that gives nothing. `redirectUrl` leads back to where the person came from. */
export function deadLinkPage(kind: DeadLinkKind, redirectUrl: string | null = null): string {
  const [title, text] = DEAD_LINKS[kind];
  const back = redirectUrl && html`<p><a href="${redirectUrl}" rel="noreferrer">Go back</a></p>`;
  return pageShell(title, html`<h1>${title}</h1><p>${text}</p>${back}`, 'card');
}
