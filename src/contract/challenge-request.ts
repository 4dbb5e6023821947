// Body and response of POST /v1/create-challenge. docs/interface.md explains the rules.
import { type Static, Type } from 'typebox';
import { ACCESSIBLE_WAY_POLICIES, type AccessibleWayPolicy } from './accessible-way.ts';
import { DEVICE_BINDINGS, type DeviceBinding } from './device.ts';
import { closed, OptionalOrNull } from './field-types.ts';
import { LIVENESS_LEVELS, type LivenessLevel } from './liveness-level.ts';
import { NOTIFICATION_EVENTS, type NotificationEvent } from './states.ts';

const Url = (description: string) => Type.String({ minLength: 1, maxLength: 2048, description });
const HexColour = (description: string) =>
  Type.String({ pattern: '^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$', description, examples: ['#0a66c2'] });

export const DEFAULT_EXPIRES_IN_SECONDS = 900;
/** A week. */
export const MAX_EXPIRES_IN_SECONDS = 604_800;
export const MAX_COMPARED_FEATIDS = 100;
export const MAX_NOTIFICATIONS = 10;

export const OAuthAuthentication = Type.Object(
  {
    type: Type.Enum(['oauth']),
    properties: Type.Object(
      {
        oauth_endpoint_url: Url(
          'Token endpoint of the OAuth server; https in production. No private address.',
        ),
        grant: OptionalOrNull(Type.Enum(['client_credentials'], { default: 'client_credentials' })),
        client_id: Type.String({ minLength: 1, maxLength: 512 }),
        client_secret: Type.String({
          minLength: 1,
          maxLength: 1024,
          description: 'Stored encrypted, never returned.',
        }),
        scope: OptionalOrNull(Type.String({ minLength: 1, maxLength: 1024 })),
        audience: OptionalOrNull(Type.String({ minLength: 1, maxLength: 1024 })),
      },
      closed,
    ),
  },
  closed,
);
export type OAuthAuthentication = Static<typeof OAuthAuthentication>;

/** Where and how one notification is sent. */
export const NotificationConfiguration = Type.Object(
  {
    type: Type.Enum(['http', 'https'], {
      description: '`https` requires an https endpoint_url, `http` accepts either.',
    }),
    properties: Type.Object(
      {
        endpoint_url: Url(
          'Webhook URL. A private address in the URL is refused here, and a name that resolves to one when it is called, unless the operator allows it.',
        ),
        authentication: OptionalOrNull(OAuthAuthentication),
      },
      closed,
    ),
  },
  { ...closed, $id: 'NotificationConfiguration' },
);
export type NotificationConfiguration = Static<typeof NotificationConfiguration>;

/** The notifications to send at each event; an omitted event notifies nobody. */
export type Notifications = Partial<Record<NotificationEvent, NotificationConfiguration[]>>;
const Notifications = Type.Unsafe<Notifications>(
  Type.Object(
    Object.fromEntries(
      NOTIFICATION_EVENTS.map((event) => [
        event,
        OptionalOrNull(Type.Array(NotificationConfiguration, { maxItems: MAX_NOTIFICATIONS })),
      ]),
    ),
    closed,
  ),
);

const FlowBehaviour = Type.Object(
  {
    exit_redirect_url: OptionalOrNull(
      Url(
        'Where the person is sent when done: https, http, or a scheme of your own app: a name (`myapp://done`) or a reversed domain name (`com.example.app:/done`). Registered schemes and those of operating systems, browsers, stores and tools are refused, and so is a second scheme after the first. Used exactly as given.',
      ),
    ),
    alternative_url: OptionalOrNull(
      Url(
        'Page of your own site where the person can do something else instead: an https URL. Offered on the privacy screen, at every retry, and at every end without a result.',
      ),
    ),
    accessible_way: OptionalOrNull(
      Type.Enum([...ACCESSIBLE_WAY_POLICIES], {
        description:
          'What a person who cannot do it may leave out: nothing (`none`), either the turns of the head or the smile (`one_kind`), or both (`passive`: the face is only looked at). Default `one_kind`; `none` at level `high`. Each is easier to attack than the whole script.',
      }),
    ),
  },
  closed,
);

export const FlowStyle = Type.Object(
  {
    primary_colour_hex: OptionalOrNull(HexColour('Primary colour')),
    header_text_colour_hex: OptionalOrNull(HexColour('Header text colour')),
    body_text_colour_hex: OptionalOrNull(HexColour('Body text colour')),
    logo_public_url: OptionalOrNull(
      Url(
        'Public URL of the logo (PNG, JPEG, WebP, GIF, AVIF or SVG of at most 1 MB); fetched by the server and served from its own origin. No private address.',
      ),
    ),
    terms_of_service_url: OptionalOrNull(Url('URL of the terms of service')),
    show_consent_checkbox: OptionalOrNull(
      Type.Boolean({
        default: false,
        description: 'Whether a consent checkbox is shown on the privacy screen.',
      }),
    ),
  },
  closed,
);
export type FlowStyle = Static<typeof FlowStyle>;

