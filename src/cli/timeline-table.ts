// The cues over time as a table for people: one row for each quarter of a second.
import { MIN_TURN, MIN_WIDENING } from '../evaluation/liveness/responses.ts';
import type { Moment } from '../evaluation/timeline.ts';
import { alignColumns } from './answer.ts';

const ROW_MS = 250;
const BAR = 10;

/** The moment nearest to each row's time; bars for happiness and for the turn's side. */
export function timelineTable(timeline: readonly Moment[]): string[] {
  const rows = [
    ['time', 'prompt', 'faces', 'happy', '', 'mouth', 'yaw', 'turn', 'eyes', 'motion', 'identity', 'flaws'],
  ];
  let next = 0;
  for (const moment of timeline) {
    // A portrait's moment is shown whenever it comes: it alone has an identity.
    if (moment.timeMs < next && moment.identity === null) continue;
    next = Math.max(next, (Math.floor(moment.timeMs / ROW_MS) + 1) * ROW_MS);
    rows.push(rowOf(moment));
  }
  return alignColumns(rows);
}

function rowOf({ timeMs, prompt, faces, face, motion, identity, flaws }: Moment): string[] {
  const start = [`${(timeMs / 1000).toFixed(2)} s`, prompt ?? '–', String(faces)];
  const end = [motion.toFixed(1), identity === null ? '' : identity.toFixed(2), flaws.join(' ')];
  if (!face) return [...start, '–', '', '–', '–', '', '–', ...end];
  const happy = '▇'.repeat(Math.round(face.happy * BAR));
  return [
    ...start,
    ...[face.happy.toFixed(2), happy.padEnd(BAR)],
    ...[face.mouthWidth.toFixed(2), face.yaw.toFixed(2), turnArrow(face.yaw), face.eyesOpen.toFixed(2)],
    ...end,
  ];
}

function turnArrow(yaw: number): string {
  if (Math.abs(yaw) < MIN_TURN / 2) return '';
  const arrow = yaw > 0 ? 'left' : 'right';
  return Math.abs(yaw) < MIN_TURN ? `(${arrow})` : arrow;
}

/** What the columns mean, in one line. */
export const TIMELINE_LEGEND =
  `happy 0–1; mouth in eye distances (a smile widens it by ${MIN_WIDENING}); yaw −1 to 1, ` +
  `the person's own left is positive (a turn changes it by ${MIN_TURN}); motion in grey levels; ` +
  'identity is the cosine of a portrait to the others; flaws keep a frame from being chosen';
