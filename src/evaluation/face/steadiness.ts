// How steady the mesh is: on a human face, fitting it again from displaced crops finds the same place.
import type { Models } from '../../models/load.ts';
import type { Frame } from '../video/frame.ts';
import { fitMesh, regionOfMesh } from './mesh.ts';
import type { FaceMesh } from './observation.ts';

/** Displacements of the crop: shifts in shares of its side, growth, turn in radians. */
const DISPLACED = [
  { right: 0.04, down: 0, growth: 1, turn: 0 },
  { right: 0, down: 0.04, growth: 1, turn: 0 },
  { right: 0, down: 0, growth: 1.1, turn: 0 },
  { right: 0, down: 0, growth: 1, turn: 0.1 },
] as const;

/** Mean distance by which the mesh's points move between the crops, in eye distances. */
export async function meshUnsteadiness(
  models: Models,
  frame: Frame,
  { landmarks, eyeDistancePx }: FaceMesh & { readonly eyeDistancePx: number },
): Promise<number> {
  const region = regionOfMesh(landmarks);
  let sum = 0;
  for (const { right, down, growth, turn } of DISPLACED) {
    const again = await fitMesh(models, frame, {
      centreX: region.centreX + right * region.size,
      centreY: region.centreY + down * region.size,
      size: region.size * growth,
      angle: region.angle + turn,
    });
    sum += meanDistance(landmarks, again.landmarks);
  }
  return sum / (DISPLACED.length * eyeDistancePx);
}

function meanDistance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 3) sum += Math.hypot(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!);
  return sum / (a.length / 3);
}
