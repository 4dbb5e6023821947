// How happy a face looks: the expression network on an upright crop.
import type { Models } from '../../models/load.ts';
import { withScratch, withScratchSync } from '../scratch.ts';
import type { Frame } from '../video/frame.ts';
import { cropRgb, squareCrop } from './crop.ts';
import { regionOfMesh } from './mesh.ts';
import type { FaceMesh } from './observation.ts';

export interface Expression {
  /** Probability of happiness, 0–1. */
  readonly happy: number;
}

/** Index of happiness among the network's seven expressions. */
const HAPPY = 3;
/** Side of the crop divided by the side of the mesh's crop: a tight face, as in the network's training set. */
const CROP_SHARE = 0.75;

export async function readExpression(models: Models, frame: Frame, mesh: FaceMesh): Promise<Expression> {
  const size = models.expression.input[1];
  const plane = size * size;
  const region = regionOfMesh(mesh.landmarks);
  const map = squareCrop(region.centreX, region.centreY, region.size * CROP_SHARE, region.angle, size);
  const { probabilities } = await withScratch(plane, (grey) => {
    withScratchSync(3 * plane, (rgb) => {
      cropRgb(frame, map, size, { gain: 2 / 255, offset: 0 }, rgb);
      for (let i = 0; i < plane; i++)
        grey[i] = 0.2989 * rgb[i]! + 0.587 * rgb[i + plane]! + 0.114 * rgb[i + 2 * plane]! - 1;
    });
    return models.expression.run(grey);
  });
  return { happy: probabilities[HAPPY]! };
}
