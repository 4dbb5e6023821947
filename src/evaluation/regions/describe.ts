// Descriptors of the twelve likeness regions from local evidence of the aligned face.
import { REGION_NAMES, type RegionName } from '../../contract/regions.ts';
import type { Models } from '../../models/load.ts';
import { cropRgb } from '../face/crop.ts';
import type { FaceMesh } from '../face/observation.ts';
import { cosineSimilarity, normalise } from '../recognition/vector.ts';
import { withScratch } from '../scratch.ts';
import type { Frame } from '../video/frame.ts';
import { meanDescriptors } from './mean-descriptors.ts';
import { REGION_CROP_SIZE, type RegionBox, regionAlignment, regionBox, visibleRegions } from './placement.ts';

/**
 * The dlib map: 128 channels on 8 × 8 cells; cell i is centred on crop pixel 16·i + 17 (its convolutions do not pad).
 */
const CHANNELS = 128;
const CELLS = 8;
const FIRST_CELL_CENTRE = 17.5;
const CELL_STRIDE = 16;
/** Each region is a grid of 2 × 2 means, each the mean of 2 × 2 bilinear samples of the map. */
const GRID = 2;
const SAMPLES = 2;

/** Values of one descriptor. */
export const DESCRIPTOR_SIZE = CHANNELS * GRID * GRID;

/** What the regions of one face show. */
export interface RegionReading {
  /** Unit-norm descriptor of each region that can be seen; a region that cannot is left out. */
  readonly descriptors: Partial<Record<RegionName, Float32Array>>;
  /**
   * How much they resemble those of people in general: mean cosine of the pooled map to its mean; null if no region is
   * seen.
   */
  readonly typicality: number | null;
}

/**
 * Describes every region that can be seen.
 *
 * Evidence: the last 8 × 8 map of dlib's ResNet, whose cells do not yet see the whole face. Measured on LFW open folds
 * (615 pairs; locality: another person's region pasted into a face, 480 trials): mean AUC 0.919, lowest 0.851, locality
 * 0.894, against 0.874 and 0.804 for the faceres 14 × 14 map and 0.914 and 0.869 for both; 0.889 without subtracting
 * the mean.
 */
export async function describeRegions(models: Models, frame: Frame, mesh: FaceMesh): Promise<RegionReading> {
  const means = meanDescriptors();
  const descriptors = await poolRegions(models, frame, mesh);
  const likenesses: number[] = [];
  for (const [name, descriptor] of Object.entries(descriptors)) {
    const at = REGION_NAMES.indexOf(name as RegionName) * DESCRIPTOR_SIZE;
    const mean = means.subarray(at, at + DESCRIPTOR_SIZE);
    likenesses.push(cosineSimilarity(normalise(descriptor.slice()), normalise(mean.slice())));
    for (let i = 0; i < DESCRIPTOR_SIZE; i++) descriptor[i] = descriptor[i]! - mean[i]!;
    normalise(descriptor);
  }
  const count = likenesses.length;
  return { descriptors, typicality: count > 0 ? likenesses.reduce((sum, each) => sum + each) / count : null };
}

/** The pooled map values before centring; the mean descriptors are fitted on them. */
export async function poolRegions(
  models: Models,
  frame: Frame,
  mesh: FaceMesh,
): Promise<Partial<Record<RegionName, Float32Array>>> {
  const regions: Partial<Record<RegionName, Float32Array>> = {};
  const visible = visibleRegions(frame, mesh.landmarks);
  if (visible.length === 0) return regions;
  const alignment = regionAlignment(mesh.landmarks);
  const { map } = await withScratch(3 * REGION_CROP_SIZE ** 2, (input) => {
    cropRgb(frame, alignment, REGION_CROP_SIZE, { gain: 1, offset: 0 }, input);
    return models.dlibMap.run(input);
  });
  for (const name of visible) regions[name] = pool(map, regionBox(mesh.landmarks, name, alignment));
  return regions;
}

/** Samples the map over a box; a place outside the map takes the nearest cell. */
function pool(map: Float32Array, box: RegionBox): Float32Array {
  const out = new Float32Array(DESCRIPTOR_SIZE);
  const steps = GRID * SAMPLES;
  for (let j = 0; j < steps; j++) {
    const y = box.top + ((box.bottom - box.top) * (j + 0.5)) / steps;
    for (let i = 0; i < steps; i++) {
      const x = box.left + ((box.right - box.left) * (i + 0.5)) / steps;
      const cell = Math.floor(j / SAMPLES) * GRID + Math.floor(i / SAMPLES);
      addSample(map, cellOf(x), cellOf(y), out, cell * CHANNELS);
    }
  }
  return out;
}

function cellOf(pixel: number): number {
  return Math.max(0, Math.min(CELLS - 1, (pixel - FIRST_CELL_CENTRE) / CELL_STRIDE));
}

function addSample(map: Float32Array, u: number, v: number, out: Float32Array, at: number): void {
  const column = Math.min(CELLS - 2, Math.floor(u));
  const row = Math.min(CELLS - 2, Math.floor(v));
  const fx = u - column;
  const fy = v - row;
  let from = row * CELLS + column;
  for (let channel = 0; channel < CHANNELS; channel++, from += CELLS * CELLS) {
    const upper = map[from]! * (1 - fx) + map[from + 1]! * fx;
    const lower = map[from + CELLS]! * (1 - fx) + map[from + CELLS + 1]! * fx;
    out[at + channel] = out[at + channel]! + upper * (1 - fy) + lower * fy;
  }
}
