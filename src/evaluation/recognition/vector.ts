// Arithmetic on embeddings and descriptors. Pure.

/** Scales to unit length in place and returns it. A zero vector stays zero: its cosine to anything is 0. */
export function normalise(vector: Float32Array): Float32Array {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!;
  const gain = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  for (let i = 0; i < vector.length; i++) vector[i] = vector[i]! * gain;
  return vector;
}

/**
 * Cosine of two vectors, −1 to 1: unit norm in floating point, any norm but 0 in int8. Throws RangeError when their
 * lengths differ.
 */
export function cosineSimilarity(a: Float32Array, b: Float32Array | Int8Array): number {
  if (a.length !== b.length) throw new RangeError(`vectors of ${a.length} and ${b.length} values`);
  return b instanceof Int8Array ? cosineToQuantised(a, b) : productOf(a, b);
}

/** Four independent sums do not wait for each other, which halves the time. */
function productOf(a: Float32Array, b: Float32Array): number {
  const whole = a.length & ~3;
  let [s, t, u, v] = [0, 0, 0, 0];
  for (let i = 0; i < whole; i += 4) {
    s += a[i]! * b[i]!;
    t += a[i + 1]! * b[i + 1]!;
    u += a[i + 2]! * b[i + 2]!;
    v += a[i + 3]! * b[i + 3]!;
  }
  for (let i = whole; i < a.length; i++) s += a[i]! * b[i]!;
  return s + t + (u + v);
}

/** The norm is computed along the way, in integers: at most 4096 · 127² < 2³¹. */
function cosineToQuantised(a: Float32Array, b: Int8Array): number {
  const whole = a.length & ~1;
  let [s, t] = [0, 0];
  let [p, q] = [0, 0];
  for (let i = 0; i < whole; i += 2) {
    const x = b[i]!;
    const y = b[i + 1]!;
    s += a[i]! * x;
    t += a[i + 1]! * y;
    p = (p + Math.imul(x, x)) | 0;
    q = (q + Math.imul(y, y)) | 0;
  }
  if (whole < a.length) {
    s += a[whole]! * b[whole]!;
    p += b[whole]! ** 2;
  }
  return (s + t) / Math.sqrt(p + q);
}
