// Synthetic observations for tests of single checks: a face as plain numbers, no pixels.
import type { Script } from '../../../src/contract/script.ts';
import type { Direction } from '../../../src/contract/target.ts';
import type { FaceObservation, ObservedFace } from '../../../src/evaluation/face/observation.ts';
import type { IdentityMoment } from '../../../src/evaluation/identity.ts';
import type { CaptureEvidence } from '../../../src/evaluation/liveness/evidence.ts';
import { THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH } from '../../../src/evaluation/video/clip.ts';
import { meshTowards } from '../../support/turned-mesh.ts';

/** How a face differs from a neutral one; `head`: where its nose points. */
export type Look = Partial<ObservedFace> & { readonly head?: Direction };

/** Properties look at thousands of frames, of few directions. */
const meshes = new Map<string, Float32Array>();
function keptMesh(head: Direction): Float32Array {
  const key = `${head.x} ${head.y}`;
  const mesh = meshes.get(key) ?? meshTowards(head);
  meshes.set(key, mesh);
  return mesh;
}

/** A neutral face of ordinary size that looks ahead. */
export function neutralFace({ head = { x: 0, y: 0 }, ...changed }: Look = {}): ObservedFace {
  return {
    landmarks: keptMesh(head),
    presence: 1,
    detectionScore: 0.9,
    box: { x: 100, y: 100, width: 200, height: 200 },
    eyeDistancePx: 100,
    yaw: 0,
    pitch: 0,
    roll: 0,
    mouthWidth: 0.8,
    mouthOpen: 0.02,
    eyesOpen: 0.35,
    cornersBelowEyes: 1,
    cornersBelowNose: 0.4,
    happy: 0.02,
    ...changed,
  };
}

export const SMILE = { happy: 0.95, mouthWidth: 1.05, cornersBelowEyes: 0.92, cornersBelowNose: 0.32 };

/** In every second frame the person of the portraits, except where `cosineAt` differs. */
export function identityOf(
  observations: readonly FaceObservation[],
  cosineAt: (timeMs: number) => number | null = () => 0.9,
): IdentityMoment[] {
  return observations.flatMap(({ timeMs, face }, i) => {
    const cosine = face && i % 2 === 0 ? cosineAt(timeMs) : null;
    return cosine === null ? [] : [{ timeMs, cosine, isClear: true }];
  });
}

/** One observation every 80 ms; `at` gives the differences from neutral, or null for no face. */
export function observe(durationMs: number, at: (timeMs: number) => Look | null): FaceObservation[] {
  const observations: FaceObservation[] = [];
  for (let timeMs = 0; timeMs < durationMs; timeMs += 80) {
    const changed = at(timeMs);
    observations.push({ timeMs, faceCount: changed ? 1 : 0, face: changed && neutralFace(changed) });
  }
  return observations;
}

export const SCRIPT: Script = {
  steps: [
    { prompt: 'neutral', from_ms: 0, to_ms: 1000 },
    { prompt: 'smile', from_ms: 1000, to_ms: 3000 },
  ],
};

/** Evidence of a clip at 25 frames a second whose thumbnails are painted by `pixel`. */
export function evidence(
  given: Partial<CaptureEvidence>,
  durationMs = 3000,
  pixel: (frame: number, at: number) => number = (frame, at) => (frame * 13 + at) % 256,
): CaptureEvidence {
  const { observations = observe(durationMs, () => ({})) } = given;
  const sourceFrameCount = durationMs / 40;
  const size = THUMBNAIL_WIDTH * THUMBNAIL_HEIGHT;
  let painted: Uint8Array | undefined;
  const paint = () => {
    const thumbnails = new Uint8Array(sourceFrameCount * size);
    for (let i = 0; i < thumbnails.length; i++) thumbnails[i] = pixel(Math.floor(i / size), i % size);
    return thumbnails;
  };
  return {
    clip: {
      container: 'webm',
      codec: 'vp9',
      width: 640,
      height: 480,
      durationMs,
      fileDurationMs: durationMs,
      sourceFrameCount,
      packets: Array.from({ length: sourceFrameCount }, (_, i) => ({
        timeMs: i * 40,
        startByte: i * 1000,
        endByte: (i + 1) * 1000,
      })),
      sourceTimesMs: Array.from({ length: sourceFrameCount }, (_, i) => i * 40),
      get thumbnails() {
        painted ??= paint();
        return painted;
      },
    },
    script: SCRIPT,
    observations,
    selection: { portraits: [], best: null, missing: null, quality: [] },
    embeddings: [],
    identity: identityOf(observations),
    samePerson: { portrait: 0.61, frame: 0.46 },
    pad: { live: 1, threshold: 0.5 },
    submission: null,
    ...given,
  };
}
