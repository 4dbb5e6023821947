// Time limit for browser calls that may never settle: people do not wait for a page that does not say what it waits
// for.

/**
 * Resolves to the work's result, or to `otherwise` after `limitMs` milliseconds.
 * @throws whatever the work rejects with in time
 */
export async function within<T>(limitMs: number, work: Promise<T>, otherwise: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
