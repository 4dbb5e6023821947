// The device beside the face: a passkey that signs the recording (WebAuthn Level 3), what the client asks for it, and
// what the result says.
import { type Static, Type } from 'typebox';
import { closed, NullableTimestamp } from './field-types.ts';

/** Whether the person's device is to sign the recording. */
export const DEVICE_BINDINGS = ['off', 'offer', 'require'] as const;
export type DeviceBinding = (typeof DEVICE_BINDINGS)[number];

const DEVICE_STATUSES = ['bound', 'new', 'none', 'failed', 'unavailable'] as const;

/** `device_result` of a judged challenge. */
export const DeviceResult = Type.Object({
  status: Type.Enum([...DEVICE_STATUSES], {
    description:
      '`bound`: a passkey of the FeatureID signed this recording; in an enrolment, one was made for it. `new`: the face matches a FeatureID, and none of the passkeys that it had signed: the person declined, the device is another one, or it was added now. `none`: there was nothing to sign for, or the person declined to make a passkey. `failed`: an answer did not hold, or a passkey could not be added. `unavailable`: the browser has no passkeys.',
  }),
  backed_up: Type.Unsafe<boolean | null>({
    type: ['boolean', 'null'],
    description:
      'Whether the passkey may be synchronised to other devices of its owner, as the device says; null without one.',
  }),
  credential_since: NullableTimestamp,
});
export type DeviceResult = Readonly<Static<typeof DeviceResult>>;

/** Most passkeys of one FeatureID. */
export const MAX_DEVICES = 5;

const Base64Url = (maxLength: number, description?: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength, ...(description && { description }) });

/** A passkey that may sign. */
export const KnownPasskey = Type.Object({ id: Base64Url(1_400), transports: Type.Array(Type.String()) });
export type KnownPasskey = Static<typeof KnownPasskey>;

/**
 * What the page asks the device for, of a capture that waits for it. The WebAuthn challenge is not among it: it is
 * SHA-256(UTF-8 of the challenge's id ‖ head), where `head` is that of the chain of the recording's slices: SHA-256(head
 * before it ‖ SHA-256 of the slice), for the first slice without a head before it.
 */
export const PasskeyAsk = Type.Object({
  challenge_id: Type.String(),
  rp_id: Type.String(),
  rp_name: Type.String(),
  required: Type.Boolean({ description: 'Whether the check fails without.' }),
  known: Type.Array(KnownPasskey, {
    description: 'One of these is to sign; empty if there is none, or none any more.',
  }),
  new_user_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'User handle of a passkey that may be made here, random; null if none may.',
  }),
});
export type PasskeyAsk = Static<typeof PasskeyAsk>;

export const NullablePasskeyAsk = Type.Unsafe<PasskeyAsk | null>({
  anyOf: [PasskeyAsk, { type: 'null' }],
  description: 'What the device is still to answer after the recording; null if nothing.',
});

const Transports = Type.Array(Type.String({ maxLength: 32 }), { maxItems: 8 });
const CredentialOf = <Response extends ReturnType<typeof Type.Object>>(response: Response) =>
  Type.Object(
    {
      id: Base64Url(1_400),
      rawId: Base64Url(1_400),
      type: Type.Literal('public-key'),
      response,
    },
    closed,
  );

/** A new passkey's credential (RegistrationResponseJSON), without what the service does not use. */
export const MadePasskey = CredentialOf(
  Type.Object(
    {
      clientDataJSON: Base64Url(4_000),
      attestationObject: Base64Url(16_000),
      transports: Type.Optional(Transports),
    },
    closed,
  ),
);
export type MadePasskey = Static<typeof MadePasskey>;

/** A signature (AuthenticationResponseJSON), without what the service does not use. */
export const PasskeySignature = CredentialOf(
  Type.Object(
    {
      clientDataJSON: Base64Url(4_000),
      authenticatorData: Base64Url(4_000),
      signature: Base64Url(8_000),
      userHandle: Type.Optional(Base64Url(100)),
    },
    closed,
  ),
);
export type PasskeySignature = Static<typeof PasskeySignature>;

/** Body of POST /c/:token/captures/:id/passkey: the first answer counts. */
export const PasskeyAnswer = Type.Object(
  {
    kind: Type.Enum(['made', 'signed', 'declined', 'unavailable']),
    made: Type.Optional(MadePasskey),
    signed: Type.Optional(PasskeySignature),
  },
  closed,
);
export type PasskeyAnswer = Static<typeof PasskeyAnswer>;

/** A FeatureID's device, as POST /v1/featids/devices lists it. */
export const Device = Type.Object(
  {
    device_id: Type.String(),
    since: Type.String({ format: 'date-time' }),
    backed_up: Type.Boolean(),
    transports: Type.Array(Type.String(), {
      description: 'How the device is reached, as it said itself: `internal` for the device that is used.',
    }),
  },
  { $id: 'Device' },
);
export type Device = Static<typeof Device>;
