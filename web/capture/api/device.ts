// The tab's hold on its challenge: the device token, kept in sessionStorage so that a reload goes on.
// No cookie: the page may stand in a foreign frame. Where storage is refused the token lives as long as the page.

export interface Device {
  readonly token: string;
  /** Whether the token was there before this page load, that is: whether this tab began the challenge. */
  readonly known: boolean;
  /** Keeps the token for a reload; called when the server has bound it. */
  keep(token: string): void;
}

/** @param challengePath path of the challenge; its hash names the entry, so that the link is not written down */
export async function openDevice(challengePath: string): Promise<Device> {
  const key = `likeness-device-${(await sha256Hex(new TextEncoder().encode(challengePath))).slice(0, 16)}`;
  const stored = read(key);
  return {
    token: stored ?? newToken(),
    known: stored !== null,
    keep: (token) => write(key, token),
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

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // Storage is blocked in this frame: the page works, only a reload starts anew.
  }
}
