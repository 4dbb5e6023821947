// The cues of one recording as curves, with the prompted windows shaded.

import type { JudgedMoment } from '../contract/judged-try.ts';
import { pathAt } from '../contract/path.ts';
import type { Liveness } from '../contract/result.ts';
import { isMovement, PROMPT_NAMES, type Script, type StepPrompt } from '../contract/script.ts';
import { pathSteps } from '../contract/script-steps.ts';
import { type Panel, renderPlot } from './curves.ts';

/** The parts of a judgement that are drawn. */
export interface PlottedJudgement {
  readonly durationMs: number;
  readonly liveness: Liveness;
  readonly reasons: readonly string[];
  readonly cues: readonly { readonly cue: string; readonly threshold: number | null }[];
  readonly moments: readonly JudgedMoment[];
}

const BANDS: Readonly<Record<StepPrompt, { label: string; colour: string }>> = {
  neutral: { label: 'neutral', colour: '#6b7686' },
  smile: { label: 'smile', colour: '#d98a00' },
  turn_left: { label: 'turn left', colour: '#2f7d4f' },
  turn_right: { label: 'turn right', colour: '#7a3fa0' },
  path: { label: 'path', colour: '#1f7a8c' },
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
    ...PROMPT_NAMES.filter(isMovement).map((prompt) => ({
      title: BANDS[prompt].label,
      least: -0.5,
      most: 2,
      points: points(({ face }) => face?.strengths && clamp(face.strengths[prompt], -0.5, 2)),
      marks: [{ y: 1, label: 'answered' }],
    })),
    ...pathPanels(script, points),
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

/** Interval at which the mark's position is drawn. */
const MARK_MS = 40;
/** Approximate yaw and pitch of a head that looks at the rim of a path; only for the scale of the mark's curve. */
const RIM_ANGLE = 0.3;

/** The head and the mark that it follows. The mark leads by the person's reaction time. */
function pathPanels(script: Script | null, points: Points): Panel[] {
  const paths = script ? pathSteps(script) : [];
  if (paths.length === 0) return [];
  const mark = (coordinate: 'x' | 'y') =>
    paths.flatMap(({ path, from_ms, to_ms }) =>
      Array.from({ length: Math.ceil((to_ms - from_ms) / MARK_MS) }, (_, i) => ({
        x: (from_ms + i * MARK_MS) / 1000,
        y: (pathAt(path, i * MARK_MS)[coordinate] / 100) * RIM_ANGLE,
      })),
    );
  return [
    {
      title: 'head to the left',
      least: -0.6,
      most: 0.6,
      against: mark('x'),
      points: points(({ face }) => face?.yaw),
    },
    {
      title: 'head up',
      least: -0.6,
      most: 0.6,
      against: mark('y'),
      points: points(({ face }) => face?.pitch),
    },
  ];
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

/** Empty if there is no threshold. */
function mark(y: number, label: string): { y: number; label: string }[] {
  return Number.isFinite(y) ? [{ y, label }] : [];
}
