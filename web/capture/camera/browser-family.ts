// Which browser family the help for a refused camera speaks to. Only the words depend on it, never the behaviour.

export type BrowserFamily =
  | 'ios_safari'
  | 'ios_other'
  | 'android_chrome'
  | 'firefox'
  | 'safari'
  | 'chromium'
  | 'other';

/** @param userAgent navigator.userAgent; @param touchPoints navigator.maxTouchPoints (an iPad claims to be a Mac) */
export function browserFamily(userAgent: string, touchPoints: number): BrowserFamily {
  const ios = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1);
  if (ios) return /CriOS|FxiOS|EdgiOS|GSA\//.test(userAgent) ? 'ios_other' : 'ios_safari';
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Android/.test(userAgent) && /Chrome\//.test(userAgent)) return 'android_chrome';
  if (/Chrome\//.test(userAgent)) return 'chromium';
  if (/Safari\//.test(userAgent) && /Macintosh/.test(userAgent)) return 'safari';
  return 'other';
}
