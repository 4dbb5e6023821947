// Compares the probe with every reference, each by the recogniser pack that made it, so that old FeatureIDs stay
// usable.
import { Fault } from '../base/errors.ts';
import type { Models } from '../models/load.ts';
import { compareTemplates, type Reference, type ReferenceComparison } from './compare.ts';
import { embedPortraits } from './probe.ts';
import type { Portrait } from './quality/select.ts';
import { averageEmbeddings } from './recognition/embed.ts';
import { operatingPoint, templatePackId } from './recognition/operating-point.ts';
import type { FaceTemplate } from './recognition/template.ts';

/** The probe: its template by the pack for new templates, and the portraits it was made from. */
export interface ProbeFaces {
  readonly template: FaceTemplate;
  readonly portraits: readonly Portrait[];
}

/**
 * Results in the order of the references. A pack's networks run only if a reference needs them.
 * @throws Fault INVARIANT for a reference of a pack that is not loaded: the caller must have refused it before.
 */
export async function compareWithAll(
  models: Models,
  probe: ProbeFaces,
  references: readonly Reference[],
  targetFmr: number,
): Promise<ReferenceComparison[]> {
  const results = new Map<Reference, ReferenceComparison>();
  for (const recogniser of models.recognisers) {
    const packId = templatePackId(recogniser.pack);
    const those = references.filter(({ template }) => template.packId === packId);
    if (those.length === 0) continue;
    const template =
      packId === probe.template.packId
        ? probe.template
        : {
            ...probe.template,
            packId,
            embedding: averageEmbeddings(await embedPortraits(recogniser, probe.portraits)),
          };
    const at = operatingPoint(recogniser.pack, targetFmr);
    for (const reference of those) results.set(reference, compareTemplates(template, reference, at));
  }
  return references.map((reference) => {
    const result = results.get(reference);
    if (!result) throw new Fault('INVARIANT', `no recogniser pack ${reference.template.packId} is loaded`);
    return result;
  });
}
