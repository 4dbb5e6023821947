// How much a challenge asks of a person.

export const LIVENESS_LEVELS = ['quick', 'standard', 'high'] as const;
export type LivenessLevel = (typeof LIVENESS_LEVELS)[number];
