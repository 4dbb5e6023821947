// The person's phone: it makes a passkey where it may, and signs with it where it is known. In software; what the
// service refuses of a device is tested with the settlement (test/challenge/closing/passkeys.test.ts).
import { createHash } from 'node:crypto';
import type { PasskeyAnswer, PasskeyAsk } from '../../src/contract/device.ts';
import { type Claims, SoftwarePasskey } from './authenticator.ts';
import { slicesOf } from './page-client.ts';

type Slices = ReturnType<typeof slicesOf>;

/** What a device is to sign. */
export interface Recorded {
  /** Of the page. */
  readonly origin: string;
  readonly slices: Slices;
}

/** A recording that was sent in one slice after its first byte. */
export const inOneSlice = (origin: string, recording: Uint8Array): Recorded => ({
  origin,
  slices: slicesOf(recording, 0, 1),
});

export class Phone {
  readonly #passkeys: SoftwarePasskey[] = [];
  readonly #backedUp: boolean;

  /** `backedUp`: whether its passkeys may be synchronised to its owner's other devices. */
  constructor({ backedUp = false }: { backedUp?: boolean } = {}) {
    this.#backedUp = backedUp;
  }

  answer(ask: PasskeyAsk, recorded: Recorded): PasskeyAnswer {
    const claims = { ...claimsFor(ask, recorded), backedUp: this.#backedUp };
    const own = this.#passkeys.find(({ credentialId }) => ask.known.some(({ id }) => id === credentialId));
    if (own) return { kind: 'signed', signed: own.sign(claims) };
    if (ask.new_user_id === null) return { kind: 'declined' };
    const made = new SoftwarePasskey();
    this.#passkeys.push(made);
    return { kind: 'made', made: made.make(claims) };
  }
}

/** What an honest device claims. */
export function claimsFor(ask: PasskeyAsk, { origin, slices }: Recorded): Claims {
  return {
    challenge: createHash('sha256').update(ask.challenge_id).update(headOf(slices)).digest(),
    origin,
    rpId: ask.rp_id,
    userVerified: true,
    signCount: 0,
    backedUp: false,
    algorithm: -7,
  };
}

/** Head of the chain of the recording's slices (contract/device.ts). */
function headOf(slices: Slices): Buffer {
  return slices.reduce(
    (head, { announcement }) =>
      createHash('sha256').update(head).update(Buffer.from(announcement.sha256, 'hex')).digest(),
    Buffer.alloc(0),
  );
}
