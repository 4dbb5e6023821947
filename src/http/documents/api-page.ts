// /docs/api: the built page of the API reference, with a nonce filled in, and its Content-Security-Policy.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from './send-page.ts';

export const API_PATH = '/docs/api';
/** Path of the page's files. */
export const API_FILES = '/assets/reference/';

/**
 * Reads the built page once; the result makes the page for one response. `tryOut`: whether it may call the API.
 * @throws the file system's error if the page is not built
 */
export function readApiPage(dir: string, tryOut: boolean): () => Page {
  const template = readFileSync(join(dir, 'index.html'), 'utf8').replace('%TRIES%', String(tryOut));
  return () => {
    const nonce = randomBytes(16).toString('base64');
    return { html: template.replaceAll('%NONCE%', nonce), policy: policyWith(nonce) };
  };
}

/**
 * The library writes `style` attributes into markup of its own, so that attributes (not elements) are allowed. What
 * they could do is hide or move something: an attribute selects nothing, so it cannot read a key that was typed, and
 * no address but this origin's may be loaded. Its probe for `eval` is refused, and it goes on without.
 */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
