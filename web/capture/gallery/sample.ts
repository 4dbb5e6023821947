// A challenge's state as the server sends it, for the gallery and for tests of the page.
import type { CaptureState } from '../../../src/contract/capture-page.ts';

/** A freshly created challenge that requires consent, with the given changes. */
export function sampleState(change: Partial<CaptureState> = {}): CaptureState {
  return {
    status: 'created',
    expires_at: new Date(Date.now() + 900_000).toISOString(),
    account: {
      display_name: 'Harbour Bank',
      privacy_url: 'https://harbour.example/privacy',
      purpose: 'opening your account.',
    },
    consent: {
      required: true,
      given: false,
      show_checkbox: false,
      text_version: '2026-11-27.2',
      client_text: null,
      retention_days: 30,
    },
    style: {
      primary_colour_hex: null,
      header_text_colour_hex: null,
      body_text_colour_hex: null,
      logo: false,
      terms_of_service_url: 'https://harbour.example/terms',
    },
    exit_redirect_url: null,
    alternative_url: 'https://harbour.example/at-a-branch',
    tries_left: 3,
    retry_reason: null,
    capture: null,
    accessible_ways: ['without_turns', 'without_smile'],
    usual_seconds: 20,
    device_required: false,
    device_bound: false,
    bound_here: false,
    may_start: true,
    sandbox_outcomes: null,
    ...change,
  };
}
