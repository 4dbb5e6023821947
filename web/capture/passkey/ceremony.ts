// Asks the device by WebAuthn. Loaded only where a passkey is asked for: with the library it is a file of its own.
import { decodeCBOR } from '@levischuck/tiny-cbor';
import {
  base64URLStringToBuffer,
  bufferToBase64URLString,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import type { PasskeyAnswer, PasskeyAsk } from '../../../src/contract/device.ts';
import { disown } from './disown.ts';
import { makingOptions, signingOptions } from './options.ts';
import { type DeviceWay, UNATTESTED_ERROR } from './support.ts';

/**
 * Asks the device, and resolves to what it says without what the service does not use.
 * @throws an Error with WebAuthn's own name, such as NotAllowedError, or UNATTESTED_ERROR
 */
export function askDevice(way: DeviceWay, ask: PasskeyAsk, challenge: Uint8Array): Promise<PasskeyAnswer> {
  const text = bufferToBase64URLString(challenge.slice().buffer);
  return way === 'sign' ? sign(ask, text) : make(ask, text);
}

/** Closes the browser's dialog, if it is open. */
export const stopAsking = (): void => WebAuthnAbortService.cancelCeremony();

async function sign(ask: PasskeyAsk, challenge: string): Promise<PasskeyAnswer> {
  const { id, rawId, type, response } = await startAuthentication({
    optionsJSON: signingOptions(ask, challenge),
  });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    kind: 'signed',
    signed: {
      id,
      rawId,
      type,
      response: { clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) },
    },
  };
}

async function make(ask: PasskeyAsk, challenge: string): Promise<PasskeyAnswer> {
  // The server writes it into the page.
  const attestation = document.documentElement.dataset.attestation === 'direct' ? 'direct' : 'none';
  const { id, rawId, type, response } = await startRegistration({
    optionsJSON: makingOptions(ask, ask.new_user_id ?? '', challenge, attestation),
  });
  const { clientDataJSON, attestationObject, transports } = response;
  if (attestation === 'direct' && isUnattested(attestationObject)) {
    disown({ rpId: ask.rp_id, credentialId: id });
    throw Object.assign(new Error('the device does not say who made it'), { name: UNATTESTED_ERROR });
  }
  return {
    kind: 'made',
    made: {
      id,
      rawId,
      type,
      response: { clientDataJSON, attestationObject, ...(transports && { transports }) },
    },
  };
}

/** Whether a device does not say who made it (WebAuthn 8.7). The service has the last word. */
function isUnattested(attestationObject: string): boolean {
  const decoded = decodeCBOR(base64URLStringToBuffer(attestationObject));
  return decoded instanceof Map && decoded.get('fmt') === 'none';
}
