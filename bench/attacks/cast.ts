// The cast: for each person the photograph that looks most neutral and, if there is one, another that smiles.
import type { Models } from '../../src/models/load.ts';
import type { Actor } from './film-attacks.ts';
import type { Face } from './head.ts';
import { findPortraits, openPhoto, type Portrait } from './portraits.ts';
import { pictureOf, type Sources } from './sources.ts';

/** A person's photographs, not yet opened. */
export interface Role {
  readonly subject: string;
  readonly neutral: Portrait;
  readonly smiling: Portrait | null;
}

export interface Cast {
  readonly actors: readonly Role[];
  /** Those of the actors who can smile. */
  readonly smiling: readonly Role[];
}

/**
 * Thresholds on the expression network's output for a face at rest, and for a smile that the judgement would accept
 * with room to spare.
 */
const MAX_NEUTRAL_HAPPY = 0.3;
const MIN_SMILING_HAPPY = 0.9;
const MIN_WIDENING = 0.17;

/** Measures every photograph once. The list is kept in `outDir`; if it is already there, no models are loaded. */
export async function findCast(
  models: () => Promise<Models>,
  root: string,
  sources: Sources,
  outDir: string,
): Promise<Cast> {
  const pictures = sources.clips.map((clip) => pictureOf(root, outDir, clip));
  const portraits = await findPortraits(models, root, [...pictures, ...sources.photos], outDir);
  const people = new Map<string, Portrait[]>();
  for (const portrait of portraits)
    people.set(portrait.subject, [...(people.get(portrait.subject) ?? []), portrait]);
  const actors = [...people].flatMap(([subject, own]) => roleOf(subject, own));
  return { actors, smiling: actors.filter(({ smiling }) => smiling) };
}

function roleOf(subject: string, portraits: readonly Portrait[]): Role[] {
  const calm = portraits.filter(({ happy }) => happy < MAX_NEUTRAL_HAPPY);
  const neutral = calm.toSorted((a, b) => Math.abs(a.yaw) - Math.abs(b.yaw))[0];
  if (!neutral) return [];
  const smiling = portraits
    .filter(
      ({ happy, mouthWidth }) => happy > MIN_SMILING_HAPPY && mouthWidth > neutral.mouthWidth + MIN_WIDENING,
    )
    .toSorted((a, b) => Math.abs(a.yaw) - Math.abs(b.yaw))[0];
  return [{ subject, neutral, smiling: smiling ?? null }];
}

/** Opens a role's photographs. */
export async function openRole(root: string, { subject, neutral, smiling }: Role): Promise<Actor> {
  return {
    subject,
    neutral: await openFace(root, neutral),
    smiling: smiling && (await openFace(root, smiling)),
  };
}

async function openFace(root: string, portrait: Portrait): Promise<Face> {
  const frame = await openPhoto(root, portrait.file);
  if (!frame) throw new Error(`${portrait.file} could be read before but cannot be read now`);
  return { picture: frame, landmarks: Float32Array.from(portrait.landmarks) };
}