export const CreateChallengeRequest = Type.Object(
  {
    customer_reference: OptionalOrNull(
      Type.String({ minLength: 1, maxLength: 256, description: 'Your own value; echoed in the result.' }),
    ),
    liveness_only: Type.Boolean({
      description: 'true: liveness only. false: also compare with `compare_to_featids`.',
    }),
    compare_to_featids: OptionalOrNull(
      Type.Unsafe<string[] | null>({
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: 256 },
        maxItems: MAX_COMPARED_FEATIDS,
        description:
          'FeatureIDs to compare with: 1–100 when `liveness_only` is false, otherwise absent, null or empty.',
      }),
    ),
    expires_in_seconds: OptionalOrNull(
      Type.Integer({ minimum: 1, maximum: MAX_EXPIRES_IN_SECONDS, default: DEFAULT_EXPIRES_IN_SECONDS }),
    ),
    require_consent: OptionalOrNull(
      Type.Boolean({ default: true, description: 'Whether the privacy screen is shown.' }),
    ),
    liveness_level: OptionalOrNull(
      Type.Enum([...LIVENESS_LEVELS], {
        description: 'How much is asked of the person. Default: what the operator has set.',
      }),
    ),
    device_binding: OptionalOrNull(
      Type.Enum([...DEVICE_BINDINGS], {
        default: 'off',
        description:
          "Whether the person's device signs the recording with a passkey: made for a new FeatureID when `liveness_only` is true, otherwise one of the compared FeatureIDs. `offer` passes without, `require` does not.",
      }),
    ),
    allow_new_device: OptionalOrNull(
      Type.Boolean({
        default: false,
        description:
          'Whether a person whose face matches may add the passkey of a new device. Only with `device_binding` `offer` and a comparison.',
      }),
    ),
    liveness_level_when_bound: OptionalOrNull(
      Type.Enum([...LIVENESS_LEVELS], {
        description:
          'How much is asked instead where a compared FeatureID has passkeys. If none of them signs, the person is asked again at `liveness_level`. Only with `device_binding` and a comparison.',
      }),
    ),
    flow_behaviour: OptionalOrNull(FlowBehaviour),
    flow_style: OptionalOrNull(FlowStyle),
    notifications: OptionalOrNull(Notifications),
  },
  { ...closed, $id: 'CreateChallengeRequest' },
);
export type CreateChallengeRequest = Static<typeof CreateChallengeRequest>;

/**
 * The fields of a request that say nothing about a person and hold no secret. They are stored in plain text; the others
 * are sealed (SealedRequest in src/challenge/challenge.ts).
 */
export interface PublicRequest
  extends Readonly<Required<Pick<CreateChallengeRequest, 'liveness_only' | 'require_consent'>>> {
  readonly liveness_level: LivenessLevel;
  readonly accessible_way: AccessibleWayPolicy;
  readonly device_binding: DeviceBinding;
  readonly allow_new_device: boolean;
  /** Null: the same as without. */
  readonly liveness_level_when_bound: LivenessLevel | null;
}

/** With every default, so that a challenge is judged by what held when it was created. */
export function publicRequest(body: CreateChallengeRequest, defaultLevel: LivenessLevel): PublicRequest {
  const { liveness_only, require_consent = true, liveness_level, flow_behaviour } = body;
  const { device_binding = 'off', allow_new_device = false, liveness_level_when_bound = null } = body;
  const level = liveness_level ?? defaultLevel;
  const accessible_way = flow_behaviour?.accessible_way ?? (level === 'high' ? 'none' : 'one_kind');
  return {
    liveness_only,
    require_consent,
    liveness_level: level,
    accessible_way,
    device_binding,
    allow_new_device,
    liveness_level_when_bound,
  };
}

/** What the person will not see as the client wants it. The challenge is good all the same. */
export const CREATION_WARNINGS = ['logo_unreachable', 'logo_unusable', 'logo_invisible'] as const;

export const CreationWarning = Type.Object({
  pointer: Type.String({ description: 'JSON Pointer to the value in the body.' }),
  code: Type.Enum([...CREATION_WARNINGS]),
  detail: Type.String(),
});
export type CreationWarning = Static<typeof CreationWarning>;

export const CreateChallengeResponse = Type.Object(
  {
    challenge_id: Type.String(),
    challenge_url: Type.String({
      format: 'uri',
      description: 'Give it only to the person: it carries a secret.',
    }),
    expires_at: Type.String({ format: 'date-time' }),
    warnings: Type.Optional(
      Type.Array(CreationWarning, {
        description:
          'What the person will not see as you want it. Absent if there is nothing to warn of, or it is not known yet.',
      }),
    ),
  },
  { $id: 'CreateChallengeResponse' },
);
export type CreateChallengeResponse = Static<typeof CreateChallengeResponse>;
