// Identifies the browser, only to choose help texts and workarounds. What is asked of the person never depends on it.

export type BrowserFamily =
  | 'ios_safari'
  | 'ios_other'
  | 'android_chrome'
  | 'firefox'
  | 'safari'
  | 'chromium'
  | 'other';

/** Where a browser shows its camera permission prompt: at the top of its window, or in the middle of the screen. */
export type AskingPlace = 'top' | 'middle';

/** What `navigator` says about the browser. */
export interface BrowserTraits {
  readonly userAgent: string;
  readonly maxTouchPoints: number;
}

/** In-app browsers by name, and Android WebViews (`; wv`). */
const IN_APP =
  /FBAN|FBAV|FB_IAB|Instagram|Line\/|MicroMessenger|Snapchat|musical_ly|BytedanceWebview|Twitter|LinkedInApp|Pinterest|KAKAOTALK|; wv\)/;

/** The family whose settings the help for a denied camera names. An iPad identifies itself as a Mac, but with touch. */
export function browserFamily({ userAgent, maxTouchPoints }: BrowserTraits): BrowserFamily {
  if (isApple(userAgent, maxTouchPoints)) {
    return /CriOS|FxiOS|EdgiOS|GSA\//.test(userAgent) ? 'ios_other' : 'ios_safari';
  }
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Android/.test(userAgent) && /Chrome\//.test(userAgent)) return 'android_chrome';
  if (/Chrome\//.test(userAgent)) return 'chromium';
  if (/Safari\//.test(userAgent) && /Macintosh/.test(userAgent)) return 'safari';
  return 'other';
}

/** Whether this is a computer, from which a phone can take over. */
export function isComputer({ userAgent, maxTouchPoints }: BrowserTraits): boolean {
  return !isApple(userAgent, maxTouchPoints) && !/Android|Mobile|Tablet/.test(userAgent);
}

/** Whether the page is shown inside another app; many of them have no camera access. */
export function isInApp({ userAgent, maxTouchPoints }: BrowserTraits): boolean {
  // On iOS only Safari and the other browsers carry these names; an app's own web view carries none of them.
  const bare = isApple(userAgent, maxTouchPoints) && !/Safari\/|CriOS|FxiOS|EdgiOS|GSA\//.test(userAgent);
  return bare || IN_APP.test(userAgent);
}

/** Where the browser's camera permission prompt appears. */
export function askingPlace(family: BrowserFamily): AskingPlace {
  return family === 'chromium' || family === 'firefox' ? 'top' : 'middle';
}

/**
 * The address that opens a page in the phone's own browser from inside an app: an intent URL on Android, Safari's own
 * scheme on iOS 17 and newer. Apps may refuse either, so the page also offers the link to copy.
 */
export function outsideAddress(url: string, { userAgent, maxTouchPoints }: BrowserTraits): string {
  if (isApple(userAgent, maxTouchPoints)) return url.replace(/^https:/, 'x-safari-https:');
  if (!/Android/.test(userAgent)) return url;
  // Android parses the intent from the last `#`, so the page's own fragment may precede it.
  const { protocol } = new URL(url);
  return `${url.replace(protocol, 'intent:')}#Intent;scheme=${protocol.slice(0, -1)};end`;
}

function isApple(userAgent: string, maxTouchPoints: number): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}
