// The tab's hold on its challenge: the device token, kept in sessionStorage so that a reload goes on.
// No cookie: the page may stand in a foreign frame. Where storage is refused the token lives as long as the page.
// A check is handed over to a phone or another tab by its token in the link's fragment, which no server ever sees.

/** Where the check goes on when a computer has handed it over: on a phone, or in a tab outside of a frame. */
export type HandOffTarget = 'phone' | 'tab';

export interface Device {
  readonly token: string;
  /** Whether this tab began the challenge, handed it over, or took it over: the token is the challenge's own by then. */
  readonly known: boolean;
  /** Keeps the token for a reload; called when the server has bound it. */
  keep(token: string): void;
  /** Where this tab took the check over from another that waits for its end. */
  readonly handedOver: HandOffTarget | null;
  /** The hand-off that this tab follows now, kept for a reload. */
  readonly following: HandOffTarget | null;
  follow(target: HandOffTarget | null): void;
}

/** What a fragment hands over: `#d=TOKEN`, and `&f=phone` or `&f=tab` where the other side follows along. */
const FRAGMENT = /^#d=([A-Za-z0-9_-]{43,128})(?:&f=(phone|tab))?$/;

/**
 * The link that lets another browser go on with this check as the same device, in the language that this one's link asks for.
 * @param search query of this page's address
 * @param followed where this page waits for the end; null where it is left for good
 */
export function handOverLink(
  challengeUrl: string,
  search: string,
  token: string,
  followed: HandOffTarget | null,
): string {
  const language = new URLSearchParams(search).get('lang');
  const query = language === null ? '' : `?${new URLSearchParams({ lang: language })}`;
  return `${challengeUrl}${query}#d=${token}${followed === null ? '' : `&f=${followed}`}`;
}

/** @param challengePath path of the challenge; its hash names the entry, so that the link is not written down */
export async function openDevice(challengePath: string): Promise<Device> {
  const key = `likeness-device-${(await sha256Hex(new TextEncoder().encode(challengePath))).slice(0, 16)}`;
  const given = FRAGMENT.exec(location.hash);
  if (given) {
    write(key, given[1]!);
    write(`${key}-from`, given[2] ?? null);
    // Not left in the address bar or the history.
    history.replaceState(null, '', location.pathname + location.search);
  }
  const stored = given?.[1] ?? read(key);
  let known = stored !== null;
  return {
    token: stored ?? newToken(),
    get known() {
      return known;
    },
    keep: (token) => {
      known = true;
      write(key, token);
    },
    handedOver: targetOf(given ? given[2] : read(`${key}-from`)),
    get following() {
      return targetOf(read(`${key}-to`));
    },
    follow: (target) => write(`${key}-to`, target),
  };
}

/** Hex SHA-256. */
export async function sha256Hex(bytes: BufferSource): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** 256 random bits, base64url: the page proposes its own token, so that a lost answer does not lock it out. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function targetOf(text: string | null | undefined): HandOffTarget | null {
  return text === 'phone' || text === 'tab' ? text : null;
}

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // Storage is blocked in this frame: the page works, only a reload starts anew.
  }
}
