// Examples in the OpenAPI document. The tests validate each one against its schema.
import type { CreateChallengeRequest, CreateChallengeResponse } from '../../contract/challenge-request.ts';
import type { ChallengeResult } from '../../contract/result.ts';

const CHALLENGE_ID = 'ch_01kb2m7x9ee6rbb4hd5v1kq0zt';
const FEATID = 'lfid1_EXAMPLE_of_a_FeatureID_given_by_an_earlier_result';

const livenessOnly: CreateChallengeRequest = {
  customer_reference: 'order-1893',
  liveness_only: true,
  expires_in_seconds: 900,
  require_consent: true,
  flow_behaviour: {
    exit_redirect_url: 'https://shop.example/verified',
    alternative_url: 'https://shop.example/verify-at-a-branch',
  },
  flow_style: {
    primary_colour_hex: '#0a66c2',
    header_text_colour_hex: '#ffffff',
    body_text_colour_hex: '#1b1f24',
    logo_public_url: 'https://shop.example/logo.png',
    terms_of_service_url: 'https://shop.example/terms',
    show_consent_checkbox: true,
  },
  notifications: {
    complete: [
      {
        type: 'https',
        properties: {
          endpoint_url: 'https://shop.example/hooks/complete',
          authentication: {
            type: 'oauth',
            properties: {
              oauth_endpoint_url: 'https://login.shop.example/oauth/token',
              grant: 'client_credentials',
              client_id: 'likeness',
              client_secret: '<CLIENT_SECRET>',
            },
          },
        },
      },
    ],
    expired: [{ type: 'https', properties: { endpoint_url: 'https://shop.example/hooks/expired' } }],
  },
};

const comparison: CreateChallengeRequest = {
  customer_reference: 'customer-77',
  liveness_only: false,
  compare_to_featids: [FEATID],
};

const created: CreateChallengeResponse = {
  challenge_id: CHALLENGE_ID,
  challenge_url: 'https://au.likeness.example/c/EXAMPLE-link-secret',
  expires_at: '2026-01-31T09:45:00.123Z',
};

const createdWithWarning: CreateChallengeResponse = {
  ...created,
  warnings: [
    {
      pointer: '/flow_style/logo_public_url',
      code: 'logo_unreachable',
      detail: 'could not be fetched: the page shows the name unless that succeeds later',
    },
  ],
};

const completed: ChallengeResult = {
  challenge_id: CHALLENGE_ID,
  customer_reference: 'customer-77',
  created_at: '2026-01-31T09:30:00.123Z',
  initiated_at: '2026-01-31T09:30:15.000Z',
  expires_at: '2026-01-31T09:45:00.123Z',
  status: 'completed',
  closed_reason: 'completed',
  liveness_level: 'standard',
  consent_required: true,
  consent_given_at: '2026-01-31T09:30:20.456Z',
  events: [
    { name: 'challenge_opened', timestamp: '2026-01-31T09:30:15.000Z' },
    { name: 'consent_given', timestamp: '2026-01-31T09:30:20.456Z' },
    { name: 'camera_granted', timestamp: '2026-01-31T09:30:24.102Z' },
    { name: 'capture_started', timestamp: '2026-01-31T09:30:30.518Z' },
    { name: 'capture_submitted', timestamp: '2026-01-31T09:30:38.902Z' },
    { name: 'evaluation_completed', timestamp: '2026-01-31T09:30:39.811Z' },
  ],
  overall_result: 'pass',
  liveness_result: { face: true, overall: true, smile: true, spoof_result: true, liveness_featid: FEATID },
  match_result: {
    compared_to_featids: [
      {
        featid: FEATID,
        feat_id: FEATID,
        score: 0.91,
        result: 'pass',
        likeness_features: { left_eye: 'Pass', right_eye: 'Pass', nose: 'Pass', mouth: 'Pass' },
      },
    ],
  },
  device_result: null,
  assets_links: [
    {
      asset_type: 'liveness_video',
      mime_type: 'video/webm',
      size_kb: 812,
      presigned_url:
        'https://au.likeness.example/assets/links/ast_01kb2m7x9ee6rbb4hd5v1kq0zv?expires=1769855400&signature=EXAMPLE',
      presigned_url_valid_until: '2026-01-31T10:30:40.000+00:00',
    },
  ],
  diagnostics: { reasons: [] },
};

const expired: ChallengeResult = {
  ...completed,
  initiated_at: null,
  status: 'expired',
  closed_reason: 'expired',
  consent_given_at: null,
  events: [{ name: 'challenge_expired', timestamp: '2026-01-31T09:45:00.311Z' }],
  overall_result: null,
  liveness_result: null,
  match_result: null,
  device_result: null,
  assets_links: [],
};

const validationProblem = {
  type: 'https://au.likeness.example/docs/errors/validation-failed',
  title: 'Fields are not valid',
  status: 422,
  detail: 'Fields are missing, unknown or not valid. Nothing was created.',
  instance: 'req_0b6e5a0c-8a1f-4f6e-9c55-3f2d9a4a7e10',
  errors: [
    { pointer: '/liveness_only', code: 'required', detail: 'is required' },
    {
      pointer: '/require_consnt',
      code: 'unknown_field',
      detail: 'is not a field of this object; did you mean `require_consent`?',
    },
  ],
};

interface OperationExample {
  readonly path: string;
  readonly method: 'get' | 'post';
  /** Status of the response that the example is for; null for the request. */
  readonly status: string | null;
  readonly mediaType: string;
  readonly examples: Readonly<Record<string, { summary?: string; value: unknown }>>;
}

const json = 'application/json';
const operations: readonly OperationExample[] = [
  {
    path: '/v1/create-challenge',
    method: 'post',
    status: null,
    mediaType: json,
    examples: {
      liveness_only: { summary: 'Liveness only, with every field', value: livenessOnly },
      comparison: { summary: 'Compare with an earlier FeatureID', value: comparison },
    },
  },
  {
    path: '/v1/create-challenge',
    method: 'post',
    status: '201',
    mediaType: json,
    examples: { created: { value: created }, with_warning: { value: createdWithWarning } },
  },
  {
    path: '/v1/create-challenge',
    method: 'post',
    status: '422',
    mediaType: 'application/problem+json',
    examples: { faults: { summary: 'Every fault at once', value: validationProblem } },
  },
  {
    path: '/v1/challenges/{challenge_id}',
    method: 'get',
    status: '200',
    mediaType: json,
    examples: { completed: { value: completed }, expired: { value: expired } },
  },
];

export const EXAMPLES = { result: { completed, expired }, operations };
