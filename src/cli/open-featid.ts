// Opens a FeatureID that was given on the command line instead of a file, from this deployment's database.

import { withServices } from '../composition/with-services.ts';
import { parseFeatid } from '../featid/featid-text.ts';
import { restoreTemplate } from '../featid/template.ts';
import type { OpenFeatid } from './judging.ts';

/** Opens a FeatureID of any account, because the operator's shell is not limited to one. */
export const openFeatidFromDatabase: OpenFeatid = (text) =>
  withServices(async ({ featids }, { database }) => {
    const id = parseFeatid(text)?.id ?? '';
    const row = await database.db
      .selectFrom('featid')
      .select('account_id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) return { status: 'refused', reason: 'featid_unknown' };
    const [opened] = await featids.openAll(row.account_id, [text]);
    if (opened?.ok) return { status: 'opened', template: restoreTemplate(opened.template) };
    return { status: 'refused', reason: opened?.code ?? 'featid_unknown' };
  });
