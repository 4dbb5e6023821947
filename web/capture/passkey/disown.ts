// Tells the device that a passkey which it made here leads nowhere.

/** A passkey that was made for a challenge. */
export interface MadeKey {
  readonly rpId: string;
  readonly credentialId: string;
}

interface Signalling {
  signalUnknownCredential?(key: MadeKey): Promise<void>;
}

/** Has the device no longer offer the passkey, where the browser can (WebAuthn Level 3, signal methods). */
export function disown({ rpId, credentialId }: MadeKey): void {
  const { PublicKeyCredential: passkeys } = globalThis as { PublicKeyCredential?: Signalling };
  // Nothing depends on it: a passkey that stays behind opens nothing.
  passkeys?.signalUnknownCredential?.({ rpId, credentialId }).catch(() => undefined);
}
