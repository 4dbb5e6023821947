// Sizes, counts, shares and codes as every page words them.

export function bytesText(bytes: number | null): string {
  if (bytes === null) return '–';
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** A count, or that it took too long. */
export function countText(count: number | null): string {
  return count === null ? 'not counted' : count.toLocaleString('en');
}

/** A duration of some seconds. */
export function secondsText(seconds: number | null): string {
  return seconds === null ? '–' : `${seconds.toFixed(1)} s`;
}

/** A share, 0–1. */
export function percentText(share: number | null): string {
  return share === null ? '–' : `${Math.round(100 * share)} %`;
}

/** What the device says of a passkey. */
export function passkeyText(isBackedUp: boolean): string {
  return `passkey that ${isBackedUp ? 'may be synchronised' : 'stays on the device'}`;
}

/** A code of the service, such as `too_dark`, as words. */
export function wordsOf(code: string): string {
  return code.replaceAll('_', ' ');
}
