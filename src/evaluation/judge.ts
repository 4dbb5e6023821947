// The judgement: video bytes, script and references in, a value out. No database, no HTTP, no state.
import type { Liveness } from '../contract/result.ts';
import type { Script } from '../contract/script.ts';
import type { Models } from '../models/load.ts';
import type { Reference, ReferenceComparison } from './compare.ts';
import { compareWithAll } from './compare-with-all.ts';
import { GATHER_STEPS, type Gathered, gather } from './gather.ts';
import { runChecks } from './liveness/checks.ts';
import type { Cue } from './liveness/cue.ts';
import { fuse } from './liveness/fusion.ts';
import { sequencePrints } from './liveness/sequence-prints.ts';
import type { Submission } from './liveness/submission.ts';
import { makeProbe } from './probe.ts';
import { toBitmap } from './quality/bitmap.ts';
import type { ReasonCode, RetryCode } from './reasons.ts';
import type { FaceTemplate } from './recognition/template.ts';
import { DEFAULT_SETTINGS, type EvaluationSettings } from './settings.ts';
import { Stopwatch, type TimingsMs } from './stopwatch.ts';
import { type Moment, timelineOf } from './timeline.ts';
import type { Clip, UndecodableReason } from './video/clip.ts';
import type { ArrivedFilm } from './video/decode.ts';
import type { VideoInput } from './video/source.ts';

const STEPS = [...GATHER_STEPS, 'liveness', 'compare'] as const;

/** What the server knows about a submitted capture, and how it recognises a video sent before. */
export interface SubmissionInput extends Omit<Submission, 'seenBefore'> {
  /** Share of these prints (sequence-prints.ts) that an earlier capture holds; null when there are none. */
  seenBefore(framePrints: readonly Uint8Array[]): Promise<number | null>;
}

/** What the server knows about a capture; the video is judged against it. */
export interface JudgementContext {
  /** Null if no prompts were given; then the passive checks alone decide, and `smile` is false and not counted. */
  readonly script: Script | null;
  readonly references: readonly Reference[];
  /** How the video was submitted; absent for a file that was not submitted to a challenge. */
  readonly submission?: SubmissionInput;
}

interface VideoToJudge {
  /** Bytes of an upload, the path of a file, or a video that is still growing. */
  readonly video: VideoInput;
  readonly settings?: EvaluationSettings;
  readonly signal?: AbortSignal;
}

export interface JudgeInput extends VideoToJudge, JudgementContext {}

export interface GrowingJudgeInput extends VideoToJudge {
  /** Called once, when the last byte has arrived; never for a video that is refused before. */
  context(): Promise<JudgementContext>;
  /** Called as pictures arrive. What it throws ends the judgement. */
  onFilm?(film: ArrivedFilm): void;
}

export type Judgement =
  | {
      readonly status: 'judged';
      readonly liveness: Liveness;
      /** Set if the capture may be tried again, with the reason to tell the person. */
      readonly retryable: { readonly reason: RetryCode } | null;
      readonly reasons: readonly ReasonCode[];
      readonly cues: readonly Cue[];
      /** How the video was submitted, as the checks read it; null for a file that was not submitted to a challenge. */
      readonly submission: Submission | null;
      /** What was seen in each judged frame. */
      readonly timeline: readonly Moment[];
      /** Null if no frame was good enough. Set even if liveness failed: whether to enrol is not decided here. */
      readonly template: FaceTemplate | null;
      /** Why there is no template. */
      readonly noTemplate: ReasonCode | null;
      readonly bestFrame: { readonly timeMs: number; readonly bmp: Uint8Array } | null;
      /** In the order of the references; empty without a template. */
      readonly comparisons: readonly ReferenceComparison[];
      readonly clip: Omit<Clip, 'thumbnails' | 'sourceTimesMs' | 'packets'>;
      readonly timingsMs: TimingsMs<(typeof STEPS)[number]>;
    }
  | {
      /** The file is not a clip that can be judged; an honest person may always try again. */
      readonly status: 'notJudged';
      readonly reason: UndecodableReason;
    };

/**
 * Judges one capture. Deterministic: the same bytes, script and references give the same judgement, except for timings.
 * Rejects on faults only: with the signal's reason, TOOL_MISSING, the file system's errors on a path, INVARIANT if a
 * reference is of another recogniser pack, and as `submission.seenBefore` does.
 */
