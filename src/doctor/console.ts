// The doctor's check of the operator's console: its address, and how access to it is protected.
import type { Config } from '../config/config.ts';
import { createOpenidStore } from '../console/tables/openid-store.ts';
import type { OpenDatabase } from '../storage/open-database.ts';
import type { Finding } from './check.ts';

/** Warns of weak protection, because anyone who gets into the console sees every account's results and videos. */
export async function checkConsole(
  config: Config,
  database: Pick<OpenDatabase, 'db'> | undefined,
): Promise<Finding> {
  const password = config.CONSOLE_PASSWORD !== undefined;
  if (!(password || database))
    return { status: 'notEvaluated', detail: 'no password; no database to ask for OpenID Connect' };
  const openid = database ? (await createOpenidStore(database.db).read()) !== null : false;
  if (!(password || openid)) return { status: 'ok', detail: 'off: no password, no OpenID Connect' };
  const place =
    config.CONSOLE_PORT === 0
      ? `at ${config.baseUrl}/console`
      : `at ${config.OPERATOR_HOST}:${config.CONSOLE_PORT}`;
  const factor = config.CONSOLE_TOTP_SECRET ? 'with a second factor' : 'with a password only';
  const detail = [place, ...(openid ? ['by OpenID Connect'] : []), ...(password ? [factor] : [])].join(', ');
  if (!password || config.CONSOLE_TOTP_SECRET || config.MODE === 'development')
    return { status: 'ok', detail };
  const mend = 'make a second factor with likeness console new-totp-secret, and set CONSOLE_PORT';
  return { status: 'warning', detail, mend };
}
