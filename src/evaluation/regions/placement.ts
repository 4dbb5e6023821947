// Where each of the twelve regions lies on a face, and whether it can be seen. Read by describe.ts.

import { measureFace } from '../../contract/face-geometry.ts';
import { LEFT_EYE, RIGHT_EYE } from '../../contract/face-landmarks.ts';
import { REGION_NAMES, type RegionName } from '../../contract/regions.ts';
import { placedAlignment } from '../face/align.ts';
import { invert, type Similarity } from '../face/crop.ts';
import type { Frame } from '../video/frame.ts';

/** Where a region lies. */
interface Region {
  /** The person's own side, which is hidden when the head turns to it. */
  readonly side: 'left' | 'right' | 'middle';
  /** Points of the mesh that span it. */
  readonly points: readonly number[];
}

const REGIONS: Readonly<Record<RegionName, Region>> = {
  forehead: { side: 'middle', points: [103, 109, 10, 338, 332, 66, 296, 105, 334, 9, 67, 297] },
  middle_forehead: { side: 'middle', points: [109, 10, 338, 107, 336, 9] },
  left_brow: { side: 'left', points: [276, 283, 282, 295, 285, 300, 293, 334, 296, 336] },
  right_brow: { side: 'right', points: [46, 53, 52, 65, 55, 70, 63, 105, 66, 107] },
  left_eye: { side: 'left', points: LEFT_EYE.contour },
  right_eye: { side: 'right', points: RIGHT_EYE.contour },
  left_cheek: { side: 'left', points: [330, 347, 280, 352, 411, 425, 427, 266, 436] },
  right_cheek: { side: 'right', points: [101, 118, 50, 123, 187, 205, 207, 36, 216] },
  nose: { side: 'middle', points: [6, 197, 195, 5, 4, 1, 2, 98, 327, 129, 358, 49, 279, 48, 278] },
  philtrum: { side: 'middle', points: [2, 164, 0, 97, 326, 167, 393, 37, 267, 165, 391] },
  mouth: {
    side: 'middle',
    points: [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291, 146, 91, 181, 84, 17, 314, 405, 321, 375],
  },
  jaw: { side: 'middle', points: [18, 200, 199, 152, 148, 377, 176, 400, 149, 378, 150, 379, 194, 418] },
};

/** Side of the aligned crop that regions are described from: the dlib network's input. */
export const REGION_CROP_SIZE = 150;
/**
 * In that crop the eyes are 36 % of its side apart and 31 % below its top, so that forehead and chin are both in view.
 * Measured on 615 LFW pairs: mean AUC 0.919, against 0.908 with 40 % and 27 % (dlib's own chip), 0.906 with 40 % and 31
 * %.
 */
const EYE_DISTANCE = 0.36 * REGION_CROP_SIZE;
const EYE_LINE = 0.31 * REGION_CROP_SIZE;
/** The same in the ArcFace template: eye distance, middle of the eyes. */
const TEMPLATE = { eyeDistance: 35.2, eyesX: 56.4, eyesY: 52.1 };

/** A region's box is the bounds of its points, wider and higher by this share … */
const MARGIN = 0.25;
/** … and at least one cell of the map (16 pixels) per side. Chosen, not measured. */
const MIN_SIDE = 16;

/**
 * Beyond this apparent yaw the far brow, eye and cheek are not judged; beyond the second, no region is. Chosen, not
 * measured.
 */
const MAX_YAW_FAR_SIDE = 0.45;
const MAX_YAW = 0.75;
/** A region counts as seen only if this share of its points lies inside the frame. Chosen, not measured. */
const MIN_INSIDE = 0.9;

/** Bounds in crop pixels. */
export interface RegionBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Crop → frame for the crop that regions are described from. */
export function regionAlignment(landmarks: Float32Array): Similarity {
  const scale = EYE_DISTANCE / TEMPLATE.eyeDistance;
  return placedAlignment(
    landmarks,
    scale,
    REGION_CROP_SIZE / 2 - TEMPLATE.eyesX * scale,
    EYE_LINE - TEMPLATE.eyesY * scale,
  );
}

/** Box of a region in the crop made by `map`. */
export function regionBox(landmarks: Float32Array, name: RegionName, map: Similarity): RegionBox {
  const { a, b, tx, ty } = invert(map);
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const index of REGIONS[name].points) {
    const x = landmarks[index * 3]!;
    const y = landmarks[index * 3 + 1]!;
    const u = a * x - b * y + tx;
    const v = b * x + a * y + ty;
    if (u < left) left = u;
    if (u > right) right = u;
    if (v < top) top = v;
    if (v > bottom) bottom = v;
  }
  const width = Math.max(MIN_SIDE, (right - left) * (1 + MARGIN));
  const height = Math.max(MIN_SIDE, (bottom - top) * (1 + MARGIN));
  const x = (left + right) / 2;
  const y = (top + bottom) / 2;
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

/** Regions of the face that this frame shows. */
export function visibleRegions(frame: Frame, landmarks: Float32Array): RegionName[] {
  const { yaw } = measureFace(landmarks);
  if (Math.abs(yaw) > MAX_YAW) return [];
  return REGION_NAMES.filter((name) => {
    const { side, points } = REGIONS[name];
    // When the head turns left, the person's left side is the far one.
    if (side === 'left' && yaw > MAX_YAW_FAR_SIDE) return false;
    if (side === 'right' && yaw < -MAX_YAW_FAR_SIDE) return false;
    let inside = 0;
    for (const index of points) {
      const x = landmarks[index * 3]!;
      const y = landmarks[index * 3 + 1]!;
      if (x >= 0 && y >= 0 && x < frame.width && y < frame.height) inside++;
    }
    return inside >= MIN_INSIDE * points.length;
  });
}
