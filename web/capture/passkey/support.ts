// Whether this browser, in this window, can ask the device at all.

/** What the device may be asked for: to sign with a passkey that it has, or to make one. */
export type DeviceWay = 'sign' | 'make';

/** Name of the error of a device that does not say who made it, where the operator wants to know. */
export const UNATTESTED_ERROR = 'UnattestedError';

/** Which of both this page may ask for. */
export type PasskeySupport = Readonly<Record<DeviceWay, boolean>>;

/** Permissions Policy, as far as a page can read its own; only Chromium shows it. */
interface Policed {
  readonly featurePolicy?: { allowsFeature(name: string): boolean };
}

/**
 * What this page may ask for. A frame without permission is told here where the browser tells: its refusal looks like
 * that of a person.
 */
export function passkeySupport(window: Window & { PublicKeyCredential?: unknown }): PasskeySupport {
  const { featurePolicy } = window.document as Policed;
  const allows = (what: 'get' | 'create') =>
    window.PublicKeyCredential !== undefined &&
    featurePolicy?.allowsFeature(`publickey-credentials-${what}`) !== false;
  return { sign: allows('get'), make: allows('create') };
}
