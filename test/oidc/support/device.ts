// The person's phone: it makes a passkey where it may, and signs with it where it is known. In software; what the
// service refuses of a device is tested with the settlement (test/challenge/closing/passkeys.test.ts).
import { createHash } from 'node:crypto';
import type { PasskeyAnswer, PasskeyAsk } from '../../../src/contract/device.ts';
import { SoftwarePasskey } from '../../support/authenticator.ts';
import { slicesOf } from '../../support/page-client.ts';

export class Phone {
  readonly #passkeys: SoftwarePasskey[] = [];
  readonly #backedUp: boolean;

  /** `backedUp`: whether its passkeys may be synchronised to its owner's other devices. */
  constructor({ backedUp = false }: { backedUp?: boolean } = {}) {
    this.#backedUp = backedUp;
  }

  /** Answers for a recording that was sent in one slice after its first byte. */
  answer(ask: PasskeyAsk, origin: string, recording: Uint8Array): PasskeyAnswer {
    const claims = {
      challenge: createHash('sha256').update(ask.challenge_id).update(headOf(recording)).digest(),
      origin,
      rpId: ask.rp_id,
      userVerified: true,
      signCount: 0,
      backedUp: this.#backedUp,
      algorithm: -7,
    };
    const own = this.#passkeys.find(({ credentialId }) => ask.known.some(({ id }) => id === credentialId));
    if (own) return { kind: 'signed', signed: own.sign(claims) };
    if (ask.new_user_id === null) return { kind: 'declined' };
    const made = new SoftwarePasskey();
    this.#passkeys.push(made);
    return { kind: 'made', made: made.make(claims) };
  }
}

/** Head of the chain of the recording's slices (contract/device.ts). */
function headOf(recording: Uint8Array): Buffer {
  return slicesOf(recording, 0, 1).reduce(
    (head, { announcement }) =>
      createHash('sha256').update(head).update(Buffer.from(announcement.sha256, 'hex')).digest(),
    Buffer.alloc(0),
  );
}
