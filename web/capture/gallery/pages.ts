// Every screen of the page as a value, by name, for the gallery and for screenshots.

import { ACCESSIBLE_WAYS } from '../../../src/contract/accessible-way.ts';
import type { PasskeyAsk } from '../../../src/contract/device.ts';
import { withNextRecording } from '../../../src/contract/next-recording.ts';
import { SANDBOX_OUTCOMES } from '../../../src/contract/sandbox.ts';
import type { Asked } from '../../../src/contract/script.ts';
import { dotOf, type Target } from '../../../src/contract/target.ts';
import type { Followed } from '../api/device.ts';
import { deadPage, initialPage } from '../flow/machine.ts';
import { CANNOT, type Page, type Screen, type Setting } from '../flow/screens.ts';
import type { Aim } from '../guidance/aim.ts';
import type { Hint } from '../guidance/hint.ts';
import type { LightHint } from '../guidance/luma.ts';
import { SECTORS } from '../texts/sectors.ts';
import type { UploadStatus } from '../upload/upload.ts';
import { sampleState } from './sample.ts';

const challenge = sampleState({ status: 'initiated', expires_at: '2030-01-01T00:00:00.000Z' });
const setting: Setting = {
  computer: false,
  inApp: false,
  hasCamera: true,
  passkeys: { sign: true, make: true },
  handedOver: null,
};

function position(
  hint: Hint | LightHint | null,
  change: Partial<Extract<Screen, { name: 'position' }>> = {},
): Screen {
  return {
    name: 'position',
    guidance: 'live',
    hint,
    manual: false,
    countdown: null,
    cameras: [],
    cameraId: null,
    ...change,
  };
}

/** The longest that a client's own part of the consent text may be, with a word too long for any line. */
const CLIENT_TEXT =
  `${'The video is judged on our own servers in Rotterdam. Your employee number is stored with the result, and the works council has agreed to it.\n'.repeat(5)}${'x'.repeat(200)}\n`.padEnd(
    1_000,
    'You can ask at the gate for a check without a camera. ',
  );

function recording(asked: Asked, change: Partial<Extract<Screen, { name: 'recording' }>> = {}): Screen {
  const all: Asked[] = [{ prompt: 'neutral' }, asked, { prompt: 'smile' }];
  const steps = all.map((each) => ({ ...each, hold_ms: 500 }));
  const script = { steps, max_step_ms: 6_000 };
  const deadlines = { commitByMs: 0, uploadByMs: 0 };
  const limits = {
    maxBytes: 1,
    chunkBytes: 1,
    sliceMs: 1,
    deadlines,
    announcing: { issuedAtMs: 0, withinMs: 1 },
    passkey: null,
  };
  const capture = { captureId: 'cap_1', script, stepCount: steps.length, ...limits };
  const shown = { step: 1, asked: steps[1]!, aim: null, answered: true, trouble: null, offline: false };
  return { name: 'recording', capture, ...shown, ...change };
}

/** A head on its way to a dot, `share` of the way. */
function aiming(target: Target, share: number, change: Partial<Aim> = {}): Screen {
  const { x, y } = dotOf(target);
  const aim: Aim = { at: { x: share * x, y: share * y }, held: 0, advice: null, ...change };
  return recording({ prompt: 'target', ...target }, { aim });
}

function uploading(status: Omit<UploadStatus, 'lost'>, leftMs: number, lost = true): Screen {
  const byMs = Date.now() + leftMs;
  return {
    name: 'uploading',
    status: { ...status, lost },
    deadlines: { commitByMs: byMs, uploadByMs: byMs },
  };
}

