// The doctor's check of the operator's console: its address, and how access to it is protected.
import type { Config } from '../config/config.ts';
import type { Finding } from './check.ts';

/** Warns of weak protection, because anyone who gets into the console sees every account's results and videos. */
export function checkConsole(config: Config): Finding {
  if (!config.CONSOLE_PASSWORD) return { status: 'ok', detail: 'no password' };
  const isPublic = config.CONSOLE_PORT === 0;
  const place = isPublic
    ? `at ${config.baseUrl}/console`
    : `at ${config.OPERATOR_HOST}:${config.CONSOLE_PORT}`;
  const factor = config.CONSOLE_TOTP_SECRET ? 'with a second factor' : 'with a password only';
  const detail = `${place}, ${factor}`;
  if (config.CONSOLE_TOTP_SECRET || config.MODE === 'development') return { status: 'ok', detail };
  const mend = 'make a second factor with likeness console new-totp-secret, and set CONSOLE_PORT';
  return { status: 'warning', detail, mend };
}
