// What is sealed of a challenge: its details, its recordings, its notifications and what answered them.
import type { ChallengePlace } from '../../src/challenge/challenge.ts';
import * as seals from '../../src/challenge/seals.ts';
import type { Custody, ErasableKey } from '../../src/keys/account-keys.ts';
import { newErasureKey } from '../../src/keys/erasure-key.ts';
import { attemptRecord, openExcerpt } from '../../src/webhook/deliver.ts';
import { newDelivery, openEndpoint } from '../../src/webhook/endpoint.ts';
import type { Rig } from '../challenge/challenge-rig.ts';
import type { Row, Rows } from './sealed.ts';

const CHALLENGE = 'chal_one';
const CAPTURE = 'cap_one';
/** Any value that survives JSON: the types of what is sealed do not matter here. */
const JSON_VALUE = { some: 'json' } as never;
const HOOK = { type: 'https', properties: { endpoint_url: 'https://a.example/hook?token=secret' } } as const;
const ANSWERED = {
  at: new Date(),
  durationMs: 1,
  outcome: 'http_status',
  responseStatus: 500,
  retryAfterMs: null,
  excerpt: 'no such person',
  answered: false,
} as const;

const placeIn = ({ caller }: Rig): ChallengePlace => ({
  id: CHALLENGE,
  accountId: caller.accountId,
  detailsKey: newErasureKey(),
  videoKey: newErasureKey(),
});

function row(
  place: string,
  seal: (custody: Custody, at: ChallengePlace) => Promise<Buffer>,
  open: (custody: Custody, at: ChallengePlace, sealed: Uint8Array) => Promise<unknown>,
  holderOf: (at: ChallengePlace) => ErasableKey = seals.detailsOf,
): Row {
  return {
    seal: async (rig) => {
      const { custody } = rig.parts;
      const at = placeIn(rig);
      return {
        bytes: await seal(custody, at),
        holder: holderOf(at),
        place,
        open: (bytes) => open(custody, at, bytes),
      };
    },
  };
}

export const CHALLENGE_ROWS: Rows = {
  'challenge-request': row(
    CHALLENGE,
    (custody, at) => seals.sealRequest(custody, at, JSON_VALUE),
    (custody, at, sealedRequest) => seals.openRequest(custody, { ...at, sealedRequest }),
  ),
  'challenge-result': row(
    CHALLENGE,
    (custody, at) => seals.sealResult(custody, at, JSON_VALUE),
    seals.openResult,
  ),
  'challenge-consent': row(
    CHALLENGE,
    (custody, at) => seals.sealConsent(custody, at, JSON_VALUE),
    seals.openConsent,
  ),
  'challenge-passkey': row(
    CHALLENGE,
    (custody, at) => seals.sealMadePasskey(custody, at, JSON_VALUE),
    (custody, at, sealedMadePasskey) => seals.openMadePasskey(custody, { ...at, sealedMadePasskey }),
  ),
  'capture-hints': row(
    CAPTURE,
    (custody, at) => seals.sealHints(custody, at, CAPTURE, JSON_VALUE),
    (custody, at, sealedHints) => seals.openHints(custody, at, { id: CAPTURE, sealedHints }),
  ),
  'capture-passkey': row(
    CAPTURE,
    (custody, at) => seals.sealPasskeyAnswer(custody, at, CAPTURE, JSON_VALUE),
    (custody, at, sealedPasskeyAnswer) =>
      seals.openPasskeyAnswer(custody, at, { id: CAPTURE, sealedPasskeyAnswer }),
  ),
  'capture-try': row(
    CAPTURE,
    (custody, at) => seals.sealTry(custody, at, CAPTURE, JSON_VALUE),
    (custody, at, sealedTry) => seals.openTry(custody, at, { id: CAPTURE, sealedTry }),
  ),
  'capture-chunk': row(
    `${CAPTURE}\n4096`,
    (custody, at) => seals.sealChunk(custody, at, CAPTURE, 4096, Buffer.from('some bytes')),
    (custody, at, sealed) => seals.openChunk(custody, at, CAPTURE, 4096, sealed),
    seals.recordingsOf,
  ),
  'asset-key': {
    seal: async (rig) => {
      const { assets } = rig.parts;
      const holder = seals.recordingsOf(placeIn(rig));
      const [assetId, bytes] = ['asset_tampered', Buffer.from('a recording')];
      const { sealedKey } = await assets.put({ holder, assetId, bytes });
      const open = (altered: Uint8Array) =>
        assets.get({ holder, assetId, sealedKey: altered, sizeBytes: bytes.length });
      return { bytes: sealedKey, holder, place: assetId, open };
    },
  },
  'delivery-endpoint': {
    seal: async (rig) => {
      const { custody } = rig.parts;
      const holder = seals.detailsOf(placeIn(rig));
      const of = { holder, challengeId: CHALLENGE, event: 'complete', endpointIndex: 0 } as const;
      const { id, sealedEndpoint } = await newDelivery(custody, { ...of, configuration: HOOK });
      const open = (bytes: Uint8Array) =>
        openEndpoint(custody, { id, holder, sealedEndpoint: Buffer.from(bytes) });
      return { bytes: sealedEndpoint, holder, place: id, open };
    },
  },
  'delivery-excerpt': {
    seal: async (rig) => {
      const { custody } = rig.parts;
      const delivery = { id: 'dlv_one', holder: seals.detailsOf(placeIn(rig)) };
      const { sealedExcerpt } = await attemptRecord(custody, delivery, ANSWERED);
      const open = (bytes: Uint8Array) => openExcerpt(custody, delivery, Buffer.from(bytes));
      return { bytes: sealedExcerpt!, holder: delivery.holder, place: delivery.id, open };
    },
  },
};
