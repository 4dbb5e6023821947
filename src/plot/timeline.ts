// The cues of one recording as curves, with the prompted windows shaded.

import type { JudgedMoment } from '../contract/judged-try.ts';
import type { Liveness } from '../contract/result.ts';
import type { Prompt, Script } from '../contract/script.ts';
import { dotOf } from '../contract/target.ts';
import { type Panel, renderPlot } from './curves.ts';

/** The parts of a judgement that are drawn. */
export interface PlottedJudgement {
  readonly durationMs: number;
  readonly liveness: Liveness;
  readonly reasons: readonly string[];
  readonly cues: readonly { readonly cue: string; readonly threshold: number | null }[];
  readonly moments: readonly JudgedMoment[];
}

const BANDS: Readonly<Record<Prompt, { label: string; colour: string }>> = {
  neutral: { label: 'neutral', colour: '#6b7686' },
  smile: { label: 'smile', colour: '#d98a00' },
  target: { label: 'target', colour: '#1f7a8c' },
};

/** The SVG document of a judged recording. */
export function plotTimeline(title: string, judgement: PlottedJudgement, script: Script | null): string {
  const { durationMs, liveness, reasons } = judgement;
  const verdict = (['face', 'smile', 'spoof_result', 'overall'] as const)
    .map((part) => `${part} ${liveness[part] ? 'pass' : 'fail'}`)
    .join(' · ');
  return renderPlot({
    title,
    subtitle: reasons.length > 0 ? `${verdict} — ${reasons.join(', ')}` : verdict,
    seconds: Math.max(durationMs, script?.steps.at(-1)?.to_ms ?? 0) / 1000,
    panels: panelsOf(judgement, script),
    bands: (script?.steps ?? []).map(({ prompt, from_ms, to_ms }) => ({
      from: from_ms / 1000,
      to: to_ms / 1000,
      ...BANDS[prompt],
    })),
  });
}

function panelsOf({ moments, cues }: PlottedJudgement, script: Script | null): Panel[] {
  const samePerson = cues.find(({ cue }) => cue === 'same_person_throughout')?.threshold ?? Number.NaN;
  const points = (read: (moment: JudgedMoment) => number | null | undefined) =>
    moments.flatMap((moment) => {
      const y = read(moment);
      return y === null || y === undefined ? [] : [{ x: moment.timeMs / 1000, y }];
    });
  const cosine = points(({ identity }) => identity);
  const motion = points((moment) => moment.motion);
  const motionTop = Math.max(2, Math.ceil(Math.max(0, ...motion.map(({ y }) => y))));
  return [
    {
      title: 'smile',
      least: -0.5,
      most: 2,
      points: points(({ face }) => ((face?.smile ?? null) === null ? null : clamp(face!.smile!, -0.5, 2))),
      marks: [{ y: 1, label: 'answered' }],
    },
    ...headPanels(script, points),
    {
      title: 'identity',
      least: 0,
      most: 1,
      points: cosine,
      dots: true,
      marks: mark(samePerson, 'same person'),
    },
    { title: 'motion', least: 0, most: motionTop, points: motion },
  ];
}

type Points = (read: (moment: JudgedMoment) => number | null | undefined) => Panel['points'];

/** Scaled degrees that the curves of the head show to either side: a far target stands at 19. */
const MAX_TURN = 30;

/** Where the nose points, and the dots of the targets. The person follows them by a reaction time. */
function headPanels(script: Script | null, points: Points): Panel[] {
  const dots = (axis: 'x' | 'y') =>
    (script?.steps ?? []).flatMap((step) => {
      if (step.prompt !== 'target') return [];
      const y = dotOf(step)[axis];
      return [step.from_ms, step.to_ms].map((timeMs) => ({ x: timeMs / 1000, y }));
    });
  const panel = (title: string, axis: 'x' | 'y'): Panel => ({
    title,
    least: -MAX_TURN,
    most: MAX_TURN,
    against: dots(axis),
    points: points(({ face }) => face?.head && clamp(face.head[axis], -MAX_TURN, MAX_TURN)),
  });
  return [panel('head to the left', 'x'), panel('head up', 'y')];
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

/** Empty if there is no threshold. */
function mark(y: number, label: string): { y: number; label: string }[] {
  return Number.isFinite(y) ? [{ y, label }] : [];
}
