// The payload of a test event: it has the shape of a real result, but cannot be mistaken for one.
import { type ChallengeResult, NOTHING_PASSED } from '../contract/result.ts';

/** The result of a liveness-only challenge that never existed. `overall_result` is null: a test must let nobody in. */
export function sampleResult(): ChallengeResult {
  const startedAt = '2026-01-31T09:30:00.123Z';
  const consentAt = '2026-01-31T09:30:20.456Z';
  return {
    challenge_id: 'ch_test_event',
    customer_reference: 'test-event',
    created_at: startedAt,
    initiated_at: '2026-01-31T09:30:15.000Z',
    expires_at: '2026-01-31T09:45:00.123Z',
    status: 'completed',
    closed_reason: 'completed',
    liveness_level: 'standard',
    consent_required: true,
    consent_given_at: consentAt,
    events: [{ name: 'consent_given', timestamp: consentAt }],
    overall_result: null,
    liveness_result: { ...NOTHING_PASSED, liveness_featid: null },
    match_result: { liveness_featid: null },
    device_result: null,
    assets_links: [],
    diagnostics: { reasons: ['test_event'] },
    sandbox: true,
  };
}