function device(ask: Partial<PasskeyAsk>, change: Partial<Extract<Screen, { name: 'device' }>> = {}): Screen {
  const host = { rp_id: 'check.example', rp_name: 'Harbour Bank' };
  const nothing = { challenge_id: 'chg_1', ...host, required: false, known: [], new_user_id: null };
  const status: UploadStatus = { phase: 'sending', progress: 0.4, committed: true, lost: false };
  const deadlines = { commitByMs: 0, uploadByMs: 0 };
  return {
    name: 'device',
    ask: { ...nothing, ...ask },
    busy: null,
    said: null,
    status,
    deadlines,
    ...change,
  };
}

function handOff(target: Followed, change: Partial<Extract<Screen, { name: 'hand_off' }>> = {}): Screen {
  return { name: 'hand_off', target, chosen: true, takenUp: false, ...change };
}

const cameras = [
  { id: 'a', label: 'Integrated Camera (0c45:6a1b)' },
  { id: 'b', label: 'USB camera on the second screen' },
];

const positionScreens: Readonly<Record<string, Screen>> = {
  position_loading: position('place', { guidance: 'loading' }),
  position_loading_dark: position('too_dark', { guidance: 'loading' }),
  position_no_face: position('no_face'),
  position_too_far: position('too_far'),
  position_too_dark: position('too_dark', { manual: true }),
  position_covered: position('covered'),
  position_cameras: position('off_centre', { manual: true, cameras, cameraId: 'b' }),
  position_no_colour: position('no_colour', { manual: true, cameras, cameraId: 'b' }),
  position_ok: position('ok'),
  position_manual: position(null, { guidance: 'off', manual: true }),
  position_countdown: position(null, { guidance: 'off', manual: true, countdown: 3 }),
};

const promptScreens: Readonly<Record<string, Screen>> = {
  recording_neutral: recording({ prompt: 'neutral' }),
  recording_smile: recording({ prompt: 'smile' }),
  ...Object.fromEntries(
    SECTORS.flatMap((sector, i) => [
      [`recording_near_${sector}`, aiming({ angle_deg: 45 * i, amount: 'near' }, 1, { held: 0.6 })],
      [`recording_far_${sector}`, aiming({ angle_deg: 45 * i, amount: 'far' }, 0.5)],
    ]),
  ),
  recording_further: aiming({ angle_deg: 65, amount: 'far' }, 0.6, { advice: 'further' }),
  recording_not_so_far: aiming({ angle_deg: 200, amount: 'near' }, 1.6, { advice: 'not_so_far' }),
  recording_turn_instead: aiming({ angle_deg: 310, amount: 'far' }, 0, { advice: 'turn_instead' }),
  recording_lost: recording({ prompt: 'neutral' }, { trouble: 'no_face' }),
  recording_offline: recording({ prompt: 'target', angle_deg: 0, amount: 'far' }, { offline: true }),
};

const known = [{ id: 'x', transports: ['internal'] }];
const waiting: UploadStatus = { phase: 'waiting', progress: 0.4, committed: true, lost: true };

const deviceScreens: Readonly<Record<string, Screen>> = {
  device_enrol: device({ new_user_id: 'u' }),
  device_confirm: device({ known }),
  device_confirm_or_new: device({ known, new_user_id: 'u' }),
  device_busy: device({ known, new_user_id: 'u' }, { busy: 'sign' }),
  device_declining: device({ known, new_user_id: 'u', required: true }, { said: 'declining' }),
  device_cancelled: device({ known, new_user_id: 'u' }, { said: 'cancelled' }),
  device_unattested: device({ new_user_id: 'u' }, { said: 'unattested' }),
  device_offline: device({ new_user_id: 'u' }, { said: 'offline' }),
  device_waiting: device({ known }, { status: waiting }),
  device_unavailable: device({ new_user_id: 'u' }, { said: 'unavailable' }),
  device_unavailable_required: device({ new_user_id: 'u', required: true }, { said: 'unavailable' }),
};

