// `evaluate --plot`: the cues of one capture as curves, with the prompted windows shaded.
import { basename } from 'node:path';
import type { Prompt, Script } from '../contract/script.ts';
import type { Judgement } from '../evaluation/judge.ts';
import { MIN_HAPPY, MIN_TURN, MIN_WIDENING } from '../evaluation/liveness/responses.ts';
import { median } from '../evaluation/liveness/statistics.ts';
import type { Moment } from '../evaluation/timeline.ts';
import { type Panel, renderPlot } from './plot.ts';

type Judged = Extract<Judgement, { status: 'judged' }>;

const BANDS: Readonly<Record<Prompt, { label: string; colour: string }>> = {
  neutral: { label: 'neutral', colour: '#6b7686' },
  smile: { label: 'smile', colour: '#d98a00' },
  turn_left: { label: 'turn left', colour: '#2f7d4f' },
  turn_right: { label: 'turn right', colour: '#7a3fa0' },
};

/** The SVG document of a judged video. */
export function plotTimeline(video: string, judgement: Judged, script: Script | null): string {
  const { clip, liveness, reasons } = judgement;
  const verdict = (['face', 'smile', 'spoofResult', 'overall'] as const)
    .map((part) => `${part === 'spoofResult' ? 'spoof_result' : part} ${liveness[part] ? 'pass' : 'fail'}`)
    .join(' · ');
  return renderPlot({
    title: basename(video),
    subtitle: reasons.length > 0 ? `${verdict} — ${reasons.join(', ')}` : verdict,
    seconds: Math.max(clip.durationMs, script?.steps.at(-1)?.to_ms ?? 0) / 1000,
    panels: panelsOf(judgement),
    bands: (script?.steps ?? []).map(({ prompt, from_ms, to_ms }) => ({
      ...{ from: from_ms / 1000, to: to_ms / 1000 },
      ...BANDS[prompt],
    })),
  });
}

function panelsOf({ timeline, cues }: Judged): Panel[] {
  const samePerson = cues.find(({ cue }) => cue === 'same_person')?.threshold ?? Number.NaN;
  const points = (read: (moment: Moment) => number | null | undefined) =>
    timeline.flatMap((moment) => {
      const y = read(moment);
      return y === null || y === undefined ? [] : [{ x: moment.timeMs / 1000, y }];
    });
  const resting = restingFaces(timeline);
  const mouth = median(resting.map(({ mouthWidth }) => mouthWidth));
  const yaw = median(resting.map((face) => face.yaw));
  const happy = points(({ face }) => face?.happy);
  const width = points(({ face }) => face?.mouthWidth);
  const turn = points(({ face }) => face?.yaw);
  const cosine = points(({ identity }) => identity);
  const motion = points((moment) => moment.motion);
  const motionTop = Math.max(2, Math.ceil(Math.max(0, ...motion.map(({ y }) => y))));
  return [
    { title: 'happy', least: 0, most: 1, points: happy, marks: mark(MIN_HAPPY, 'smile') },
    {
      title: 'mouth width',
      least: 0.6,
      most: 1.4,
      points: width,
      marks: mark(mouth + MIN_WIDENING, 'smile'),
    },
    {
      ...{ title: 'yaw (+ left)', least: -1, most: 1, points: turn },
      marks: [...mark(yaw + MIN_TURN, 'left'), ...mark(yaw - MIN_TURN, 'right')],
    },
    {
      ...{ title: 'identity', least: 0, most: 1, points: cosine, dots: true },
      marks: mark(samePerson, 'same person'),
    },
    { title: 'motion', least: 0, most: motionTop, points: motion },
  ];
}

/** What limits count from: the faces of the neutral windows, or of the whole clip where there is no script. */
function restingFaces(timeline: readonly Moment[]) {
  const asked = timeline.filter(({ prompt }) => prompt === 'neutral');
  return (asked.length > 0 ? asked : timeline).flatMap(({ face }) => face ?? []);
}

/** Nothing where no face was seen. */
function mark(y: number, label: string): { y: number; label: string }[] {
  return Number.isFinite(y) ? [{ y, label }] : [];
}
