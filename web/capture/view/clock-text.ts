// Remaining time in digits.

/** Minutes and seconds, such as 9:41; in the same digits in every language, like the percentage. */
export function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
