// A limit for what a browser may never answer: nobody waits before a page that does not say for what.

/**
 * What the work comes to, or `otherwise` where it has come to nothing after so many milliseconds.
 * @throws what the work fails with in time
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
