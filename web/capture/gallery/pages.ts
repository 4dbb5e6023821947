// Every screen of the page as a value, by name: what the gallery shows and the screenshots are taken of.
import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { Prompt } from '../../../src/contract/script.ts';
import type { Page, Screen } from '../flow/screens.ts';
import type { Hint } from '../guidance/hint.ts';

const challenge: CaptureState = {
  status: 'initiated',
  expires_at: '2030-01-01T00:00:00.000Z',
  account: {
    display_name: 'Harbour Bank',
    privacy_url: 'https://harbour.example/privacy',
    purpose: 'opening your account.',
  },
  consent: {
    required: true,
    given: false,
    show_checkbox: false,
    text_version: '2026-11',
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
  tries_left: 3,
  retry_reason: null,
  capture: null,
  device_bound: false,
  sandbox: false,
};

function position(hint: Hint | null, change: Partial<Extract<Screen, { name: 'position' }>> = {}): Screen {
  return { name: 'position', guidance: 'live', hint, manual: false, countdown: null, ...change };
}

function recording(prompt: Prompt, faceLost = false): Screen {
  const script = { steps: [{ prompt, from_ms: 0, to_ms: 20_000 }] };
  const capture = { captureId: 'cap_1', script, maxBytes: 1, chunkBytes: 1 };
  return { name: 'recording', capture, step: 0, startedAtMs: performance.now() - 7_000, faceLost };
}

const still = (name: Screen['name']) => ({ name }) as Screen;

/** Name → page. */
export function galleryPages(): Readonly<Record<string, Page>> {
  const screens: Record<string, Screen> = {
    boot: still('boot'),
    privacy: { name: 'privacy', busy: null, fault: null },
    privacy_busy: { name: 'privacy', busy: 'agree', fault: null },
    privacy_fault: { name: 'privacy', busy: null, fault: 'offline' },
    start: { name: 'start', busy: false, fault: null },
    declined: { name: 'declined', redirectUrl: null },
    camera_asking: still('camera_asking'),
    camera_denied: still('camera_denied'),
    camera_missing: still('camera_missing'),
    camera_busy: still('camera_busy'),
    position_loading: position(null, { guidance: 'loading' }),
    position_no_face: position('no_face'),
    position_too_far: position('too_far'),
    position_too_dark: position('too_dark', { manual: true }),
    position_ok: position('ok'),
    position_manual: position(null, { guidance: 'off', manual: true }),
    position_countdown: position(null, { guidance: 'off', manual: true, countdown: 3 }),
    preparing: still('preparing'),
    recording_neutral: recording('neutral'),
    recording_smile: recording('smile'),
    recording_turn_left: recording('turn_left'),
    recording_turn_right: recording('turn_right'),
    recording_lost: recording('neutral', true),
    uploading: { name: 'uploading', phase: 'sending', progress: 0.62 },
    upload_waiting: { name: 'uploading', phase: 'waiting', progress: 0.62 },
    upload_stopped: { name: 'uploading', phase: 'stopped', progress: 0.62 },
    processing: { name: 'processing', estimateMs: 3_000, reconnecting: false },
    retry: { name: 'retry', reason: 'too_dark', triesLeft: 2 },
    retry_last: { name: 'retry', reason: 'smile_missing', triesLeft: 1 },
    done: { name: 'done', redirectUrl: null },
    done_redirect: { name: 'done', redirectUrl: 'https://harbour.example/done' },
    failed_offline: { name: 'failed', fault: 'offline' },
    failed_server: { name: 'failed', fault: 'server' },
    unsupported: still('unsupported'),
    insecure: still('insecure'),
    unknown_link: still('unknown_link'),
    expired: still('expired'),
    used: still('used'),
    other_device: still('other_device'),
    cancelled: still('cancelled'),
  };
  const pages = Object.entries(screens).map(([name, screen]) => [name, { screen, challenge }] as const);
  const boxed = {
    ...challenge,
    sandbox: true,
    consent: { ...challenge.consent, show_checkbox: true },
    style: { ...challenge.style, primary_colour_hex: '#ffd400', header_text_colour_hex: '#7a1fa2' },
  };
  return {
    ...Object.fromEntries(pages),
    privacy_checkbox: { screen: screens.privacy!, challenge: boxed },
    branded_start: { screen: screens.start!, challenge: boxed },
    branded_position: { screen: position('too_far', { manual: true }), challenge: boxed },
  };
}
