/**
 * Whether a signature comes after another one of its passkey: otherwise it was replayed, or the key was copied (WebAuthn
 * 6.1.1). Devices that do not count always say 0.
 */
export const hasRisen = (before: number, after: number): boolean =>
  after > before || (before === 0 && after === 0);
