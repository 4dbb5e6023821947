// What one frame shows of the capture subject's face: made by trackFaces, read by quality, liveness and recognition.

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
  /** Six key points of the detector in frame pixels, x and y interleaved: the person's right eye, left eye, nose, mouth, right ear, left ear. */
  readonly keypoints: Float32Array;
}

/** The 468-point mesh of one face. */
export interface FaceMesh {
  /** x, y, z of each point, 468 × 3: x and y in frame pixels, z in pixels of the same scale, smaller is nearer. */
  readonly landmarks: Float32Array;
  /** How sure the mesh network is that it looks at a face, 0–1. */
  readonly presence: number;
}

/** Everything measured on the one face that is followed. Lengths are in frame pixels unless they are ratios. */
export interface ObservedFace extends FaceMesh {
  /** Box around the mesh. */
  readonly box: FaceBox;
  /** Detector score of the last frame in which the detector ran, 0–1. */
  readonly detectionScore: number;
  /** Distance of the eye centres. */
  readonly eyeDistancePx: number;
  /** Apparent turn of the head, about −1 to 1, 0 in front, positive towards the person's own left; see pose.ts. */
  readonly yaw: number;
  /** Apparent nod of the head, about −1 to 1, 0 in front, positive is up; see pose.ts. */
  readonly pitch: number;
  /** Tilt in the image plane in radians, positive is clockwise as the image is seen. */
  readonly roll: number;
  /** Distance of the mouth corners over the eye distance. */
  readonly mouthWidth: number;
  /** Gap of the inner lips over the eye distance; 0 is closed. */
  readonly mouthOpen: number;
  /** How far the middle of the mouth corners lies below the eye line, over the eye distance; a smile raises it. */
  readonly cornersBelowEyes: number;
  /** The same below the base of the nose. */
  readonly cornersBelowNose: number;
  /** Openness of the eyes, mean of both: lid gap over eye width; about .25–.4 open, below .15 shut. */
  readonly eyesOpen: number;
  /** Happiness of the expression network, 0–1. */
  readonly happy: number;
}

/** One frame's observation. `face` is null when no face could be followed in it. */
export interface FaceObservation {
  readonly timeMs: number;
  /** Faces counted when the detector last ran: in this frame, or at most half a second earlier. */
  readonly faceCount: number;
  readonly face: ObservedFace | null;
}
