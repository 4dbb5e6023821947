// The public exports for integrators: `import { Likeness, verifyWebhook } from 'likeness'`.
export type {
  CreateChallengeRequest,
  CreateChallengeResponse,
  NotificationConfiguration,
  OAuthAuthentication,
} from '../contract/challenge-request.ts';
export type { Delivery, DeliveryAttempt, TestDelivery } from '../contract/delivery.ts';
export type { Device, DeviceBinding, DeviceResult } from '../contract/device.ts';
export type { FeatidSource, PictureFault, PictureFeatid, PictureQuality } from '../contract/picture.ts';
export type { FieldFault, FieldFaultCode, ProblemKind } from '../contract/problem.ts';
export type { RegionName } from '../contract/regions.ts';
export type {
  AssetLink,
  ChallengeResult,
  ChallengeSummary,
  ComparedFeatid,
  LikenessFeatures,
  LivenessResult,
  MatchResult,
} from '../contract/result.ts';
export type { ChallengeStatus } from '../contract/states.ts';
export { type ChallengePage, Likeness, type ListFilters } from './client.ts';
export { LikenessProblem, LikenessUnreachable } from './problem-error.ts';
export type { CallOptions, ClientOptions } from './transport.ts';
export {
  type ReceivedWebhook,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhook.ts';
