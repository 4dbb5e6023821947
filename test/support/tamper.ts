// Alterations of sealed and signed things, one place at a time, for tests that none of them is accepted.

/** Copies of the bytes, each with every bit of one byte flipped. */
export function everyByteFlipped(bytes: Uint8Array): Buffer<ArrayBuffer>[] {
  return Array.from(bytes, (byte, at) => {
    const changed = Buffer.from(bytes);
    changed[at] = byte ^ 0xff;
    return changed;
  });
}

/** The same for bytes written as base64url. */
export function everyByteFlippedIn(base64url: string): string[] {
  return everyByteFlipped(Buffer.from(base64url, 'base64url')).map((bytes) => bytes.toString('base64url'));
}

/** Copies of the text, each with one character replaced by another letter or digit. */
export function everyCharacterChanged(text: string): string[] {
  return Array.from(text, (sign, at) => text.slice(0, at) + (sign === 'A' ? 'B' : 'A') + text.slice(at + 1));
}

/** Alterations for which `isRefused` is false: the list is empty if each is refused. */
export async function accepted<T>(
  alterations: readonly T[],
  isRefused: (altered: T) => boolean | Promise<boolean>,
): Promise<T[]> {
  const found: T[] = [];
  for (const altered of alterations) if (!(await isRefused(altered))) found.push(altered);
  return found;
}
