// Reads the public keys that signatures are verified with: from a file, or from a service.
import { readFile } from 'node:fs/promises';
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { UsageError } from './usage-error.ts';

const JWKS_TIMEOUT_MS = 10_000;
const MAX_KEYS_BYTES = 1_000_000;

/** @throws UsageError if there are no keys at that place: a file or an address */
export async function readKeys(place: string): Promise<JSONWebKeySet> {
  const text = /^https?:\/\//.test(place) ? await fetchKeys(place) : await readFile(place, 'utf8');
  try {
    const keys = JSON.parse(text) as JSONWebKeySet;
    // Throws if this is not a key set.
    createLocalJWKSet(keys);
    return keys;
  } catch (cause) {
    throw new UsageError(`${place} is not a JSON Web Key Set`, { cause });
  }
}

/** The operator chose the address, so the guarded fetch is not used. */
async function fetchKeys(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(JWKS_TIMEOUT_MS) });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    const text = await answer.text();
    if (text.length > MAX_KEYS_BYTES) throw new Error('too large');
    return text;
  } catch (cause) {
    throw new UsageError(`no keys from ${url}: ${(cause as Error).message}`, { cause });
  }
}
