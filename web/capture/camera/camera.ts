// Opening and closing the camera. One owner of the stream; every way out stops its tracks, so the light goes off.
import { within } from '../time/within.ts';
import { type CameraFault, cameraFault, type Refusal, refusalOf } from './fault.ts';
import { forgetCamera, rememberedCamera } from './remembered.ts';

/** How much a recording asks of the device: `light` where the page found it too slow for all. */
export type RecordingLoad = 'full' | 'light';

/**
 * Pictures a second. Each recorded one costs the page's own thread some time, whatever its size (0.1 ms, and a third of all that it did
 * when slowed 20 times): half of them is the most that can be spared, as the judgement looks at 12.
 */
const FRAME_RATES: Readonly<Record<RecordingLoad, number>> = { full: 30, light: 15 };

/** The front camera, no sound: the judgement needs pictures only. */
const VIDEO: MediaTrackConstraints = { width: { ideal: 640 }, height: { ideal: 480 } };

/** A list of the devices takes milliseconds; the check goes on without one. Chosen, not measured. */
const LISTING_MS = 3_000;

const VIRTUAL_CAMERA = /virtual|obs|manycam|snap camera|xsplit|droidcam|iriun|epoccam|splitcam/i;

/** A camera that the person may choose. */
export interface CameraChoice {
  readonly id: string;
  readonly label: string;
}

export interface OpenCamera {
  readonly stream: MediaStream;
  /** deviceId; null where the browser does not say. */
  readonly id: string | null;
  /** The preview of a camera that looks at the user is a mirror; the recording never is. */
  readonly mirrored: boolean;
  /** Whether its label looks like that of a virtual camera. Only a hint for the server. */
  readonly labelVirtual: boolean;
  /** Whether it delivers nothing now: what the preview shows stands still. */
  silent(): boolean;
  stop(): void;
}

/** What befalls an open camera. */
export interface CameraEvents {
  /** It has ended by itself (unplugged, taken away, permission withdrawn). */
  lost(): void;
  /** It has delivered nothing for a while: a call came in, another app has taken it. It may come back. */
  interrupted(): void;
  /** It has been away for so long, with the page in view, that nobody sees why nothing goes on. */
  silenced(): void;
}

/** Cameras are mute for a moment when they start or the device turns. Chosen: no prompt is that short. */
const MUTED_MS = 700;
/** A call that is declined gives the camera back before that; whoever takes the call is told. Chosen, not measured. */
const SILENCED_MS = 4_000;

export type OpenedCamera =
  | { readonly ok: true; readonly camera: OpenCamera }
  /** `refusal`: of a denied one. */
  | { readonly ok: false; readonly why: CameraFault; readonly refusal: Refusal | null };

/**
 * Asks for the camera: the one given, else the one chosen the last time, else the one that faces the user.
 * @param chosen deviceId that the person has just chosen
 * @param load what it is to be recorded for
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
    // Nobody can choose another one before one is open: the next time the choice is the browser's.
    if (why === 'busy') forgetCamera();
    const refusal = withheldByFrame() ? 'by_frame' : refusalOf(message);
    return { ok: false, why, refusal: why === 'denied' ? refusal : null };
  }
}

/** Calls back for the track until it is ended. */
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
    // iOS takes the camera from a page that nobody sees, and gives it back a moment after the page is seen again.
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

/** Cameras to choose from, by name; empty where there is no choice. Names are known once one has been allowed. */
export async function listCameras(): Promise<readonly CameraChoice[]> {
  const cameras = ((await devices()) ?? []).filter(({ deviceId, label }) => deviceId !== '' && label !== '');
  return cameras.length < 2 ? [] : cameras.map(({ deviceId, label }) => ({ id: deviceId, label }));
}

/** Whether a camera is there; null where the browser does not tell before it has asked. */
export async function hasCamera(): Promise<boolean | null> {
  if (!navigator.mediaDevices?.enumerateDevices) return null;
  const cameras = await devices();
  return cameras && cameras.length > 0;
}

/** The cameras; null where the browser does not say, or not in time. */
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

/** An embedding page has to pass the camera on with `allow="camera"`; only Chromium tells when it has not. */
function withheldByFrame(): boolean {
  const policy = (document as { featurePolicy?: { allowsFeature(name: string): boolean } }).featurePolicy;
  return window.parent !== window && policy?.allowsFeature('camera') === false;
}
