// Which browser this is, as far as words and ways round it depend on that; never what is asked of the person.

export type BrowserFamily =
  | 'ios_safari'
  | 'ios_other'
  | 'android_chrome'
  | 'firefox'
  | 'safari'
  | 'chromium'
  | 'other';

/** Where a browser puts its question for the camera: at the top of its window, or in the middle of the screen. */
export type AskingPlace = 'top' | 'middle';

/** What navigator tells of the browser. */
export interface BrowserTraits {
  readonly userAgent: string;
  readonly maxTouchPoints: number;
}

/** Browsers inside apps by their own names, and WebViews of Android (`; wv`). */
const IN_APP =
  /FBAN|FBAV|FB_IAB|Instagram|Line\/|MicroMessenger|Snapchat|musical_ly|BytedanceWebview|Twitter|LinkedInApp|Pinterest|KAKAOTALK|; wv\)/;

/** The family whose settings the help for a refused camera names. An iPad claims to be a Mac, with touch. */
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

/** Whether a phone can take over from here: not from a phone or tablet itself. */
export function isComputer({ userAgent, maxTouchPoints }: BrowserTraits): boolean {
  return !isApple(userAgent, maxTouchPoints) && !/Android|Mobile|Tablet/.test(userAgent);
}

/** Whether the page is shown inside another app, many of which have no camera. */
export function isInApp({ userAgent, maxTouchPoints }: BrowserTraits): boolean {
  // On iOS only Safari itself and the other browsers carry these names; an app's own view carries neither.
  const bare = isApple(userAgent, maxTouchPoints) && !/Safari\/|CriOS|FxiOS|EdgiOS|GSA\//.test(userAgent);
  return bare || IN_APP.test(userAgent);
}

/** Where the browser's question appears. */
export function askingPlace(family: BrowserFamily): AskingPlace {
  return family === 'chromium' || family === 'firefox' ? 'top' : 'middle';
}

/**
 * The address that opens a page in the phone's own browser from inside an app: Android's intents, Safari's own scheme
 * (iOS 17 and newer). Apps may refuse either; the page offers the link to copy beside it.
 */
export function outsideAddress(url: string, { userAgent, maxTouchPoints }: BrowserTraits): string {
  if (isApple(userAgent, maxTouchPoints)) return url.replace(/^https:/, 'x-safari-https:');
  if (!/Android/.test(userAgent)) return url;
  // Android reads an intent from its last `#` on: the page's own fragment may stand before it.
  const { protocol } = new URL(url);
  return `${url.replace(protocol, 'intent:')}#Intent;scheme=${protocol.slice(0, -1)};end`;
}

function isApple(userAgent: string, maxTouchPoints: number): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}
