// Enrolment over time: a FeatureID's reference consists of its enrolment and the captures that renewed it. Also decides
// which captures may renew it.
import type { CaptureEmbedding } from '../../contract/face-template.ts';
import type { OperatingPoint } from './operating-point.ts';
import type { FaceTemplate, ReferenceTemplate } from './template.ts';
import { thresholdFor } from './thresholds.ts';
import { cosineSimilarity, normalise } from './vector.ts';

/**
 * The reference as it is compared. The enrolment weighs as much as all captures together, so that no number of captures
 * leaves it behind. Captures weigh the same, and their frames add up. Regions are the enrolment's. Without renewals,
 * the reference is returned as given.
 */
export function renewedReference(reference: ReferenceTemplate): ReferenceTemplate {
  const { renewals = [], ...enrolment } = reference;
  if (renewals.length === 0) return reference;
  const sum = unitNorm(enrolment.embedding);
  const weight = 1 / renewals.length;
  for (const { embedding } of renewals) {
    const capture = unitNorm(embedding);
    if (capture.length !== sum.length)
      throw new RangeError('the length of a renewal differs from its enrolment');
    for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + capture[i]! * weight;
  }
  return { ...enrolment, embedding: normalise(sum), frames: framesOf([enrolment, ...renewals]) };
}

/**
 * Whether a capture may renew the reference. It must reach the threshold for a tenth of the target FMR against the
 * reference as it stands **and** against the enrolment alone. The second keeps many small steps from leading to another
 * person; the first, stricter than the decision, keeps a look-alike who passes from changing whom the reference
 * recognises. A refusal costs nothing, because the comparison has passed all the same. Measured: docs/recognition.md,
 * Enrolment over time.
 */
export function mayRenew(
  probe: Pick<FaceTemplate, 'embedding' | 'frames'>,
  reference: ReferenceTemplate,
  { renewalThresholds: thresholds }: Pick<OperatingPoint, 'renewalThresholds'>,
): boolean {
  return [reference, renewedReference(reference)].every(
    ({ embedding, frames }) =>
      cosineSimilarity(probe.embedding, embedding) >= thresholdFor({ thresholds }, probe.frames, frames),
  );
}

/** Null if one is unknown; the threshold is then the strictest. */
function framesOf(parts: readonly Pick<CaptureEmbedding, 'frames'>[]): number | null {
  return parts.reduce<number | null>(
    (sum, { frames }) => (sum === null || frames === null ? null : sum + frames),
    0,
  );
}

function unitNorm(vector: Float32Array | Int8Array): Float32Array {
  return normalise(Float32Array.from(vector));
}
