// Chromium's own virtual authenticator, in place of a device with a fingerprint reader.
import type { CDPSession, Page } from 'playwright-core';

/** A platform authenticator that recognises the person, or does not. */
export interface Authenticator {
  recognises(person: boolean): Promise<unknown>;
  /** Ids of the passkeys that it holds. */
  held(): Promise<string[]>;
  /** The domains (RP IDs) to which these belong. */
  domains(): Promise<(string | undefined)[]>;
}

/** What differs from the authenticator of a phone. */
export interface Kind {
  /** `cable`: a phone that scanned the browser's code, which WebAuthn calls `hybrid`. */
  readonly transport?: 'usb' | 'cable';
  readonly hasResidentKey?: boolean;
  readonly defaultBackupEligibility?: boolean;
  readonly defaultBackupState?: boolean;
}

/** Gives a tab's browser an authenticator. */
export async function plugIn(page: Page, kind: Kind = {}): Promise<Authenticator> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...kind,
    },
  });
  const credentials = async () =>
    (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  return {
    recognises: (isUserVerified) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    held: async () => (await credentials()).map(({ credentialId }) => credentialId),
    domains: async () => (await credentials()).map(({ rpId }) => rpId),
  };
}
