// What the page can show, and what can happen to it: the vocabulary of the state machine (machine.ts). Free of the DOM,
// so that tests and the gallery can build every screen by hand.

import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { DeadLinkState } from '../../../src/contract/dead-link.ts';
import type { PasskeyAnswer, PasskeyAsk } from '../../../src/contract/device.ts';
import type { CameraRefusal } from '../../../src/contract/page-event.ts';
import type { SandboxOutcome } from '../../../src/contract/sandbox.ts';
import type { DrawnScript, DrawnStep } from '../../../src/contract/script.ts';
import type { CallFault } from '../api/calls.ts';
import type { Followed, HandOffTarget } from '../api/device.ts';
import type { CameraChoice } from '../camera/camera.ts';
import type { CameraFault } from '../camera/fault.ts';
import type { GivenUp } from '../camera/script-clock.ts';
import type { Aim } from '../guidance/aim.ts';
import type { Hint } from '../guidance/hint.ts';
import type { LightHint } from '../guidance/luma.ts';
import type { MadeKey } from '../passkey/disown.ts';
import type { DeviceWay, PasskeySupport } from '../passkey/support.ts';
import type { AnnouncingTime } from '../upload/growing-recording.ts';
import type { Deadlines } from '../upload/pending.ts';
import type { UploadStatus } from '../upload/upload.ts';

/**
 * A capture as the server issued it: its script, of which only the first step is known, and the limits of its upload.
 */
export interface IssuedCapture {
  readonly captureId: string;
  readonly script: DrawnScript;
  /** Steps of the whole script. */
  readonly stepCount: number;
  readonly maxBytes: number;
  readonly chunkBytes: number;
  readonly sliceMs: number;
  readonly announcing: AnnouncingTime;
  readonly deadlines: Deadlines;
  /** What the device is to answer after the recording; null: nothing. */
  readonly passkey: PasskeyAsk | null;
}

/** Hints worth showing while somebody follows prompts. */
export const RECORDING_TROUBLES = [
  'no_face',
  'several_faces',
  'too_far',
  'too_dark',
] as const satisfies Hint[];
export type RecordingTrouble = (typeof RECORDING_TROUBLES)[number];

/** What a person may say they cannot do. */
export const CANNOT = ['turn', 'smile'] as const;
export type Cannot = (typeof CANNOT)[number];

/** Screens with no way forward: the link, or the browser, is of no further use. */
export type DeadEnd =
  | 'unsupported'
  | 'insecure'
  /** The frame's sandbox gives the page no origin: no camera, and no calls to the service. */
  | 'sandboxed_frame'
  | 'unknown_link'
  | 'expired'
  | 'used'
  | 'other_device'
  | 'cancelled'
  /** Every try is used up without a video to judge. */
  | 'no_tries'
  /** Too many requests from here: the server asks the page to wait. */
  | 'busy'
  /** The server failed to deliver the check. */
  | 'unavailable';

