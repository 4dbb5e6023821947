// Follows one face through the frames of a clip: each mesh is fitted from the last one, and the detector runs when the
// face is lost and at an interval.

import { BACKGROUND_FACE_SHARE, measureFace } from '../../contract/face-geometry.ts';
import type { Models } from '../../models/load.ts';
import type { Frame } from '../video/frame.ts';
import { detectFaces, overlap } from './detect.ts';
import { readExpression } from './expression.ts';
import { boxOfMesh, type FaceRegion, fitMesh, regionOfDetection, regionOfMesh } from './mesh.ts';
import type { DetectedFace, FaceMesh, FaceObservation } from './observation.ts';

export interface TrackOptions {
  readonly signal?: AbortSignal;
  /** Which of several faces is followed: the most prominent (default), or the one nearest the picture's middle. */
  readonly prefer?: 'prominent' | 'central';
}

/**
 * The detector runs at least this often, to count faces and to check that the mesh still sits on one. Chosen, not
 * measured.
 */
const DETECT_INTERVAL_MS = 500;
/** Below this presence the mesh has lost the face. Same value as in MediaPipe's face landmark graph. */
const MIN_PRESENCE = 0.5;
/**
 * With less, a mesh may sit on its face the wrong way up. Then the other way fitted better on 269 of 277 photographs and
 * frames that stood on their heads, and on none of 311 upright ones.
 */
const SURE_PRESENCE = 0.9999;
/** A detected face that overlaps the followed mesh by less than this is another face. Chosen, not measured. */
const SAME_FACE_OVERLAP = 0.2;
/**
 * More detected faces than this are not examined one by one, because the judgement only asks whether there are several.
 * Chosen, not measured.
 */
const MAX_FACES = 5;

type Preference = NonNullable<TrackOptions['prefer']>;

/** State of the followed face between frames. */
interface Track {
  landmarks: Float32Array | null;
  detectionScore: number;
  faceCount: number;
  detectedAtMs: number;
}

/**
 * Follows one face through frames that arrive one by one: the most prominent one found (or by `prefer`), until its mesh
 * is lost, or faces are found and none of them overlaps it. A detection counts as a face only if a mesh confirms it
 * (the detector alone sees a second one in 4 of 100 portraits); a second face counts only if it is not in the
 * background.
 */
export class FaceTracker {
  readonly #models: Models;
  readonly #prefer: Preference;
  readonly #track: Track = {
    landmarks: null,
    detectionScore: 0,
    faceCount: 0,
    detectedAtMs: Number.NEGATIVE_INFINITY,
  };

  constructor(models: Models, prefer: Preference = 'prominent') {
    this.#models = models;
    this.#prefer = prefer;
  }

  /** What the next frame shows. */
  observe(frame: Frame): Promise<FaceObservation> {
    return observe(this.#models, frame, this.#track, this.#prefer);
  }
}

/** One observation per frame, in the frames' order. Rejects with the signal's reason when aborted. */
export async function trackFaces(
  models: Models,
  frames: Iterable<Frame> | AsyncIterable<Frame>,
  options: TrackOptions = {},
): Promise<FaceObservation[]> {
  const tracker = new FaceTracker(models, options.prefer);
  const observations: FaceObservation[] = [];
  for await (const frame of frames) {
    options.signal?.throwIfAborted();
    observations.push(await tracker.observe(frame));
  }
  return observations;
}

async function observe(
  models: Models,
  frame: Frame,
  track: Track,
  prefer: Preference,
): Promise<FaceObservation> {
  let mesh = track.landmarks ? await fitMesh(models, frame, regionOfMesh(track.landmarks)) : null;
  const lost = !mesh || mesh.presence < MIN_PRESENCE;
  if (lost || frame.timeMs - track.detectedAtMs >= DETECT_INTERVAL_MS)
    mesh = await redetect(models, frame, track, lost ? null : mesh, prefer);
  track.landmarks = mesh?.landmarks ?? null;
  const { timeMs } = frame;
  if (!mesh) return { timeMs, faceCount: track.faceCount, face: null };
  const { happy } = await readExpression(models, frame, mesh);
  return {
    timeMs,
    faceCount: track.faceCount,
    face: {
      ...mesh,
      ...measureFace(mesh.landmarks),
      box: boxOfMesh(mesh.landmarks),
      detectionScore: track.detectionScore,
      happy,
    },
  };
}

/**
 * Runs the detector. Keeps `mesh` unless faces are found and none overlaps it; then follows the first confirmed face,
 * best ranked first.
 */
async function redetect(
  models: Models,
  frame: Frame,
  track: Track,
  mesh: FaceMesh | null,
  prefer: Preference,
): Promise<FaceMesh | null> {
  const found = await detectFaces(models, frame);
  track.detectedAtMs = frame.timeMs;
  // The mesh may still follow a turned face that the detector no longer finds.
  if (mesh && found.length === 0) {
    track.faceCount = 1;
    return mesh;
  }
  const rank = (face: DetectedFace) =>
    prominence(face) * (prefer === 'central' ? centrality(face, frame) : 1);
  const candidates = found.toSorted((a, b) => rank(b) - rank(a)).slice(0, MAX_FACES);
  const held =
    mesh && candidates.find((face) => overlap(face.box, boxOfMesh(mesh.landmarks)) >= SAME_FACE_OVERLAP);
  let followed: FaceMesh | null = held ? mesh : null;
  if (held) track.detectionScore = held.score;
  track.faceCount = held ? 1 : 0;
  for (const face of candidates) {
    if (face === held) continue;
    const fitted = await confirm(models, frame, face);
    if (!fitted) continue;
    if (followed) {
      if (heightOf(fitted) > heightOf(followed) * BACKGROUND_FACE_SHARE) track.faceCount++;
      continue;
    }
    followed = fitted;
    track.faceCount = 1;
    track.detectionScore = face.score;
  }
  return followed;
}

/** The detected face's mesh, or null if it shows no face. */
async function confirm(models: Models, frame: Frame, face: DetectedFace): Promise<FaceMesh | null> {
  const region = regionOfDetection(face);
  let fitted = await fitTwice(models, frame, region);
  if (fitted.presence < SURE_PRESENCE) {
    // The detector finds a face that stands on its head, but takes it for an upright one: its angle is far off.
    const rough = await fitMesh(models, frame, { ...region, angle: region.angle + Math.PI });
    const turned = await fitTwice(models, frame, regionOfMesh(rough.landmarks));
    if (turned.presence > fitted.presence) fitted = turned;
  }
  return fitted.presence < MIN_PRESENCE ? null : fitted;
}

/** Fits a mesh, the second time upright and centred. */
async function fitTwice(models: Models, frame: Frame, region: FaceRegion): Promise<FaceMesh> {
  const rough = await fitMesh(models, frame, region);
  return fitMesh(models, frame, regionOfMesh(rough.landmarks));
}

const heightOf = ({ landmarks }: FaceMesh): number => boxOfMesh(landmarks).height;

/** 1 in the middle of the picture, 1/e at a quarter of the picture's smaller side away from it. */
function centrality({ box }: DetectedFace, { width, height }: Frame): number {
  const unit = Math.min(width, height) / 4;
  const dx = (box.x + box.width / 2 - width / 2) / unit;
  const dy = (box.y + box.height / 2 - height / 2) / unit;
  return Math.exp(-(dx * dx + dy * dy));
}

function prominence({ box, score }: DetectedFace): number {
  return score * score * box.width * box.height;
}
