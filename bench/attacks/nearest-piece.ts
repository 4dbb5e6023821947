// An attacker with footage of a head that looks around is shown a path. Chooses which frame to play when, so that the
// head is near the mark and the footage is seldom cut.

/** Where a head points in one frame of the footage. */
export interface LookFrame {
  /** In path coordinates (src/contract/path.ts). */
  readonly x: number;
  readonly y: number;
  /** Frames of one piece are consecutive in time and in the list. */
  readonly piece: number;
}

/** A look that is off by the whole reach of a path costs 1; costs are squared. */
const REACH = 100;
/**
 * A piece may be played at up to twice its speed, held for a frame, or reversed. Each has a small cost, because it
 * looks odd.
 */
const STEPS = [
  { by: 1, costs: 0 },
  { by: 2, costs: 0.004 },
  { by: -1, costs: 0.004 },
  { by: 0, costs: 0.01 },
] as const;

/**
 * The frames to play, one for each goal: the cheapest path through the footage (dynamic programming).
 * @param frames the footage, piece by piece
 * @param goals where the head should point, frame by frame
 * @param cutCosts cost of a cut, in looks that are off by the whole reach for one frame; infinite: never cut
 */
export function nearestFrames(
  frames: readonly LookFrame[],
  goals: readonly { readonly x: number; readonly y: number }[],
  cutCosts: number,
): number[] {
  const count = frames.length;
  let costs = new Float64Array(count);
  const cameFrom: Int32Array[] = [];
  for (const [at, goal] of goals.entries()) {
    const before = costs;
    const from = new Int32Array(count);
    costs = new Float64Array(count);
    const cheapest = at === 0 ? 0 : before.indexOf(Math.min(...before));
    for (let i = 0; i < count; i++) {
      const { x, y } = frames[i]!;
      const off = ((x - goal.x) ** 2 + (y - goal.y) ** 2) / REACH ** 2;
      const way =
        at === 0 ? { from: i, costs: 0 } : cheapestPredecessor(frames, before, i, cheapest, cutCosts);
      from[i] = way.from;
      costs[i] = off + way.costs;
    }
    cameFrom.push(from);
  }
  const played: number[] = [];
  let frame = costs.indexOf(Math.min(...costs));
  for (let at = goals.length - 1; at >= 0; at--) {
    played.push(frame);
    frame = cameFrom[at]![frame]!;
  }
  return played.reverse();
}

function cheapestPredecessor(
  frames: readonly LookFrame[],
  before: Float64Array,
  to: number,
  cheapest: number,
  cutCosts: number,
): { from: number; costs: number } {
  let best = { from: cheapest, costs: before[cheapest]! + cutCosts };
  for (const { by, costs } of STEPS) {
    const from = to - by;
    if (frames[from]?.piece !== frames[to]!.piece) continue;
    if (before[from]! + costs < best.costs) best = { from, costs: before[from]! + costs };
  }
  return best;
}

/** Whether one frame continues another, or the footage is cut between them. */
export function continues(frames: readonly LookFrame[], from: number, to: number): boolean {
  return frames[from]!.piece === frames[to]!.piece && STEPS.some(({ by }) => to - from === by);
}
