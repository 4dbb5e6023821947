// `likeness evaluate`: judges a video file offline and shows every check.
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import { readConfigOffline } from '../config/read-config.ts';
import type { Reference, ReferenceComparison } from '../evaluation/compare.ts';
import { type Judgement, judge } from '../evaluation/judge.ts';
import { PROMPT_ROWS } from '../evaluation/liveness/prompts.ts';
import { REASONS } from '../evaluation/reasons.ts';
import { DEFAULT_SETTINGS } from '../evaluation/settings.ts';
import { plotTimeline } from '../plot/timeline.ts';
import { alignColumns, JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { cueTable } from './cue-table.ts';
import { EXIT } from './exit-codes.ts';
import {
  checkMedia,
  type OpenFeatid,
  openReference,
  readScript,
  regionLines,
  rounded,
  withModels,
} from './judging.ts';
import { TIMELINE_LEGEND, timelineTable } from './timeline-table.ts';

type Judged = Extract<Judgement, { status: 'judged' }>;

/** A reference without a usable template. */
interface Unusable {
  readonly reference: string;
  readonly reason: string;
}

interface EvaluateOptions {
  readonly script?: string;
  readonly reference: readonly string[];
  readonly plot?: string;
  readonly json?: boolean;
}

/** The `evaluate` command; exit code 3 if the video cannot be judged. */
export function evaluateCommand(openFeatid?: OpenFeatid): Command {
  return new Command('evaluate')
    .description('judge a video file: every check, cue and timing; nothing is stored')
    .argument('<video>', 'a WebM or MP4 file')
    .argument('[files...]', 'further files for --reference')
    .option('--script <file>', 'the prompts of the recording (JSON); without it smiles are not judged')
    .option(
      '--reference <file>',
      'an image, video or FeatureID to compare with; several may follow, and it may be repeated',
      (value: string, all: string[]) => [...all, value],
      [] as string[],
    )
    .option('--plot <file>', 'write the cues over time as curves (SVG)')
    .option(...JSON_OPTION)
    .action(
      async (video: string, files: string[], { reference, ...options }: EvaluateOptions, self: Command) => {
        if (files.length > 0 && reference.length === 0) self.error('error: too many arguments');
        await evaluate(video, { ...options, reference: [...reference, ...files] }, openFeatid);
      },
    );
}

async function evaluate(video: string, options: EvaluateOptions, openFeatid?: OpenFeatid): Promise<void> {
  const read = async () => {
    const script = options.script ? await readScript(options.script) : null;
    await checkMedia([video, ...options.reference]);
    return script;
  };
  await withModels(read, async (models, script) => {
    const references: Reference[] = [];
    const unusable: Unusable[] = [];
    for (const reference of options.reference) {
      process.stderr.write(`likeness: reading reference ${reference}\n`);
      const opened = await openReference(reference, models, openFeatid);
      if (opened.status === 'made') references.push({ id: reference, template: opened.template });
      else unusable.push({ reference, reason: opened.reason });
    }
    process.stderr.write(`likeness: judging ${video}\n`);
    const settings = {
      ...DEFAULT_SETTINGS,
      targetFmr: readConfigOffline(process.env).RECOGNITION_TARGET_FMR,
    };
    const judgement = await judge({ video, script, references, settings }, models);
    if (judgement.status === 'notJudged') {
      writeAnswer(options.json, { reason: judgement.reason, reasons: [judgement.reason] }, [
        `not judged: ${judgement.reason}`,
      ]);
      return EXIT.notJudged;
    }
    if (options.plot) {
      const { clip, timeline: moments } = judgement;
      const plotted = { ...judgement, durationMs: clip.durationMs, moments };
      await writeFile(options.plot, plotTimeline(basename(video), plotted, script));
    }
    writeAnswer(options.json, asJson(judgement, unusable), asTable(judgement, unusable));
    return EXIT.done;
  });
}

function asJson(judgement: Judged, unusable: readonly Unusable[]): object {
  const { liveness, cues, bestFrame, comparisons, clip, retryable } = judgement;
  return {
    liveness_result: liveness,
    reasons: judgement.reasons,
    retryable: retryable?.reason ?? null,
    cues: Object.fromEntries(cues.map(({ cue, ...outcome }) => [cue, outcome])),
    best_frame: bestFrame && { time_ms: bestFrame.timeMs },
    frames: judgement.timeline.map(({ timeMs, faces, flaws }) => ({ time_ms: timeMs, faces, flaws })),
    comparisons: [
      ...comparisons.map(comparisonJson),
      ...unusable.map(({ reference, reason }) => ({
        reference,
        score: null,
        result: 'notEvaluated',
        reason,
        likeness_features: {},
      })),
    ],
    video: {
      container: clip.container,
      codec: clip.codec,
      width: clip.width,
      height: clip.height,
      duration_ms: Math.round(clip.durationMs),
      source_frames: clip.sourceFrameCount,
      judged_frames: judgement.timeline.length,
    },
    timings_ms: judgement.timingsMs,
  };
}

function comparisonJson({ id, score, result, likeness_features }: ReferenceComparison): object {
  return { reference: id, score: rounded(score, 4), result, likeness_features };
}

function asTable(judgement: Judged, unusable: readonly Unusable[]): string[] {
  const { liveness, retryable, clip, bestFrame } = judgement;
  const lines = [
    `${clip.container}/${clip.codec}, judged at ${clip.width} × ${clip.height}, ` +
      `${(clip.durationMs / 1000).toFixed(1)} s, ` +
      `${clip.sourceFrameCount} frames, ${judgement.timeline.length} of them judged`,
    '',
    ...alignColumns([
      ['result', 'outcome'],
      ['face', verdict(liveness.face)],
      ['smile', judgement.reasons.some(isSmileNotAsked) ? 'not asked for' : verdict(liveness.smile)],
      ['spoof_result', verdict(liveness.spoof_result)],
      ['overall', verdict(liveness.overall)],
    ]),
    '',
    ...cueTable(judgement.cues),
    '',
    ...timelineTable(judgement.timeline),
    TIMELINE_LEGEND,
    '',
    bestFrame ? `best frame at ${Math.round(bestFrame.timeMs)} ms` : 'no frame is good enough for a template',
  ];
  if (retryable) lines.push(`may be tried again: ${REASONS[retryable.reason].meaning}`);
  for (const { id, score, result, likeness_features } of judgement.comparisons)
    lines.push(`${id}: ${result}, score ${score.toFixed(3)}`, ...regionLines(likeness_features));
  for (const { reference, reason } of unusable) lines.push(`${reference}: not compared, ${reason}`);
  const timings = Object.entries(judgement.timingsMs).map(([step, ms]) => `${step} ${Math.round(ms)}`);
  return [...lines, '', `milliseconds: ${timings.join(', ')}`];
}

function isSmileNotAsked(reason: string): boolean {
  return reason === 'no_script' || reason === PROMPT_ROWS.smile.notAsked;
}

function verdict(passed: boolean): string {
  return passed ? 'pass' : 'fail';
}
