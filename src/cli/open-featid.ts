// A FeatureID given on the command line instead of a file: opened from this deployment's database.
import { composeServices } from '../composition/services.ts';
import { renewedReference } from '../evaluation/recognition/renewal.ts';
import { parseFeatid } from '../featid/featid-text.ts';
import { type FaceTemplate, type QuantisedTemplate, restoreTemplate } from '../featid/template.ts';
import type { OpenFeatid } from './judging.ts';
import { withFoundation } from './with-foundation.ts';

/** Opens a FeatureID of any account: the operator's shell is above accounts. */
export const openFeatidFromDatabase: OpenFeatid = (text) =>
  withFoundation(async (foundation) => {
    const id = parseFeatid(text)?.id ?? '';
    const row = await foundation.database.db
      .selectFrom('featid')
      .select('account_id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) return { status: 'refused', reason: 'featid_unknown' };
    const services = composeServices(foundation);
    try {
      const [opened] = await services.featids.openAll(row.account_id, [text]);
      if (opened?.ok) return { status: 'opened', template: wholeTemplate(opened.template) };
      return { status: 'refused', reason: opened?.code ?? 'featid_unknown' };
    } finally {
      await services.close();
    }
  });

/** The template as it compares, with what has renewed it. */
function wholeTemplate(opened: QuantisedTemplate): FaceTemplate {
  const restored = restoreTemplate(opened);
  const { embedding, frames } = renewedReference({ ...restored, renewals: opened.renewals ?? [] });
  return { ...restored, embedding: Float32Array.from(embedding), frames };
}
