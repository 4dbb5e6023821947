// What the device signs: these bytes of this recording, for this challenge.
import type { SliceAnnouncement } from '../../../src/contract/capture-page.ts';

type Hashed = Pick<SliceAnnouncement, 'sha256'>;

/** The WebAuthn challenge of a recording, as the contract defines it (`PasskeyAsk` in src/contract/device.ts). */
export async function passkeyChallenge(challengeId: string, slices: readonly Hashed[]): Promise<Uint8Array> {
  const id = new TextEncoder().encode(challengeId);
  return sha256(joined(id, await headOf(slices)));
}

async function headOf(slices: readonly Hashed[]): Promise<Uint8Array<ArrayBuffer>> {
  let head = new Uint8Array();
  for (const slice of slices) head = await sha256(joined(head, bytesOf(slice.sha256)));
  return head;
}

async function sha256(bytes: BufferSource): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
