// How much one mesh differs from another beyond any affine movement of a flat picture.

const POINTS_STEP = 3;

/**
 * Root mean square distance of `moved`'s points from `still`'s after the best affine map, over `eyeDistancePx`. A flat
 * picture that is shifted, turned, scaled or slanted leaves only the mesh network's noise; a face that smiles, speaks
 * or turns does not. Least squares by normal equations; 468 points, x and y.
 */
export function shapeChange(moved: Float32Array, still: Float32Array, eyeDistancePx: number): number {
  const count = moved.length / POINTS_STEP;
  const means = { x: 0, y: 0, u: 0, v: 0 };
  for (let i = 0; i < moved.length; i += POINTS_STEP) {
    means.x += moved[i]! / count;
    means.y += moved[i + 1]! / count;
    means.u += still[i]! / count;
    means.v += still[i + 1]! / count;
  }
  let xx = 0;
  let xy = 0;
  let yy = 0;
  let xu = 0;
  let yu = 0;
  let xv = 0;
  let yv = 0;
  let total = 0;
  for (let i = 0; i < moved.length; i += POINTS_STEP) {
    const x = moved[i]! - means.x;
    const y = moved[i + 1]! - means.y;
    const u = still[i]! - means.u;
    const v = still[i + 1]! - means.v;
    xx += x * x;
    xy += x * y;
    yy += y * y;
    xu += x * u;
    yu += y * u;
    xv += x * v;
    yv += y * v;
    total += u * u + v * v;
  }
  const determinant = xx * yy - xy * xy;
  if (determinant <= 0) return 0;
  // What the affine map explains: bᵀ A⁻¹ b for each coordinate.
  const explained =
    (yy * xu * xu - 2 * xy * xu * yu + xx * yu * yu + yy * xv * xv - 2 * xy * xv * yv + xx * yv * yv) /
    determinant;
  return Math.sqrt(Math.max(0, total - explained) / count) / eyeDistancePx;
}
