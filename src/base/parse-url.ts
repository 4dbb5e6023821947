// Absolute URLs from outside. `URL.canParse` of Node.js 20 is not used: once V8 has optimised it, after some thousand
// calls, it refuses every URL with a letter like é or ü.

/** The URL that the text is; null if it is no absolute URL. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
