// What all checks read: what the video shows, and what the server itself knows about the capture.
import type { Script } from '../../contract/script.ts';
import type { FaceObservation } from '../face/observation.ts';
import type { IdentityMoment } from '../identity.ts';
import type { Selection } from '../quality/select.ts';
import type { SamePersonCosines } from '../recognition/operating-point.ts';
import type { Clip } from '../video/clip.ts';
import type { PadScore } from './pad-score.ts';
import type { Submission } from './submission.ts';

/** Everything that a video shows; independent of any script. */
export interface VideoEvidence {
  readonly clip: Clip;
  readonly observations: readonly FaceObservation[];
  readonly selection: Selection;
  /** Embeddings of the selection's portraits, in their order. */
  readonly embeddings: readonly Float32Array[];
  /** Recognised faces between the portraits (identity.ts), in time order; empty without a portrait. */
  readonly identity: readonly IdentityMoment[];
  /** Cosines from which two faces of one video count as one person's, set by the pack that made the embeddings. */
  readonly samePerson: SamePersonCosines;
  /** Null if there is no PAD pack. */
  readonly pad: PadScore | null;
}

/** What is known about a capture when its checks run: the video and the server's own records. */
export interface CaptureEvidence extends VideoEvidence {
  /** Null if no prompts were given; then the passive checks alone decide. */
  readonly script: Script | null;
  /** Null for a file that was not submitted to a challenge. */
  readonly submission: Submission | null;
}
