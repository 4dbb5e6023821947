// Identifies the code and networks that a row belongs to: a figure for one judgement says nothing about another's.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..', '..');

/**
 * Everything that decides how a presentation ends: the judgement, the challenge's rules, the networks, the filming code,
 * and the page and the phone that answer for an attacker.
 */
const INPUTS: readonly string[] = [
  'src/evaluation',
  'src/contract',
  'src/challenge',
  'src/featid',
  'src/jobs',
  'src/models',
  'src/passkeys',
  'build/models/manifest.json',
  'bench/attacks',
  'bench/inject/species',
  'bench/inject/page',
  'bench/inject/client.ts',
  'bench/inject/in-time.ts',
  'bench/inject/run.ts',
  'bench/inject/webm.ts',
  'test/support/authenticator.ts',
  'test/support/page-client.ts',
  'test/support/phone.ts',
  'package-lock.json',
];

/**
 * A hash of these inputs, twelve hexadecimal digits. What is published also carries the hash of the judgement alone
 * (src/lab/judgement-hash.ts), which a deployment without benches can compute.
 */
export function versionOf(root = ROOT, inputs = INPUTS): string {
  const hash = createHash('sha256');
  for (const input of inputs) add(hash, root, input);
  return hash.digest('hex').slice(0, 12);
}

function add(hash: ReturnType<typeof createHash>, root: string, path: string): void {
  const full = join(root, path);
  if (statSync(full).isDirectory())
    for (const name of readdirSync(full).sort()) add(hash, root, join(path, name));
  else hash.update(path).update('\0').update(readFileSync(full));
}
