// How strong the smiles were that a script asked for: what a limit of the judgement is fitted to.
import type { Script } from '../src/contract/script.ts';
import type { Gathered } from '../src/evaluation/gather.ts';
import { EXPRESSION_ROWS } from '../src/evaluation/liveness/prompts.ts';
import { AFTERMATH_MS, inStep, ownRest, seenFaces } from '../src/evaluation/liveness/windows.ts';

/** Share of its first frame's strength with which a smile lasts, as in src/evaluation/liveness/answers.ts. */
const STILL_HELD = 0.75;
const { heldFrames, strength } = EXPRESSION_ROWS.smile;

/** The highest limit at which each smile would count, of which the product's is 1; null if none was asked for. */
export function heldSmile(gathered: Gathered, script: Script | null): number | null {
  const steps = script?.steps.filter(({ prompt }) => prompt === 'smile') ?? [];
  if (gathered.status !== 'gathered' || !script || steps.length === 0) return null;
  const seen = seenFaces(gathered.evidence);
  const rest = ownRest(seen, script);
  if (!rest) return 0;
  const highest = steps.map(({ from_ms, to_ms }) => {
    const faces = inStep(seen, { from_ms, to_ms: to_ms + AFTERMATH_MS });
    return highestLimit(faces.map(({ face }) => strength(face, rest)));
  });
  return Math.min(...highest);
}

function highestLimit(strengths: readonly number[]): number {
  let highest = 0;
  for (let at = 0; at + heldFrames <= strengths.length; at++) {
    const lasting = strengths.slice(at + 1, at + heldFrames).map((each) => each / STILL_HELD);
    highest = Math.max(highest, Math.min(strengths[at]!, ...lasting));
  }
  return highest;
}
