// The cues over time as a table for people, one row per quarter of a second.
import type { Moment } from '../evaluation/timeline.ts';
import { alignColumns } from '../terminal/answer.ts';

const ROW_MS = 250;
const BAR = 10;

/** One moment per row, with how well each prompt is followed and which were answered. */
export function timelineTable(timeline: readonly Moment[]): string[] {
  const rows = [
    ['time', 'prompt', 'faces', 'smile', 'happy', '', 'left', 'up', 'eyes', 'motion', 'identity', 'flaws'],
  ];
  let next = 0;
  for (const moment of timeline) {
    if (moment.timeMs < next) continue;
    next = Math.max(next, (Math.floor(moment.timeMs / ROW_MS) + 1) * ROW_MS);
    rows.push(rowOf(moment));
  }
  return alignColumns(rows);
}

function rowOf({ timeMs, prompt, faces, face, motion, identity, flaws }: Moment): string[] {
  const start = [`${(timeMs / 1000).toFixed(2)} s`, prompt ?? '–', String(faces)];
  const end = [motion.toFixed(1), identity === null ? '' : identity.toFixed(2), flaws.join(' ')];
  if (!face) return [...start, '–', '–', '', '–', '–', '–', ...end];
  const happy = '▇'.repeat(Math.round(face.happy * BAR));
  return [
    ...start,
    strengthText(face.smile),
    face.happy.toFixed(2),
    happy.padEnd(BAR),
    face.head?.x.toFixed(1) ?? '–',
    face.head?.y.toFixed(1) ?? '–',
    face.eyesOpen.toFixed(2),
    ...end,
  ];
}

/** Marks an answered prompt. */
function strengthText(strength: number | null): string {
  return strength === null ? '–' : `${strength.toFixed(2)}${strength >= 1 ? ' ✓' : ''}`;
}

/** Explains the columns in one line. */
export const TIMELINE_LEGEND =
  "smile runs from 0 (the person's own face at rest) to 1 (answered, ✓); happy 0–1; left and up: where the nose " +
  'points, in scaled degrees; motion in grey levels; identity is the cosine between the face and the portraits; ' +
  'flaws keep a frame from being chosen';
