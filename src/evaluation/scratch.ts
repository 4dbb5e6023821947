// Arrays for crops and the inputs of networks, used over and over: fresh ones are 250 MB a video, and what they cost is not their
// making but the collector, which goes through the whole heap each time that so much has come together.

/** Arrays that nobody uses, by their length: as many of each as were ever in use at once. */
const unused = new Map<number, Float32Array[]>();

/** Lends an array, with whatever values it had, until `use` has ended: it must be filled whole, and not be kept. */
export async function withScratch<T>(length: number, use: (array: Float32Array) => Promise<T>): Promise<T> {
  const array = take(length);
  try {
    return await use(array);
  } finally {
    unused.get(length)!.push(array);
  }
}

/** The same for work that waits for nothing. */
export function withScratchNow<T>(length: number, use: (array: Float32Array) => T): T {
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
