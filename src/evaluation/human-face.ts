// Whether the chosen portrait shows a human face at all, before a template is made of it. Detector and mesh also find
// faces in dogs, monkeys, dolls and drawings, with high confidence.
import type { Models } from '../models/load.ts';
import type { ObservedFace } from './face/observation.ts';
import { meshUnsteadiness } from './face/steadiness.ts';
import { isTurned, MIN_PRESENCE } from './quality/pose.ts';
import type { Selection } from './quality/select.ts';
import { describeRegions, type RegionReading } from './regions/describe.ts';
import type { Frame } from './video/frame.ts';

/** Regions of the best portrait, and the selection, which is emptied if that portrait shows no human face. */
export interface ReadSelection {
  readonly selection: Selection;
  readonly regions: RegionReading['descriptors'];
}

/** Reads the best portrait's regions and keeps the selection only if they are a human face's. */
export async function readBest(models: Models, selection: Selection): Promise<ReadSelection> {
  const { best } = selection;
  if (!best) return { selection, regions: {} };
  const { descriptors, typicality } = await describeRegions(models, best.frame, best.face);
  if (await isHumanFace(models, best.frame, best.face, typicality))
    return { selection, regions: descriptors };
  return { selection: { ...selection, portraits: [], best: null, missing: 'face_missing' }, regions: {} };
}

/**
 * How much unsteadiness that grows by a factor e lowers the typicality: half the ratio of their standard deviations on
 * LFW.
 */
const UNSTEADINESS_WEIGHT = 0.0234;
/** Median unsteadiness on LFW. */
const USUAL_UNSTEADINESS = 0.0178;
/**
 * Accepting people comes before refusing animals: the most singular adults among 3,811 photographs of LFW reach 0.866
 * and 0.871 (frames of clips, grimaces included, 0.874 and more); animals, dolls and flat drawings 0.83–0.86, one dog
 * 0.865. A limit between the dog and these adults would refuse people of whom LFW shows too few.
 */
const MIN_HUMAN = 0.855;
/** Turned faces look less like the mean: down to 0.853. */
const MIN_HUMAN_TURNED = 0.845;

/**
 * Whether a face is human: its regions look like people's, and its mesh stays in place when fitted again. `typicality`:
 * of describeRegions for this face. A profile, of which no region is seen, is accepted.
 */
export async function isHumanFace(
  models: Models,
  frame: Frame,
  face: ObservedFace,
  typicality: number | null,
): Promise<boolean> {
  if (typicality === null) return true;
  const limit = isTurned(face) && face.presence >= MIN_PRESENCE ? MIN_HUMAN_TURNED : MIN_HUMAN;
  const unsteadiness = await meshUnsteadiness(models, frame, face);
  return typicality - UNSTEADINESS_WEIGHT * Math.log(unsteadiness / USUAL_UNSTEADINESS) >= limit;
}
