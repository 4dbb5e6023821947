// Opens and closes the camera. The stream has one owner, and every exit stops its tracks, so that the light goes off.

import type { CameraRefusal } from '../../../src/contract/page-event.ts';
import { within } from '../time/within.ts';
import { type CameraFault, cameraFault, refusalOf } from './fault.ts';
import { forgetCamera, rememberedCamera } from './remembered.ts';

/** How much a recording demands of the device: `light` where the page found it too slow for `full`. */
export type RecordingLoad = 'full' | 'light';

/**
 * Frames per second. Each recorded frame costs the main thread some time, whatever its size (0.1 ms, a third of all its
 * work when slowed 20 times). Half of them is the most that can be spared, because the judgement looks at 12.
 */
const FRAME_RATES: Readonly<Record<RecordingLoad, number>> = { full: 30, light: 15 };

/** Requested resolution. No sound is requested: the judgement needs only frames. */
const VIDEO: MediaTrackConstraints = { width: { ideal: 640 }, height: { ideal: 480 } };

/** Listing the devices takes milliseconds; after this time the check goes on without the list. Chosen, not measured. */
const LISTING_MS = 3_000;

const VIRTUAL_CAMERA = /virtual|obs|manycam|snap camera|xsplit|droid ?cam|iriun|epoccam|splitcam/i;

/** A camera that the person may choose. */
export interface CameraChoice {
  readonly id: string;
  readonly label: string;
}

export interface OpenCamera {
  readonly stream: MediaStream;
  /** deviceId; null if the browser does not say. */
  readonly id: string | null;
  /**
   * Whether to mirror the preview: true unless the camera faces away from the user. The recording is never mirrored.
   */
  readonly mirrored: boolean;
  /** Whether its label looks like that of a virtual camera. Only a hint for the server. */
  readonly labelVirtual: boolean;
  /** Whether the camera delivers no frames now, so that the preview is frozen. */
  silent(): boolean;
  stop(): void;
}

/** Callbacks for an open camera. */
export interface CameraEvents {
  /** The camera ended by itself (unplugged, taken away, permission withdrawn). */
  lost(): void;
  /** It has delivered nothing for a while: a call came in, or another app took it. It may come back. */
  interrupted(): void;
  /** It has been silent for so long, with the page in view, that the person has to be told why nothing happens. */
  silenced(): void;
}

/** Cameras are muted briefly when they start or the device is rotated. Chosen: no prompt is that short. */
const MUTED_MS = 700;
/** A declined call gives the camera back sooner; a person who takes the call is told. Chosen, not measured. */
const SILENCED_MS = 4_000;

export type OpenedCamera =
  | { readonly ok: true; readonly camera: OpenCamera }
  /** `refusal`: null unless `why` is `denied`. */
  | { readonly ok: false; readonly why: CameraFault; readonly refusal: CameraRefusal | null };

/**
 * Requests the camera: the given one, else the one chosen last time, else the one that faces the user.
 * @param chosen deviceId that the person has just chosen
 * @param load what the recording may demand of the device
 * @param events called while the camera is open
 */
export async function openCamera(
  chosen: string | null,
  load: RecordingLoad,
  events: CameraEvents,
): Promise<OpenedCamera> {
  if (!navigator.mediaDevices?.getUserMedia) return { ok: false, why: 'missing', refusal: null };
  try {
    const stream = await request(chosen ?? rememberedCamera(), FRAME_RATES[load]);
    const track = stream.getVideoTracks()[0];
    if (!track) return { ok: false, why: 'missing', refusal: null };
    const watch = watchTrack(track, events);
    const settings = track.getSettings();
    return {
      ok: true,
      camera: {
        stream,
        id: settings.deviceId ?? chosen,
        mirrored: settings.facingMode !== 'environment',
        labelVirtual: VIRTUAL_CAMERA.test(track.label),
        silent: watch.muted,
        stop: () => {
          watch.end();
          for (const each of stream.getTracks()) each.stop();
        },
      },
    };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: '', message: '' };
    const why = cameraFault(name);
    // The person can only choose another camera once one is open, so the browser chooses next time.
    if (why === 'busy') forgetCamera();
    const refusal = refusalOfPolicy() ?? refusalOf(message);
    return { ok: false, why, refusal: why === 'denied' ? refusal : null };
  }
}

/** Reports the track's events until `end` is called. */
function watchTrack(track: MediaStreamTrack, { lost, interrupted, silenced }: CameraEvents) {
  const ending = new AbortController();
  const { signal } = ending;
  let isMuted = false;
  let timers: ReturnType<typeof setTimeout>[] = [];
  const forget = () => {
    for (const timer of timers) clearTimeout(timer);
  };
  const wait = () => {
    forget();
    // iOS takes the camera from a hidden page, and gives it back a moment after the page is visible again.
    if (isMuted && !document.hidden)
      timers = [setTimeout(interrupted, MUTED_MS), setTimeout(silenced, SILENCED_MS)];
  };
  const set = (muted: boolean) => () => {
    isMuted = muted;
    wait();
  };
  track.addEventListener('ended', lost, { signal });
  track.addEventListener('mute', set(true), { signal });
  track.addEventListener('unmute', set(false), { signal });
  document.addEventListener('visibilitychange', wait, { signal });
  signal.addEventListener('abort', forget);
  return { muted: () => isMuted, end: () => ending.abort() };
}

/** Cameras to choose from, by label; empty if there is no choice. Labels are known once a camera has been allowed. */
export async function listCameras(): Promise<readonly CameraChoice[]> {
  const cameras = ((await devices()) ?? []).filter(({ deviceId, label }) => deviceId !== '' && label !== '');
  return cameras.length < 2 ? [] : cameras.map(({ deviceId, label }) => ({ id: deviceId, label }));
}

/** Whether there is a camera; null if the browser does not tell before it has asked. */
export async function hasCamera(): Promise<boolean | null> {
  if (!navigator.mediaDevices?.enumerateDevices) return null;
  const cameras = await devices();
  return cameras && cameras.length > 0;
}

/** The cameras; null if the browser does not say, or not in time. */
async function devices(): Promise<MediaDeviceInfo[] | null> {
  try {
    const all = await within(LISTING_MS, navigator.mediaDevices.enumerateDevices(), null);
    return all?.filter(({ kind }) => kind === 'videoinput') ?? null;
  } catch {
    return null;
  }
}

async function request(id: string | null, frameRate: number): Promise<MediaStream> {
  const common = { ...VIDEO, frameRate: { ideal: frameRate } };
  const ask = (video: MediaTrackConstraints) =>
    navigator.mediaDevices.getUserMedia({ audio: false, video: { ...common, ...video } });
  const facing = { facingMode: { ideal: 'user' } };
  if (id === null) return ask(facing);
  try {
    return await ask({ deviceId: { exact: id } });
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name !== 'OverconstrainedError' && name !== 'NotFoundError') throw error;
    // Unplugged since it was chosen.
    forgetCamera();
    return ask(facing);
  }
}

/**
 * An embedding page must delegate the camera with `allow="camera"`, and a proxy may forbid it with a header of its own;
 * only Chromium tells that.
 */
function refusalOfPolicy(): 'by_frame' | 'by_site' | null {
  const policy = (document as { featurePolicy?: { allowsFeature(name: string): boolean } }).featurePolicy;
  if (policy?.allowsFeature('camera') !== false) return null;
  return window.parent === window ? 'by_site' : 'by_frame';
}
