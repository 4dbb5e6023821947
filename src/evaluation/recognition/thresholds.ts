// The least cosine that matches depends on how many frames were averaged on either side. It is calibrated for some
// numbers and interpolated between them.

/** The threshold for one number of frames on each side. */
export interface FrameThreshold {
  readonly probeFrames: number;
  readonly referenceFrames: number;
  readonly cosine: number;
}

/**
 * The threshold for these numbers of frames: linear between the calibrated numbers around them, the nearest calibrated
 * one beyond. An unknown number (null) is taken as the one with the highest threshold.
 * @throws RangeError without any threshold.
 */
export function thresholdFor(
  { thresholds }: { readonly thresholds: readonly FrameThreshold[] },
  probeFrames: number | null,
  referenceFrames: number | null,
): number {
  if (thresholds.length === 0) throw new RangeError('an operating point without a threshold');
  const rows = new Map<number, Known[]>();
  for (const { probeFrames: at, referenceFrames: frames, cosine } of thresholds)
    rows.set(at, [...(rows.get(at) ?? []), { frames, cosine }]);
  const byProbe = [...rows].map(([frames, row]) => ({ frames, cosine: along(row, referenceFrames) }));
  return along(byProbe, probeFrames);
}

interface Known {
  readonly frames: number;
  readonly cosine: number;
}

function along(known: readonly Known[], frames: number | null): number {
  if (frames === null) return Math.max(...known.map(({ cosine }) => cosine));
  const sorted = known.toSorted((a, b) => a.frames - b.frames);
  const above = sorted.findIndex((each) => each.frames >= frames);
  const high = sorted[above] ?? sorted.at(-1)!;
  const low = above > 0 && high.frames > frames ? sorted[above - 1]! : high;
  if (low === high) return high.cosine;
  const share = (frames - low.frames) / (high.frames - low.frames);
  return low.cosine + share * (high.cosine - low.cosine);
}

/**
 * Adds the mirrored thresholds: a cosine is the same whichever side is the probe, so what was calibrated one way round
 * holds the other way too.
 */
export function bothWays(thresholds: readonly FrameThreshold[]): FrameThreshold[] {
  const key = (probe: number, reference: number) => `${probe} ${reference}`;
  const known = new Set(
    thresholds.map(({ probeFrames, referenceFrames }) => key(probeFrames, referenceFrames)),
  );
  const mirrored = thresholds
    .filter(({ probeFrames, referenceFrames }) => !known.has(key(referenceFrames, probeFrames)))
    .map(({ probeFrames, referenceFrames, cosine }) => ({
      probeFrames: referenceFrames,
      referenceFrames: probeFrames,
      cosine,
    }));
  return [...thresholds, ...mirrored].sort(
    (a, b) => a.probeFrames - b.probeFrames || a.referenceFrames - b.referenceFrames,
  );
}
