// The cues over time as a table for people, one row per quarter of a second.
import { isMovement, PROMPT_NAMES } from '../contract/script.ts';
import type { Moment } from '../evaluation/timeline.ts';
import { alignColumns } from '../terminal/answer.ts';

const ROW_MS = 250;
const BAR = 10;

/** Prompts that ask for a movement. */
const MOVEMENTS = PROMPT_NAMES.filter(isMovement);

/** One moment per row, with how well each prompt is followed and which were answered. */
export function timelineTable(timeline: readonly Moment[]): string[] {
  const rows = [
    ['time', 'prompt', 'faces', ...MOVEMENTS, 'happy', '', 'yaw', 'eyes', 'motion', 'identity', 'flaws'],
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
  if (!face) return [...start, ...MOVEMENTS.map(() => '–'), '–', '', '–', '–', ...end];
  const happy = '▇'.repeat(Math.round(face.happy * BAR));
  return [
    ...start,
    ...MOVEMENTS.map((prompt) => strengthText(face.strengths?.[prompt] ?? null)),
    face.happy.toFixed(2),
    happy.padEnd(BAR),
    face.yaw.toFixed(2),
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
  "prompts run from 0 (the person's own neutral face) to 1 (answered, ✓); happy 0–1; yaw −1 to 1, positive to " +
  "the person's own left; motion in grey levels; identity is the cosine between the face and the portraits; " +
  'flaws keep a frame from being chosen';
