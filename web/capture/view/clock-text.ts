// A time that is left, in digits.

/** Minutes and seconds, as 9:41; the same digits in every language, as the percentage has. */
export function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
