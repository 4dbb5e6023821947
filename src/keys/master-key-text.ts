// Master keys as operators write them: a list in base64.
import { Fault } from '../base/errors.ts';
import { KEY_BYTES } from './master-key-ring.ts';

const KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Parses keys separated by commas or one per line; a `#` begins a comment. Each is 32 bytes in base64 or base64url. The
 * first one is current.
 * @throws Fault CONFIG_INVALID, naming `source` but never repeating the text itself
 */
export function parseMasterKeys(text: string, source: string): Buffer[] {
  const entries = text
    .replace(/#.*$/gm, '')
    .split(/[\s,]+/)
    .filter(Boolean);
  if (entries.length === 0) throw new Fault('CONFIG_INVALID', `${source} contains no master key`);
  const keys = entries.map((entry) => Buffer.from(KEY.test(entry) ? entry : '', 'base64'));
  if (keys.some(({ length }) => length !== KEY_BYTES)) {
    const form = `must be ${KEY_BYTES} bytes in base64 (openssl rand -base64 ${KEY_BYTES})`;
    throw new Fault('CONFIG_INVALID', `${source}: each key ${form}`);
  }
  return keys;
}
