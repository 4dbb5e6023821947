// Reusable arrays for crops and network inputs. Fresh ones amount to 250 MB per video; what they cost is not allocation
// but garbage collection, which walks the whole heap each time that much has accumulated.

/** Unused arrays by length: as many of each as were ever in use at once. */
const unused = new Map<number, Float32Array[]>();

/**
 * Passes an array to `use` and takes it back when `use` has ended. Its contents are arbitrary: `use` must fill all of
 * it, and must not keep it.
 */
export async function withScratch<T>(length: number, use: (array: Float32Array) => Promise<T>): Promise<T> {
  const array = take(length);
  try {
    return await use(array);
  } finally {
    unused.get(length)!.push(array);
  }
}

/** The same for synchronous work. */
export function withScratchSync<T>(length: number, use: (array: Float32Array) => T): T {
  const array = take(length);
  try {
    return use(array);
  } finally {
    unused.get(length)!.push(array);
  }
}

function take(length: number): Float32Array {
  const arrays = unused.get(length) ?? [];
  unused.set(length, arrays);
  return arrays.pop() ?? new Float32Array(length);
}
