// Enrolment over time: a FeatureID's reference is its enrolment and the captures that renewed it, and which capture may.
import type { CaptureEmbedding } from '../../contract/face-template.ts';
import type { OperatingPoint } from './operating-point.ts';
import type { FaceTemplate, ReferenceTemplate } from './template.ts';
import { thresholdFor } from './thresholds.ts';
import { cosineSimilarity, normalise } from './vector.ts';

/**
 * The reference as it compares. The enrolment weighs as much as all captures together, so that no number of them leaves it
 * behind; the captures weigh alike, and their frames add up. Regions are the enrolment's. Without renewals: as given.
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
 * Whether a capture may renew the reference: it must be as like the reference as it stands, **and** as like the enrolment
 * alone, as the threshold for a tenth of the target FMR asks. The second keeps many small steps from leading to another person;
 * the first, stricter than the decision, keeps a look-alike who passes from changing whom the reference knows. A refusal
 * costs nothing: the comparison has passed all the same. Measured: docs/recognition.md, Enrolment over time.
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

/** Null where one is not known: the threshold is then the strictest. */
function framesOf(parts: readonly Pick<CaptureEmbedding, 'frames'>[]): number | null {
  return parts.reduce<number | null>(
    (sum, { frames }) => (sum === null || frames === null ? null : sum + frames),
    0,
  );
}

function unitNorm(vector: Float32Array | Int8Array): Float32Array {
  return normalise(Float32Array.from(vector));
}
