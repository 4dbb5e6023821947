// The payload of a test event: shaped as a real result, and in no field mistakable for one.
import type { ChallengeResult } from '../contract/result.ts';

/** A result of a liveness-only challenge that never was. `overall_result` is null: nobody is let in by a test. */
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
    consent_required: true,
    consent_given_at: consentAt,
    events: [{ name: 'consent_given', timestamp: consentAt }],
    overall_result: null,
    liveness_result: {
      face: false,
      overall: false,
      smile: false,
      spoof_result: false,
      liveness_featid: null,
    },
    match_result: { liveness_featid: null },
    assets_links: [],
    diagnostics: { reasons: ['test_event'] },
    sandbox: true,
  };
}
