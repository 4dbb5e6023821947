// RFC 9457 problem types: the closed list of errors that the HTTP API answers with.
import { Type } from 'typebox';
import { PICTURE_FAULT_CODES, type PictureFault } from './picture.ts';

/** Every problem kind with its HTTP status and title. The key is the last part of its `type` URI. */
export const PROBLEMS = {
  'malformed-json': { status: 400, title: 'The body is not valid JSON' },
  'bad-request': { status: 400, title: 'The request cannot be understood' },
  unauthorized: { status: 401, title: 'A valid API key is required' },
  forbidden: { status: 403, title: 'This link does not allow that' },
  'not-found': { status: 404, title: 'There is no such resource' },
  'no-receipt': { status: 404, title: 'There is no receipt for this challenge' },
  'method-not-allowed': { status: 405, title: 'The resource does not allow this method' },
  'request-timeout': { status: 408, title: 'The request did not arrive in time' },
  'state-conflict': { status: 409, title: 'The state of the resource does not allow this' },
  'idempotency-in-flight': {
    status: 409,
    title: 'A request with this Idempotency-Key is still being processed',
  },
  gone: { status: 410, title: 'The resource has expired or was erased' },
  'too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The content type is not supported' },
  'validation-failed': { status: 422, title: 'Fields of the body are not valid' },
  'picture-unusable': { status: 422, title: 'No FeatureID can be made from this picture' },
  'idempotency-key-reused': { status: 422, title: 'The Idempotency-Key was used with another body' },
  'headers-too-large': { status: 431, title: 'The request headers are too large' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'storage-quota': { status: 429, title: 'The account has reached its storage limit' },
  'featid-paused': { status: 429, title: 'Comparisons with a FeatureID are paused after failed attempts' },
  internal: { status: 500, title: 'The service failed' },
  saturated: { status: 503, title: 'The service is at its limit' },
  'storage-unavailable': { status: 503, title: 'Videos cannot be stored or read just now' },
} as const;

export type ProblemKind = keyof typeof PROBLEMS;

/** Codes of single faults in a body. They are stable, because integrators switch on them. */
export const FAULT_FIELD_CODES = [
  'unknown_field',
  'required',
  'wrong_type',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'too_few',
  'too_many',
  'not_allowed_value',
  'invalid_format',
  'invalid_url',
  'url_scheme_not_allowed',
  'https_required',
  'address_not_allowed',
  'port_not_allowed',
  'must_be_absent',
  'duplicate',
  'featid_invalid',
  'featid_revoked',
  'featid_unknown',
  'featid_pack_retired',
  'featid_paused',
] as const;

export type FieldFaultCode = (typeof FAULT_FIELD_CODES)[number];

/**
 * Why a FeatureID cannot be used. `featid_invalid`: not a FeatureID at all (format or checksum). `featid_unknown`:
 * well-formed, but not found in this account; a wrong id, a wrong key, another account's and another region's are
 * indistinguishable. `featid_revoked`: erased. `featid_pack_retired`: made by a recogniser that is no longer in use.
 */
export type FeatidRefusal = Exclude<Extract<FieldFaultCode, `featid_${string}`>, 'featid_paused'>;

/** One fault of the body. `pointer` is a JSON Pointer (RFC 6901) to the faulty value; it is empty for a picture. */
export interface FieldFault {
  pointer: string;
  code: FieldFaultCode | PictureFault;
  detail: string;
}

export const Problem = Type.Object(
  {
    type: Type.String({
      format: 'uri',
      description: 'Stable URI of the kind of error; it is also the address of its documentation.',
    }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'Why it happened, for human readers.' }),
    instance: Type.String({ description: 'The request id, also in X-Request-Id.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'JSON Pointer to the faulty value.' }),
          code: Type.Enum([...FAULT_FIELD_CODES, ...PICTURE_FAULT_CODES]),
          detail: Type.String(),
        }),
        { description: 'All faults of the body.' },
      ),
    ),
  },
  { $id: 'Problem', description: 'RFC 9457 problem details' },
);

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  errors?: FieldFault[];
}

/**
 * Extension members of some problems (RFC 9457 §3.2): the offset from which the capture page resumes, why a step was
 * refused, and how the challenge ended.
 */
export interface ProblemExtensions {
  received_bytes?: number;
  state?: string;
  conflict?: string;
  closed?: string;
}
