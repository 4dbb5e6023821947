// Which client-supplied URLs a challenge may carry, as far as the URL alone can tell. The guarded fetch looks up host
// names when it connects.
import { parseUrl } from '../../base/parse-url.ts';
import type { FieldFault } from '../../contract/problem.ts';
import type { ChallengeSettings } from '../settings.ts';
import { isAppScheme } from './app-schemes.ts';

/**
 * WHATWG parsers silently drop tabs and newlines, and marks of the direction of writing show a person another address
 * than the one that is opened; no legitimate URL contains either.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
/**
 * By itself `https:a.example` means a.example, but in a page of ours it is a relative path. Only this form is
 * unambiguous.
 */
const HIERARCHICAL = /^https?:\/\//i;
/**
 * A scheme after the scheme, as in `feed:javascript:…`: an app that strips the first runs the second. A host with a
 * port (`myapp://host:80/`) is not one.
 */
const NESTED_SCHEME = /^[^:]*:[\s/\\]*[a-z][a-z0-9+.-]*:(?!\d{1,5}([/?#]|$))/i;

/** Faults of an http(s) URL that the page links to. */
export function webUrlFaults(
  text: string,
  pointer: string,
  options: { httpsOnly?: boolean } = {},
): FieldFault[] {
  const url = parse(text);
  if (!url) return [fault(pointer, 'invalid_url', 'is not a valid absolute URL')];
  if (!isWeb(url)) return [fault(pointer, 'url_scheme_not_allowed', 'must be an http or https URL')];
  const further = spellingFaults(text, url, pointer);
  if (further.length > 0) return further;
  if (options.httpsOnly && url.protocol !== 'https:') {
    return [fault(pointer, 'https_required', 'must be an https URL')];
  }
  return [];
}

/** Faults of an http(s) URL that the server calls: what the guarded fetch would refuse without a DNS lookup. */
export function calledUrlFaults(
  text: string,
  pointer: string,
  {
    settings,
    httpsOnly = false,
  }: { settings: Pick<ChallengeSettings, 'refusedTarget'>; httpsOnly?: boolean },
): FieldFault[] {
  const faults = webUrlFaults(text, pointer, { httpsOnly });
  if (faults.length > 0) return faults;
  const refusal = settings.refusedTarget(new URL(text));
  return refusal ? [fault(pointer, refusal, REFUSED_TARGETS[refusal])] : [];
}

const REFUSED_TARGETS = {
  address_not_allowed: 'must be a public address; the operator can allow private ones (WEBHOOK_ALLOW_HOSTS)',
  port_not_allowed: 'must not use the port of a protocol other than HTTP',
} as const;

/** Faults of `exit_redirect_url`, which must be http(s) or an app's own scheme. */
export function exitUrlFaults(text: string, pointer: string): FieldFault[] {
  const url = parse(text);
  if (!url) return [fault(pointer, 'invalid_url', 'is not a valid absolute URL')];
  const isOwn = isWeb(url) || isAppScheme(url.protocol.slice(0, -1));
  const misspelt = isOwn ? spellingFaults(text, url, pointer) : [];
  if (misspelt.length > 0) return misspelt;
  if (isWeb(url) || (isOwn && !NESTED_SCHEME.test(decoded(text)))) return [];
  const detail = 'must be https, http, or a scheme of your own app such as `myapp:` or `com.example.app:`';
  return [fault(pointer, 'url_scheme_not_allowed', detail)];
}

function parse(text: string): URL | null {
  return CONTROL_CHARACTER.test(text) ? null : parseUrl(text);
}

const isWeb = (url: URL): boolean => url.protocol === 'http:' || url.protocol === 'https:';

/**
 * Faults of a URL that two parsers could read differently, or that contains credentials. URLs are used exactly as
 * given.
 */
function spellingFaults(text: string, url: URL, pointer: string): FieldFault[] {
  if (text !== text.trim() || (isWeb(url) && !HIERARCHICAL.test(text))) {
    return [fault(pointer, 'invalid_url', 'is not a valid absolute URL')];
  }
  if (url.username !== '' || url.password !== '') {
    return [fault(pointer, 'invalid_url', 'must not carry a user name or password')];
  }
  return [];
}

/** Undoes percent-encoding as far as possible, because an app may do so, and what it opens may do so again. */
function decoded(text: string): string {
  try {
    const once = decodeURIComponent(text);
    return once === text ? text : decoded(once);
  } catch {
    return text;
  }
}

function fault(pointer: string, code: FieldFault['code'], detail: string): FieldFault {
  return { pointer, code, detail };
}