export function judge(input: JudgeInput, models: Models): Promise<Judgement> {
  const { script, settings = DEFAULT_SETTINGS } = input;
  // The script is known, so no more is decoded than is judged.
  const upToScript = { ...input, settings: settingsFor(script, settings) };
  return judgeGrowing({ ...upToScript, context: async () => input }, models);
}

/**
 * Judges a capture while it is being recorded: reads its frames as they arrive, and asks at the end for what is known
 * only then. The judgement is that of `judge` on the complete video, unless that has a shorter judged part and this is
 * refused for more pictures than the longest one may have. Rejects as `judge` does, and as the video, `context` and
 * `onFilm` do. Only the signal limits the time in which no bytes arrive.
 */
export async function judgeGrowing(input: GrowingJudgeInput, models: Models): Promise<Judgement> {
  const { video, settings = DEFAULT_SETTINGS, signal } = input;
  const watch = new Stopwatch(STEPS);
  let context: JudgementContext | undefined;
  const judgedMs = async () => {
    watch.startRest();
    context = await input.context();
    return settingsFor(context.script, settings).video.judgedMs;
  };
  const onFilm = (film: ArrivedFilm) => input.onFilm?.(film);
  const gathered = await gather(video, settings, models, watch, { signal, judgedMs, onFilm });
  if (gathered.status === 'undecodable') return { status: 'notJudged', reason: gathered.reason };
  signal?.throwIfAborted();
  // Gathering is complete, so the context was asked for.
  return judgeGathered(gathered, { ...context!, settings }, models, watch);
}

/**
 * The second half: judges what was gathered from the video against everything else in the input. Rejects as `judge`
 * does.
 */
export async function judgeGathered(
  gathered: Gathered,
  input: JudgementContext & Pick<JudgeInput, 'settings'>,
  models: Models,
  watch = new Stopwatch(STEPS),
): Promise<Judgement> {
  const { script, references, settings = DEFAULT_SETTINGS } = input;
  if (gathered.status === 'undecodable') return { status: 'notJudged', reason: gathered.reason };
  const { clip, selection, embeddings } = gathered.evidence;

  const [recogniser] = models.recognisers;
  const probe = makeProbe(recogniser, { selection, regions: gathered.regions }, embeddings);

  const submission = await submissionOf(clip, input.submission);
  const cues = await watch.time('liveness', () => runChecks({ ...gathered.evidence, script, submission }));
  const { liveness, retryable, reasons } = fuse(cues);

  const comparisons = await watch.time('compare', () =>
    probe.status === 'made' ? compareWithAll(models, probe, references, settings.targetFmr) : [],
  );

  const { best } = selection;
  const bestFrame = best && { timeMs: best.frame.timeMs, bmp: toBitmap(best.frame) };
  const { thumbnails: _thumbnails, sourceTimesMs: _times, packets: _packets, ...clipFacts } = clip;
  const made = probe.status === 'made' ? probe : null;
  return {
    status: 'judged',
    liveness,
    retryable,
    reasons,
    cues,
    bestFrame,
    comparisons,
    submission,
    template: made?.template ?? null,
    noTemplate: probe.status === 'none' ? probe.reason : null,
    timeline: timelineOf(gathered.evidence, script),
    clip: clipFacts,
    timingsMs: watch.read(),
  };
}

/**
 * The page stops recording 0.3 s after the script's end (script-clock.ts); slow devices and cameras get ten times that.
 * A longer recording is judged by its first part, but its whole length is compared with the time that its script has
 * existed. Chosen, not measured.
 */
const AFTER_SCRIPT_MS = 3_000;

/** The settings with which a recording of this script is gathered. */
export function settingsFor(script: Script | null, settings = DEFAULT_SETTINGS): EvaluationSettings {
  if (!script) return settings;
  const endMs = Math.max(...script.steps.map(({ to_ms }) => to_ms));
  const judgedMs = Math.min(settings.video.judgedMs, endMs + AFTER_SCRIPT_MS);
  return { ...settings, video: { ...settings.video, judgedMs } };
}

async function submissionOf(clip: Clip, given: SubmissionInput | undefined): Promise<Submission | null> {
  if (!given) return null;
  return { ...given, seenBefore: await given.seenBefore(sequencePrints(clip)) };
}