export type Screen =
  | { readonly name: 'boot' }
  | { readonly name: Exclude<DeadEnd, 'no_tries'> }
  /** `reason`: why the last try failed; null if unknown. */
  | { readonly name: 'no_tries'; readonly reason: string | null }
  | { readonly name: 'in_app' }
  /** The check needs the person's device, which this browser cannot ask: a recording would be in vain. */
  | { readonly name: 'device_missing' }
  | { readonly name: 'privacy'; readonly busy: null | 'agree' | 'decline'; readonly fault: CallFault | null }
  | { readonly name: 'start'; readonly busy: boolean; readonly fault: CallFault | null }
  | { readonly name: 'declined'; readonly redirectUrl: string | null }
  | {
      readonly name: 'left';
      readonly redirectUrl: string | null;
      /** Whether a recording waits for what the person's device answers. */
      readonly recorded: boolean;
    }
  | {
      readonly name: 'hand_off';
      readonly target: Followed;
      /** Whether the person chose this; if not, there is no camera here, or the check was started elsewhere. */
      readonly chosen: boolean;
      /** Whether the other device or tab has taken up the check. */
      readonly takenUp: boolean;
    }
  /** Replaces everything that needs a camera: the person chooses how the challenge ends. */
  | { readonly name: 'sandbox' }
  | { readonly name: 'camera_asking'; readonly slow: boolean }
  | { readonly name: 'camera_missing' | 'camera_busy' }
  | { readonly name: 'camera_denied'; readonly refusal: CameraRefusal }
  | {
      readonly name: 'position';
      readonly guidance: 'loading' | 'live' | 'off';
      /** About the light only where guidance is not live; null before the first look. */
      readonly hint: Hint | LightHint | null;
      /** Whether the "I'm ready" button is offered. */
      readonly manual: boolean;
      /** Seconds until the recording starts after "I'm ready"; null when not counting. */
      readonly countdown: number | null;
      /** Cameras to choose from; empty if there is only one. */
      readonly cameras: readonly CameraChoice[];
      readonly cameraId: string | null;
    }
  /** `long`: it takes longer than anybody holds still without an explanation. */
  | { readonly name: 'preparing'; readonly long: boolean }
  /** The previous recording's time has not run out; `untilMs` is on this device's clock. */
  | { readonly name: 'waiting'; readonly untilMs: number }
  | {
      readonly name: 'recording';
      readonly capture: IssuedCapture;
      /** Index into the script's steps; their number once all are over; null until the recorder has started. */
      readonly step: number | null;
      /** The current step; null before the recorder has started and once all steps are over. */
      readonly asked: DrawnStep | null;
      /** How the head turns to the current step's dot; null before the first look, and for other prompts. */
      readonly aim: Aim | null;
      /** Whether the previous step's answer was seen. */
      readonly answered: boolean;
      /** A lasting problem that spoils the recording. */
      readonly trouble: RecordingTrouble | null;
      /** Whether the connection is lost. */
      readonly offline: boolean;
    }
  /** The person's device is to sign the recording, which is uploaded meanwhile. */
  | {
      readonly name: 'device';
      readonly ask: PasskeyAsk;
      /** What the browser's dialog asks for; null if it is not open. */
      readonly busy: DeviceWay | null;
      /** `declining`: the person was told that the check will not pass without. */
      readonly said: DeviceFailure | 'declining' | null;
      readonly status: UploadStatus;
      readonly deadlines: Deadlines;
    }
  | { readonly name: 'uploading'; readonly status: UploadStatus; readonly deadlines: Deadlines }
  | { readonly name: 'processing'; readonly estimateMs: number | null; readonly reconnecting: boolean }
  | { readonly name: 'retry'; readonly reason: string; readonly triesLeft: number | null }
  | {
      readonly name: 'done';
      readonly redirectUrl: string | null;
      /** Set if this tab took the check over from another tab, which continues. */
      readonly handedOver: HandOffTarget | null;
    }
  | { readonly name: 'failed'; readonly fault: 'offline' | 'blocked' | 'too_many' | 'server' };

export type ScreenName = Screen['name'];

/**
 * Why the device has not answered. cancelled: the person or the browser closed the dialog. offline: what is needed for it
 * could not be loaded. unattested: the operator wants to know its maker, and it does not say. unavailable: this browser
 * cannot.
 */
export type DeviceFailure = 'cancelled' | 'offline' | 'unattested' | 'unavailable';

/** Why a recording failed on this device. */
export type LocalFailure = 'interrupted' | 'camera_lost' | 'recorder_failed' | GivenUp;