const retryScreens: Readonly<Record<string, Screen>> = {
  retry: { name: 'retry', reason: 'too_dark', triesLeft: 2 },
  retry_page_fault: { name: 'retry', reason: 'page_fault', triesLeft: 2 },
  retry_network_blocks: { name: 'retry', reason: 'network_blocks', triesLeft: 2 },
  retry_too_slow: { name: 'retry', reason: 'too_slow', triesLeft: 2 },
  retry_neutral_missing: { name: 'retry', reason: 'neutral_missing', triesLeft: 2 },
  retry_view_broken: { name: 'retry', reason: 'view_broken', triesLeft: 2 },
  retry_last: { name: 'retry', reason: 'smile_missing', triesLeft: 1 },
};

const still = (name: Screen['name']) => ({ name }) as Screen;

/** Name → screen, all for the same challenge. */
function galleryScreens(here: string): Readonly<Record<string, Screen>> {
  return {
    boot: still('boot'),
    privacy: { name: 'privacy', busy: null, fault: null },
    privacy_busy: { name: 'privacy', busy: 'agree', fault: null },
    privacy_fault: { name: 'privacy', busy: null, fault: 'offline' },
    start: { name: 'start', busy: false, fault: null },
    declined: { name: 'declined', redirectUrl: null },
    left: { name: 'left', redirectUrl: 'https://harbour.example/', recorded: false },
    hand_off: handOff('phone'),
    hand_off_no_camera: handOff('phone', { chosen: false }),
    hand_off_taken_up: handOff('phone', { takenUp: true }),
    hand_off_tab: handOff('tab'),
    hand_off_elsewhere: handOff('elsewhere', { chosen: false }),
    in_app: still('in_app'),
    device_missing: still('device_missing'),
    camera_asking: { name: 'camera_asking', slow: false },
    camera_asking_slow: { name: 'camera_asking', slow: true },
    camera_denied: { name: 'camera_denied', refusal: 'blocked' },
    camera_denied_dismissed: { name: 'camera_denied', refusal: 'dismissed' },
    camera_denied_by_device: { name: 'camera_denied', refusal: 'by_device' },
    camera_denied_site: { name: 'camera_denied', refusal: 'by_site' },
    camera_denied_framed: { name: 'camera_denied', refusal: 'by_frame' },
    camera_missing: still('camera_missing'),
    camera_busy: still('camera_busy'),
    ...positionScreens,
    preparing: still('preparing'),
    ...promptScreens,
    waiting: { name: 'waiting', untilMs: Date.now() + 34_000 },
    ...deviceScreens,
    uploading: uploading({ phase: 'sending', progress: 0.62, committed: true }, 600_000),
    upload_waiting: uploading({ phase: 'waiting', progress: 0.62, committed: true }, 581_000),
    upload_unsent: uploading({ phase: 'waiting', progress: 0, committed: false }, 5_000),
    upload_late: uploading({ phase: 'waiting', progress: 0, committed: false }, -1),
    upload_errors: uploading({ phase: 'waiting', progress: 0, committed: false }, -1, false),
    processing: { name: 'processing', estimateMs: 3_000, reconnecting: false },
    ...retryScreens,
    done: { name: 'done', redirectUrl: null, handedOver: null },
    done_redirect: { name: 'done', redirectUrl: 'https://harbour.example/done', handedOver: null },
    done_next: { name: 'done', redirectUrl: withNextRecording(here), handedOver: null },
    done_handed_over: { name: 'done', redirectUrl: 'https://harbour.example/done', handedOver: 'phone' },
    failed_blocked: { name: 'failed', fault: 'blocked' },
    failed_offline: { name: 'failed', fault: 'offline' },
    failed_too_many: { name: 'failed', fault: 'too_many' },
    failed_server: { name: 'failed', fault: 'server' },
    unsupported: still('unsupported'),
    insecure: still('insecure'),
    sandboxed_frame: still('sandboxed_frame'),
    unknown_link: still('unknown_link'),
    expired: still('expired'),
    used: still('used'),
    other_device: still('other_device'),
    cancelled: still('cancelled'),
    no_tries: { name: 'no_tries', reason: 'interrupted' },
    no_tries_unknown: { name: 'no_tries', reason: null },
  };
}

