// A running service's secrets, opened with its keys, which must appear in no table, no log and no file but their own.
import { createLogger } from '../../src/base/log.ts';
import { openFoundation } from '../../src/composition/foundation.ts';
import { composeServices } from '../../src/composition/services.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { parseFeatid } from '../../src/featid/featid-text.ts';
import { packTemplate, restoreTemplate } from '../../src/featid/template.ts';
import type { RunningService } from './running-service.ts';
import { dumpDatabase, type Secrets } from './secret-search.ts';

/** Even half a needle of this many bytes would be found by chance only once in 2^128 places. */
const NEEDLE_BYTES = 32;

/** The secrets behind a FeatureID, and a dump of the database that holds it. */
export async function secretsBehind(
  service: Pick<RunningService, 'dataDir' | 'credentials'>,
  featid: string,
): Promise<{ secrets: Secrets; dump: string }> {
  const config = readConfig({ DATA_DIR: service.dataDir });
  const foundation = await openFoundation(config, createLogger({ level: 'silent', process: 'test' }));
  const services = composeServices(foundation);
  try {
    const { database, keys, masterKeys } = foundation;
    const { id, key } = parseFeatid(featid)!;
    const row = await database.db
      .selectFrom('featid as f')
      .innerJoin('account as a', 'a.id', 'f.account_id')
      .select(['f.account_id', 'a.wrapped_key', 'a.master_key_id'])
      .where('f.id', '=', id)
      .executeTakeFirstOrThrow();
    const [opened] = await services.featids.openAll(row.account_id, [featid]);
    if (!opened?.ok) throw new Error(`the FeatureID does not open: ${opened?.code}`);
    const template = restoreTemplate(opened.template);
    const packed = packTemplate(template);
    const { embedding } = template;
    const floats = new Uint8Array(embedding.buffer, embedding.byteOffset, NEEDLE_BYTES);
    const wrapped = { wrapped: row.wrapped_key, masterKeyId: row.master_key_id };
    const secrets = {
      FeatureID: featid,
      'key in the FeatureID, as text': featid.slice(28, 71),
      'key in the FeatureID': key,
      'account key': await masterKeys.unwrap(row.account_id, wrapped),
      'account half of the template key': await keys.deriveKey(row.account_id, 'featid-template'),
      'API key': service.credentials.api_key,
      'webhook secret': service.credentials.webhook_secret,
      'packed embedding': packed.subarray(4, 4 + NEEDLE_BYTES),
      'packed regions': packed.subarray(-NEEDLE_BYTES),
      'embedding as numbers': floats,
    };
    return { secrets, dump: await dumpDatabase(database.connectionString) };
  } finally {
    await services.close();
    await foundation.close();
  }
}
