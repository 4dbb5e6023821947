// The normal distribution, used to extrapolate an impostor tail beyond what the number of pairs allows to count.

/**
 * Φ(x), to a relative error of about 1e-7: a continued fraction in the tails (Abramowitz and Stegun 26.2.14), a series
 * near 0 (26.2.11).
 */
export function normalCdf(x: number): number {
  if (x > 0) return 1 - normalCdf(-x);
  const z = -x;
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z > 3) {
    let fraction = z;
    for (let k = 60; k > 0; k--) fraction = z + k / fraction;
    return density / fraction;
  }
  let term = z;
  let sum = z;
  for (let k = 1; k < 60; k++) {
    term *= (z * z) / (2 * k + 1);
    sum += term;
  }
  return 0.5 - density * sum;
}

/** Φ⁻¹(p) for 0 < p < 1, by bisection, which is fast enough for the few calls there are. */
export function normalQuantile(p: number): number {
  let low = -40;
  let high = 40;
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
