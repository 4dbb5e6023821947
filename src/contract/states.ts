// States and events of a challenge and of its deliveries, as the API spells them (docs/interface.md). Separate from the
// schemas, so that pages do not have to load those.

export const CHALLENGE_STATUSES = [
  'created',
  'initiated',
  'processing',
  'completed',
  'expired',
  'cancelled',
] as const;
export type ChallengeStatus = (typeof CHALLENGE_STATUSES)[number];

export const CLOSED_REASONS = ['completed', 'expired', 'cancelled'] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];

/** The events that a closing challenge notifies about: the members of `notifications` in its request. */
export const NOTIFICATION_EVENTS = ['complete', 'expired'] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

export const CHALLENGE_EVENT_NAMES = [
  'challenge_opened',
  'consent_given',
  'consent_declined',
  'camera_granted',
  'camera_denied',
  'capture_started',
  'capture_submitted',
  'capture_rejected',
  'evaluation_completed',
  'device_added',
  'challenge_expired',
  'challenge_cancelled',
] as const;
export type ChallengeEventName = (typeof CHALLENGE_EVENT_NAMES)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
