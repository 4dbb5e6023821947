// Receipts as the service signs them, and alterations of them.
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { CompactSign, exportJWK, type JSONWebKeySet } from 'jose';
import { RECEIPT_TYPE, type Receipt, type ReceiptFacts } from '../../src/contract/receipt.ts';

const HASH = 'ab'.repeat(32);

export const SOME_RECEIPT: Receipt = {
  iss: 'https://likeness.test',
  iat: 1_790_000_000,
  format: 1,
  challenge_id: 'ch_1',
  overall_result: 'fail',
  liveness_level: 'standard',
  liveness_featid_sha256: null,
  compared: [{ featid_sha256: HASH, source: 'image', score: 0.3, result: 'fail' }],
  device_result: { status: 'bound', backed_up: true, credential_since: '2026-01-31T09:30:00.123Z' },
  video: { sha256: HASH, size_bytes: 1_234_567 },
  inputs: {
    script: { steps: [{ prompt: 'neutral', from_ms: 0, to_ms: 900 }] },
    elapsed_ms: 8123,
    seen_before: null,
    just_in_time: false,
    announcements: [{ end_byte: 1_234_567, announced_ms: 8100 }],
    handed_out_ms: [0],
  },
  values: {
    liveness: { face: true, smile: false, spoof_result: true, overall: false },
    reasons: ['smile_missing'],
    retry: 'smile_missing',
    cues: [{ cue: 'sharpness', status: 'passed', value: 12.345678901234567, threshold: 4, reason: null }],
  },
  engine: {
    version: '0.1.0',
    models: [{ id: 'face-mesh', sha256: HASH }],
    recognisers: [],
    pad: null,
    target_fmr: 1e-4,
    runtime: { node: '22' },
  },
};

const { cues: _, ...valuesBesideCues } = SOME_RECEIPT.values;
/** What a judgement hands over for that receipt. */
export const SOME_FACTS: ReceiptFacts = {
  video: SOME_RECEIPT.video,
  inputs: SOME_RECEIPT.inputs,
  engine: SOME_RECEIPT.engine,
  values: valuesBesideCues,
};

export interface Signer {
  readonly keys: JSONWebKeySet;
  sign(payload: object, header?: object): Promise<string>;
}

/** A key pair as a deployment has it. */
export async function createSigner(kid = 'rck_1'): Promise<Signer> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    keys: { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'EdDSA', use: 'sig' }] },
    sign: (payload, header = {}) =>
      new CompactSign(Buffer.from(JSON.stringify(payload)))
        .setProtectedHeader({ alg: 'EdDSA', typ: RECEIPT_TYPE, kid, ...header })
        .sign(privateKey),
  };
}

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \n\u0000é';

/** Characters replaced, added, dropped and swapped, bits flipped, text cut, parts exchanged: one to four such steps. */
export const alterations = fc.array(
  fc.tuple(fc.constantFrom('set', 'drop', 'add', 'swap', 'bit', 'cut', 'parts', 'last'), fc.nat(), fc.nat()),
  { minLength: 1, maxLength: 4 },
);

export function alter(text: string, steps: readonly (readonly [string, number, number])[]): string {
  let changed = text;
  for (const [kind, place, what] of steps) {
    const at = place % (changed.length || 1);
    const sign = SIGNS[what % SIGNS.length]!;
    const [before, here, after] = [changed.slice(0, at), changed[at] ?? '', changed.slice(at + 1)];
    if (kind === 'set') changed = before + sign + after;
    if (kind === 'drop') changed = before + after;
    if (kind === 'add') changed = before + sign + here + after;
    if (kind === 'swap') changed = before + after.slice(0, 1) + here + after.slice(1);
    if (kind === 'cut') changed = before;
    if (kind === 'bit') changed = turnBit(changed, place, what);
    if (kind === 'parts')
      changed = changed
        .split('.')
        .toSpliced(place % 3, 1, changed.split('.')[what % 3] ?? '')
        .join('.');
    // The bits that base64url leaves unused at the end of a part.
    if (kind === 'last') changed = changed.slice(0, -1) + sign;
  }
  return changed;
}

/** Flips one bit of the bytes that a part encodes. */
function turnBit(text: string, place: number, bit: number): string {
  const parts = text.split('.');
  const bytes = Buffer.from(parts[place % parts.length]!, 'base64url');
  if (bytes.length === 0) return text;
  bytes[(place >> 2) % bytes.length]! ^= 1 << (bit % 8);
  return parts.toSpliced(place % parts.length, 1, bytes.toString('base64url')).join('.');
}

/** Tries `runs` alterations of the receipt; returns how many really changed it. */
export async function tryAlterations(
  open: (text: string) => Promise<{ status: string }>,
  text: string,
  runs: number,
): Promise<number> {
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(alterations, async (steps) => {
      // The command trims the file that it reads.
      const changed = alter(text, steps).trim();
      if (changed === text) return;
      tried++;
      if ((await open(changed)).status !== 'refused') throw new Error(`accepted: ${changed}`);
    }),
    { numRuns: runs },
  );
  return tried;
}
