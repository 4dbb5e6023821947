// The device token binds this tab to its challenge. It is kept in sessionStorage so that a reload can continue, and not
// in a cookie, because the page may be embedded in another site's frame. Where storage is blocked, the token lasts as
// long as the page. A check is handed over to a phone or another tab by its token in the link's fragment, which no
// server sees; to a phone that needs a passkey of its own, without the token.
import type { MadeKey } from '../passkey/disown.ts';

/** Where a computer hands the check over to: a phone, or a tab outside the frame. */
export type HandOffTarget = 'phone' | 'tab';

/** Where a check went that this tab follows: where it was handed over to, or wherever a later start took it. */
export type Followed = HandOffTarget | 'elsewhere';

export interface Device {
  readonly token: string;
  /**
   * Whether this tab started the challenge, handed it over or took it over. The token then belongs to the challenge.
   */
  readonly known: boolean;
  /** Keeps the token across reloads. Called once the server has bound it. */
  keep(token: string): void;
  /** Set if this tab took the check over from another tab that waits for it to end. */
  readonly handedOver: HandOffTarget | null;
  /** Where the check went that this tab is following, kept across reloads. */
  readonly following: Followed | null;
  follow(target: Followed | null): void;
  /** The passkey that was made in this tab for a check that is not over, as far as this tab knows. */
  readonly madeKey: MadeKey | null;
  keepMade(key: MadeKey | null): void;
}

/**
 * Fragment of a hand-over link: `#d=TOKEN`, and `&f=phone` or `&f=tab` if the other side follows along. `#f=phone`: to a
 * phone that starts as a device of its own.
 */
const FRAGMENT = /^#(?:d=([A-Za-z0-9_-]{43,128})(?:&f=(phone|tab))?|f=(phone))$/;

/**
 * The link with which another browser continues this check, in the language that this page's link asks for.
 * @param search query of this page's address
 * @param token of this device, as which the other browser goes on; null: it starts as a device of its own
 * @param followed target that this page follows until the end; null if the person leaves this page
 */
export function handOverLink(
  challengeUrl: string,
  search: string,
  token: string | null,
  followed: HandOffTarget | null,
): string {
  const language = new URLSearchParams(search).get('lang');
  const query = language === null ? '' : `?${new URLSearchParams({ lang: language })}`;
  const parts = [token && `d=${token}`, followed && `f=${followed}`].filter((part) => part !== null);
  return `${challengeUrl}${query}#${parts.join('&')}`;
}

/**
 * Takes the device token from the fragment or from sessionStorage, or creates one.
 * @param challengePath path of the challenge; its hash names the storage entries, so that the link is not stored
 */
export async function openDevice(challengePath: string): Promise<Device> {
  const key = `likeness-device-${(await sha256Hex(new TextEncoder().encode(challengePath))).slice(0, 16)}`;
  const given = FRAGMENT.exec(location.hash);
  const [handed = null, from = given?.[3] ?? null] = given?.slice(1) ?? [];
  if (given) {
    if (handed !== null) write(key, handed);
    write(`${key}-from`, from);
    // Keep the token out of the address bar and the history.
    history.replaceState(null, '', location.pathname + location.search);
  }
  const stored = handed ?? read(key);
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
    handedOver: targetOf(given ? from : read(`${key}-from`)),
    get following() {
      const to = read(`${key}-to`);
      return to === 'elsewhere' ? to : targetOf(to);
    },
    follow: (target) => write(`${key}-to`, target),
    get madeKey() {
      return madeKeyOf(read(`${key}-made`));
    },
    keepMade: (made) => write(`${key}-made`, made && JSON.stringify(made)),
  };
}

/** Hex SHA-256. */
export async function sha256Hex(bytes: BufferSource): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** 256 random bits in base64url. The page proposes its own token, so that a lost response does not lock it out. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Null also for what another program may have written there. */
function madeKeyOf(text: string | null): MadeKey | null {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
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
    // Storage is blocked in this frame. The page works, but a reload starts over.
  }
}
