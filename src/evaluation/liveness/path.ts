// Whether the head followed the mark on its path, and whether it was the head of the person in the portraits.
import type { PathStep } from '../../contract/script.ts';
import { pathSteps } from '../../contract/script-steps.ts';
import { atLeast, atMost, type Check, gate, notEvaluated, type Outcome } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';
import { GRID_MS, type HeadCurve, matchPath } from './path-match.ts';
import { type Seen, seenFaces } from './windows.ts';

/**
 * Share of fresh paths that the head may follow equally well at some time of the video. A film made before the path is
 * known therefore passes once in a thousand, whatever it shows, even at the best moment that the script's times allow.
 * A rate by construction; chosen, not measured. Rendered followers reach 0.0001.
 */
const MAX_P = 0.001;
/**
 * Number of parts into which a path is cut. Each must have frames of the person, so that nobody else can move through a
 * part of it.
 */
const PARTS = 3;
/** As for any other answer (answers.ts). Chosen, not measured. */
const MIN_FRAMES_OF_PERSON = 2;

/**
 * The largest p-value of a path. A path that the head did not follow, or followed too late, sends the capture back and
 * implies nothing more.
 */
export const path: Check = {
  cue: 'path',
  role: gate('script'),
  refuses: [],
  stays: 'by construction: an old film could suit any path',
  run: (evidence) =>
    overPaths(evidence, (steps) => {
      const head = headCurve(seenFaces(evidence));
      const ps = steps.map((step) => matchPath(head, step.path, step.from_ms)?.p ?? 1);
      return atMost(Math.max(...ps), MAX_P, 'path_missing');
    }),
};

/** Over the parts of the paths, the lowest number of frames that were recognised as the person of the portraits. */
export const pathPerson: Check = {
  cue: 'path_person',
  role: gate('script'),
  refuses: [],
  stays: 'somebody else could follow a part of the path',
  run: (evidence) =>
    overPaths(evidence, (steps) => {
      const recognised = seenFaces(evidence).filter(({ isSamePerson }) => isSamePerson === true);
      const counts = steps.flatMap(({ from_ms, to_ms }) => {
        const partMs = (to_ms - from_ms) / PARTS;
        return Array.from({ length: PARTS }, (_, part) => {
          const beginMs = from_ms + part * partMs;
          return recognised.filter(({ timeMs }) => timeMs >= beginMs && timeMs < beginMs + partMs).length;
        });
      });
      return atLeast(Math.min(...counts), MIN_FRAMES_OF_PERSON, 'path_missing');
    }),
};

function overPaths({ script }: CaptureEvidence, run: (steps: readonly PathStep[]) => Outcome): Outcome {
  if (!script) return notEvaluated('no_script');
  const steps = pathSteps(script);
  return steps.length === 0 ? notEvaluated('path_not_required') : run(steps);
}

/** Yaw and pitch resampled to the grid: linear between frames, constant before the first and after the last. */
export function headCurve(
  seen: readonly { readonly timeMs: number; readonly face: Pick<Seen['face'], 'yaw' | 'pitch'> }[],
): HeadCurve {
  const length = seen.length === 0 ? 0 : Math.floor(seen.at(-1)!.timeMs / GRID_MS) + 1;
  const yaw = new Float64Array(length);
  const pitch = new Float64Array(length);
  let next = 0;
  for (let i = 0; i < length; i++) {
    const timeMs = i * GRID_MS;
    while (next < seen.length - 1 && seen[next]!.timeMs < timeMs) next++;
    const after = seen[next]!;
    const before = seen[Math.max(0, next - 1)]!;
    const gapMs = after.timeMs - before.timeMs;
    const share = gapMs > 0 ? Math.min(1, Math.max(0, (timeMs - before.timeMs) / gapMs)) : 1;
    yaw[i] = before.face.yaw + share * (after.face.yaw - before.face.yaw);
    pitch[i] = before.face.pitch + share * (after.face.pitch - before.face.pitch);
  }
  return { yaw, pitch };
}