/** Name → page. `here`: an address of the service. */
export function galleryPages(here = 'https://check.example/'): Readonly<Record<string, Page>> {
  const screens = galleryScreens(here);
  const plain = initialPage(setting, challenge);
  const pages = Object.entries(screens).map(([name, screen]) => [name, { ...plain, screen }] as const);
  const boxed = {
    ...challenge,
    sandbox_outcomes: [...SANDBOX_OUTCOMES],
    consent: { ...challenge.consent, show_checkbox: true },
    style: { ...challenge.style, primary_colour_hex: '#ffd400', header_text_colour_hex: '#7a1fa2' },
  };
  const onComputer = { ...plain, setting: { ...setting, computer: true } };
  const longWinded = {
    ...boxed,
    account: {
      display_name:
        'Landesversicherungsanstalt der Binnenschifffahrt und Hafenwirtschaft, Zweigstelle Nord-Ost',
      privacy_url: boxed.account.privacy_url,
      purpose:
        'fulfilment of the duty to identify contracting parties and beneficial owners (Geldwäschebekämpfungsgesetz, section 11), and protection of your customer account against being taken over by others.',
    },
  };
  const inOwnWords = {
    ...longWinded,
    consent: { ...longWinded.consent, client_text: CLIENT_TEXT },
  };
  const owner = { ...boxed, exit_redirect_url: 'https://harbour.example/' };
  const canNeither = { ...plain, cannot: [...CANNOT], neither: true };
  const canNothing = {
    ...plain,
    cannot: [...CANNOT],
    challenge: { ...boxed, accessible_ways: [...ACCESSIBLE_WAYS] },
  };
  return {
    ...Object.fromEntries(pages),
    privacy_long: { ...plain, screen: screens.privacy!, challenge: longWinded },
    privacy_own_words: { ...plain, screen: screens.privacy!, challenge: inOwnWords },
    dead_link_unknown: deadPage(setting, { dead_link: 'unknown', owner: null }),
    dead_link_expired: deadPage(setting, { dead_link: 'expired', owner }),
    dead_link_busy: deadPage(setting, { dead_link: 'busy', owner: null }),
    dead_link_failed: deadPage(setting, { dead_link: 'failed', owner: null }),
    sandbox: { ...plain, screen: { name: 'sandbox' }, challenge: boxed },
    privacy_checkbox: { ...plain, screen: screens.privacy!, challenge: boxed },
    privacy_computer: { ...onComputer, screen: screens.privacy! },
    ...Object.fromEntries(
      ['privacy', 'start', 'retry'].flatMap((name) => [
        [`${name}_neither`, { ...canNeither, screen: screens[name]! }],
        [`${name}_passive`, { ...canNothing, screen: screens[name]! }],
      ]),
    ),
    start_computer: { ...onComputer, screen: screens.start! },
    device_missing_computer: { ...onComputer, screen: screens.device_missing! },
    device_missing_in_app: {
      ...plain,
      setting: { ...setting, inApp: true },
      screen: screens.device_missing!,
    },
    camera_missing_computer: { ...onComputer, screen: screens.camera_missing! },
    position_busy: { ...plain, busy: true, screen: screens.position_too_far! },
    recording_slow: { ...plain, slow: true, screen: screens.recording_smile! },
    retry_too_slow_computer: { ...onComputer, screen: screens.retry_too_slow! },
    no_tries_slow: { ...plain, slow: true, screen: screens.no_tries! },
    retry_slow: { ...plain, slow: true, screen: screens.retry! },
    branded_start: { ...plain, screen: screens.start!, challenge: boxed },
    branded_position: { ...plain, screen: position('too_far', { manual: true }), challenge: boxed },
  };
}