export type PageEvent =
  | { readonly type: 'refused'; readonly why: 'unsupported' | 'insecure' }
  | {
      readonly type: 'loaded';
      readonly challenge: CaptureState;
      /** Deadlines of the challenge's open capture if this tab still holds its bytes. */
      readonly pending: Deadlines | null;
      /** Where the check went that this tab was following before a reload. */
      readonly following: Followed | null;
    }
  | { readonly type: 'call_failed'; readonly fault: CallFault }
  | { readonly type: 'agree' }
  | { readonly type: 'decline' }
  | { readonly type: 'begin' }
  | { readonly type: 'begun'; readonly challenge: CaptureState }
  | {
      readonly type: 'camera_opened';
      readonly cameras: readonly CameraChoice[];
      readonly cameraId: string | null;
    }
  | {
      readonly type: 'camera_failed';
      readonly why: CameraFault;
      /** Set if `why` is `denied`; null if nothing more is known. */
      readonly refusal: CameraRefusal | null;
    }
  /** The camera has delivered nothing for longer than anybody watches a frozen picture. */
  | { readonly type: 'camera_silent' }
  | { readonly type: 'open_camera' }
  | { readonly type: 'end_as'; readonly outcome: SandboxOutcome }
  | { readonly type: 'ended' }
  | { readonly type: 'asked_long' }
  | { readonly type: 'choose_camera'; readonly id: string }
  | { readonly type: 'leave' }
  | { readonly type: 'hand_off'; readonly target: HandOffTarget }
  /** The check that this tab follows goes on by this tab's link, or belongs to another device now. */
  | { readonly type: 'taken_up' | 'taken_over' }
  /** The check that this tab follows was completed. */
  | { readonly type: 'followed_to_end' }
  | { readonly type: 'guidance'; readonly state: 'live' | 'off' }
  | { readonly type: 'hint'; readonly hint: Hint }
  /** The light in the picture, while there is no detector. */
  | { readonly type: 'light'; readonly hint: LightHint }
  | { readonly type: 'aligned' }
  | { readonly type: 'manual_offered' }
  | { readonly type: 'ready' }
  | { readonly type: 'tick' }
  /** The rehearsal is over; `inTime`: this device handled its slices in time. */
  | { readonly type: 'rehearsed'; readonly inTime: boolean }
  | { readonly type: 'capture_issued'; readonly capture: IssuedCapture }
  | { readonly type: 'prepares_long' }
  | { readonly type: 'capture_under_way'; readonly untilMs: number }
  | { readonly type: 'waited' }
  | { readonly type: 'recorder_started' }
  | { readonly type: 'aimed'; readonly aim: Aim }
  | { readonly type: 'cannot'; readonly what: Cannot; readonly on: boolean }
  | {
      readonly type: 'step_ended';
      readonly index: number;
      readonly answered: boolean;
      /** The new current step; null once all steps are over. */
      readonly next: DrawnStep | null;
    }
  | { readonly type: 'recorded'; readonly deadlines: Deadlines }
  | { readonly type: 'recording_failed'; readonly why: LocalFailure }
  /** Fewer frames reach the recording than the camera delivers, even with guidance at rest. */
  | { readonly type: 'slow' }
  /** The device is busy, so everything that is not needed rests. */
  | { readonly type: 'busy' }
  /** Nothing on the page happens in time. */
  | { readonly type: 'stuck' }
  /** The browser reports that it is offline. */
  | { readonly type: 'offline' }
  | { readonly type: 'use_device'; readonly way: DeviceWay }
  | { readonly type: 'device_answered'; readonly answer: PasskeyAnswer }
  | { readonly type: 'device_failed'; readonly why: DeviceFailure }
  /** The person goes on without the device, where it is required on the second tap. */
  | { readonly type: 'without_device' }
  | { readonly type: 'upload'; readonly status: UploadStatus }
  | { readonly type: 'upload_complete' }
  /**
   * `network_blocks`: something on the way refuses the upload. `page_fault`: the server refuses it for its content, which
   * the page made, not for its timing.
   */
  | { readonly type: 'upload_lost'; readonly why: 'upload_lost' | 'network_blocks' | 'page_fault' }
  | { readonly type: 'estimate'; readonly estimateMs: number | null; readonly reconnecting: boolean }
  | {
      readonly type: 'outcome';
      readonly status: 'retry' | 'done' | 'expired' | 'cancelled';
      readonly reason: string | null;
      readonly triesLeft: number | null;
      readonly redirectUrl: string | null;
    }
  | { readonly type: 'reload' }
  /** The page is in front again: the check may have gone on elsewhere. */
  | { readonly type: 'returned' };

/** What is known about the device and about how the page was opened. */
export interface Setting {
  /** Whether this is a computer, from which a phone can take over. */
  readonly computer: boolean;
  /** Whether the page runs in an app's own browser. */
  readonly inApp: boolean;
  /** Whether there is a camera; null if the browser does not say. */
  readonly hasCamera: boolean | null;
  /** What the browser can ask the person's device for. */
  readonly passkeys: PasskeySupport;
  /** Set if this tab took the check over from another tab. */
  readonly handedOver: HandOffTarget | null;
}

/** The page's whole state. */
export interface Page {
  readonly setting: Setting;
  readonly screen: Screen;
  /** Last known state of the challenge; null before the first load, and if the link leads nowhere. */
  readonly challenge: CaptureState | null;
  /** What the person says they cannot do. */
  readonly cannot: readonly Cannot[];
  /** Whether they said so of everything, and the client does not allow it. */
  readonly neither: boolean;
  /**
   * Whether the device is busy: nonessential movement stops, guidance gives way to the recording, and no script is
   * drawn before a rehearsal has shown that it can be recorded.
   */
  readonly busy: boolean;
  /**
   * Whether nothing on the page happened in time; `warned` once the person has been told. From then on a recording
   * demands as little as it can.
   */
  readonly stuck: 'no' | 'yes' | 'warned';
  /** Whether this device was too slow for a recording. */
  readonly slow: boolean;
  /**
   * Whether the way of the bytes has been tried. Once is enough: a person who was warned may record all the same, because
   * what the trial sends is not a recording.
   */
  readonly wayTried: boolean;
  /** Whether the browser had no connection since the last script was drawn. */
  readonly wasOffline: boolean;
  /** The passkey that the device made for this check, in this tab, also before a reload. */
  readonly madeKey: MadeKey | null;
  /** Whether the device answered the recording that is sent or judged, and not by that passkey, which stays unused. */
  readonly sparesKey: boolean;
  /** What the server sent in place of a state. */
  readonly deadLink: DeadLinkState | null;
}
