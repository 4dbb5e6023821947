// Master keys as operators write them: one or more, in base64, each with an optional name.
import { Fault } from '../base/errors.ts';
import { KEY_BYTES, type NamedMasterKey } from './master-key-ring.ts';

const ENTRY = /^(?:([a-z0-9][a-z0-9._-]{0,31}):)?([A-Za-z0-9+/_-]{43}=?)$/;

/**
 * Parses `[name:]key` entries, separated by commas or one per line; a `#` begins a comment. Each key is 32 bytes in
 * base64 or base64url. The first one is current.
 * @throws Fault CONFIG_INVALID, naming `source` but never repeating the text itself
 */
export function parseMasterKeys(text: string, source: string): NamedMasterKey[] {
  const entries = text
    .replace(/#.*$/gm, '')
    .split(/[\s,]+/)
    .filter(Boolean);
  const keys = entries.map((entry) => parseEntry(entry, source));
  if (keys.length === 0) throw new Fault('CONFIG_INVALID', `${source} contains no master key`);
  return keys;
}

function parseEntry(entry: string, source: string): NamedMasterKey {
  const [, name, encoded] = ENTRY.exec(entry) ?? [];
  const key = Buffer.from(encoded ?? '', 'base64');
  if (key.length !== KEY_BYTES) {
    const form =
      'must be 32 bytes in base64 (openssl rand -base64 32), optionally with a name, as in 2026-11:KEY';
    throw new Fault('CONFIG_INVALID', `${source}: each key ${form}`);
  }
  return name === undefined ? { key } : { name, key };
}
