// First half of the judgement: video bytes → everything that its checks read. Independent of the script.
import type { Models } from '../models/load.ts';
import { type ReadSelection, readBest } from './human-face.ts';
import { followIdentity } from './identity.ts';
import type { VideoEvidence } from './liveness/evidence.ts';
import { padScore } from './pad/score-faces.ts';
import { embedPortraits } from './probe.ts';
import { selectPortraits } from './quality/select.ts';
import { READ_STEPS, type ReadFrame, readFrames } from './read-frames.ts';
import { samePersonCosines } from './recognition/operating-point.ts';
import type { EvaluationSettings } from './settings.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { Clip, UndecodableReason } from './video/clip.ts';
import { type DecodeOptions, decodeClip } from './video/decode.ts';
import type { Frame } from './video/frame.ts';
import type { VideoInput } from './video/source.ts';

/** Where gathering spends its time. `decode` is the wait for frames and, while a video grows, for its bytes too. */
export const GATHER_STEPS = ['decode', ...READ_STEPS, 'regions', 'template'] as const;

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
 * Decodes a capture and reads its frames as they arrive, then chooses its portraits and embeds them. A growing video
 * gives the same result as the complete one. Rejects on faults only: those of decodeClip.
 */
export async function gather(
  video: VideoInput,
  settings: EvaluationSettings,
  models: Models,
  watch: GatherWatch,
  options: DecodeOptions = {},
): Promise<Gathered> {
  const { signal } = options;
  const decoded = await decodeClip(
    video,
    settings.video,
    (frames) => readFrames(waitingFor(frames, watch), settings.templateFrames, models, watch, signal),
    options,
  );
  if (decoded.status === 'undecodable') return decoded;
  return gatherFrom(decoded.value, decoded.clip, settings, models, watch, signal);
}

/** Gathers what needs all frames. */
async function gatherFrom(
  frames: readonly ReadFrame[],
  clip: Clip,
  { templateFrames }: EvaluationSettings,
  models: Models,
  watch: GatherWatch,
  signal: AbortSignal | undefined,
): Promise<Gathered> {
  const [recogniser] = models.recognisers;
  const selected = selectPortraits(frames, templateFrames);
  const { selection, regions } = await watch.time('regions', () => readBest(models, selected));
  signal?.throwIfAborted();
  const embeddings = await watch.time('template', () => embedPortraits(recogniser, selection.portraits));
  signal?.throwIfAborted();
  const observations = frames.map(({ observation }) => observation);
  const evidence: VideoEvidence = {
    clip,
    observations,
    selection,
    embeddings,
    identity: followIdentity(frames, embeddings),
    samePerson: samePersonCosines(recogniser.pack),
    pad: padScore(
      models.pad,
      frames.map(({ live }) => live),
    ),
  };
  return { status: 'gathered', evidence, regions };
}

/**
 * The decoder works on one core while the networks work on the other; `decode` is the time that the networks wait for
 * it.
 */
async function* waitingFor(frames: AsyncIterable<Frame>, watch: GatherWatch): AsyncGenerator<Frame> {
  let waitingSince = performance.now();
  for await (const frame of frames) {
    watch.add('decode', performance.now() - waitingSince);
    yield frame;
    waitingSince = performance.now();
  }
  watch.add('decode', performance.now() - waitingSince);
}
