// First half of the judgement: video bytes → everything that its checks read. Independent of the script.
import type { Models } from '../models/load.ts';
import { trackFaces } from './face/track.ts';
import { type ReadSelection, readBest } from './human-face.ts';
import { followIdentity } from './identity.ts';
import { readSkinSteps } from './light/skin-steps.ts';
import type { VideoEvidence } from './liveness/evidence.ts';
import { measureMotion } from './liveness/motion/measure.ts';
import { scoreFaces } from './pad/score-faces.ts';
import { embedPortraits } from './probe.ts';
import { selectPortraits } from './quality/select.ts';
import { samePersonCosines } from './recognition/operating-point.ts';
import type { EvaluationSettings } from './settings.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { UndecodableReason } from './video/clip.ts';
import { decodeClip } from './video/decode.ts';
import type { Frame } from './video/frame.ts';

/** Where gathering spends its time. */
export const GATHER_STEPS = [
  'decode',
  'track',
  'quality',
  'regions',
  'template',
  'identity',
  'motion',
  'pad',
  'light',
] as const;

type GatherWatch = Pick<Stopwatch<(typeof GATHER_STEPS)[number]>, 'add' | 'time'>;

export type Gathered =
  | {
      readonly status: 'gathered';
      readonly evidence: VideoEvidence;
      /** Of the best portrait. */
      readonly regions: ReadSelection['regions'];
    }
  | { readonly status: 'undecodable'; readonly reason: UndecodableReason };

/**
 * Decodes a capture, follows its face, chooses its portraits and embeds them. Rejects on faults only: the signal's
 * reason, TOOL_MISSING, the file system's errors on a path.
 */
export async function gather(
  video: Uint8Array | string,
  settings: EvaluationSettings,
  models: Models,
  watch: GatherWatch,
  signal?: AbortSignal,
): Promise<Gathered> {
  const followed = await decodeAndFollow(video, settings, models, watch, signal);
  if (followed.status === 'undecodable') return followed;
  const { clip, value } = followed;
  const { frames, observations } = value;
  const selected = await watch.time('quality', () =>
    selectPortraits(frames, observations, settings.templateFrames),
  );
  signal?.throwIfAborted();
  const { selection, regions } = await watch.time('regions', () => readBest(models, selected));
  signal?.throwIfAborted();
  const embeddings = await watch.time('template', () =>
    embedPortraits(models.recognisers[0], selection.portraits),
  );
  const identity = await watch.time('identity', () =>
    followIdentity(models.recognisers[0], frames, observations, selection.quality, embeddings),
  );
  signal?.throwIfAborted();
  const samePerson = samePersonCosines(models.recognisers[0].pack);
  const motion = await watch.time('motion', () => measureMotion(frames, observations));
  const pad = await watch.time('pad', () => scoreFaces(models.pad, frames, observations));
  const skinSteps = await watch.time('light', () => readSkinSteps(frames, observations));
  return {
    status: 'gathered',
    evidence: { clip, observations, selection, embeddings, identity, samePerson, motion, pad, skinSteps },
    regions,
  };
}

/**
 * Decodes and follows the face at once: the decoder works on one core while the networks work on the other. `decode`
 * is the time that following waited for frames, `track` the rest.
 */
async function decodeAndFollow(
  video: Uint8Array | string,
  settings: EvaluationSettings,
  models: Models,
  watch: GatherWatch,
  signal: AbortSignal | undefined,
) {
  const frames: Frame[] = [];
  const from = performance.now();
  let waitedMs = 0;
  const followed = await decodeClip(
    video,
    settings.video,
    async (decoded) => {
      const keep = async function* () {
        let waitingSince = from;
        for await (const frame of decoded) {
          waitedMs += performance.now() - waitingSince;
          frames.push(frame);
          yield frame;
          waitingSince = performance.now();
        }
        waitedMs += performance.now() - waitingSince;
      };
      return { frames, observations: await trackFaces(models, keep(), signal ? { signal } : {}) };
    },
    signal,
  );
  watch.add('decode', waitedMs);
  watch.add('track', performance.now() - from - waitedMs);
  return followed;
}
