// What one frame shows of the capture subject's face: made by trackFaces, read by quality, liveness and recognition.
import type { FaceGeometry } from '../../contract/face-geometry.ts';

/** An axis-aligned box in frame pixels; `x`, `y` is its upper left corner. It may reach beyond the frame. */
export interface FaceBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One face that the detector found. */
export interface DetectedFace {
  readonly box: FaceBox;
  /** Detector score, 0–1. */
  readonly score: number;
  /**
   * The detector's six key points in frame pixels, x and y interleaved: the person's right eye, left eye, nose, mouth,
   * right ear, left ear.
   */
  readonly keypoints: Float32Array;
}

/** The 468-point mesh of one face. */
export interface FaceMesh {
  /** x, y, z of each point, 468 × 3: x and y in frame pixels, z in pixels of the same scale, smaller is nearer. */
  readonly landmarks: Float32Array;
  /** How sure the mesh network is that it looks at a face, 0–1. */
  readonly presence: number;
}

/** Everything measured on the one face that is followed. */
export interface ObservedFace extends FaceMesh, FaceGeometry {
  /** Box around the mesh, in frame pixels. */
  readonly box: FaceBox;
  /** Detector score of the last frame in which the detector ran, 0–1. */
  readonly detectionScore: number;
  /** Happiness according to the expression network, 0–1. */
  readonly happy: number;
}

/** One frame's observation. `face` is null if no face could be followed in it. */
export interface FaceObservation {
  readonly timeMs: number;
  /**
   * Faces counted when the detector last ran: in this frame, or at most half a second earlier. Small faces in the
   * background are left out (BACKGROUND_FACE_SHARE).
   */
  readonly faceCount: number;
  readonly face: ObservedFace | null;
}
