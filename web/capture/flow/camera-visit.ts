// A visit to the camera screens: the open camera, and whatever must end when the person leaves them.
import { listCameras, type OpenCamera, openCamera, type RecordingLoad } from '../camera/camera.ts';
import { findRecordingType } from '../camera/format-probe.ts';
import { picturesOf } from '../camera/pace.ts';
import { forgetCamera, rememberCamera } from '../camera/remembered.ts';
import type { Guide } from '../guidance/guide.ts';
import type { PageEvent } from './screens.ts';
import { startVideo } from './start-video.ts';

export interface CameraVisit {
  /** Aborted when the current visit ends. */
  signal(): AbortSignal;
  camera(): OpenCamera | null;
  /** What to record from the open camera, as soon as it is known; undefined leaves it to the browser. */
  recordingType(): Promise<string | undefined>;
  /** Opens the camera into the preview; dispatches `camera_opened` or `camera_failed`. */
  open(chosen: string | null, load: RecordingLoad): Promise<void>;
  /** Dispatches the event after `afterMs`, unless the visit ends first. */
  later(afterMs: number, event: PageEvent): void;
  /** Stops the camera and everything that depends on it. */
  end(): void;
}

/** Creates a visit without an open camera. */
export function createCameraVisit(
  video: HTMLVideoElement,
  guide: Pick<Guide, 'rest'>,
  dispatch: (event: PageEvent) => void,
): CameraVisit {
  let camera: OpenCamera | null = null;
  let ending = new AbortController();
  let recordingType: Promise<string | undefined> = Promise.resolve(undefined);
  /** Of the camera tried last: another try with it needs no other trial. */
  let found: { readonly cameraId: string | null; readonly type: string | undefined } | null = null;

  const findType = async ({ stream, id }: OpenCamera, load: RecordingLoad, signal: AbortSignal) => {
    if (found && found.cameraId === id) return found.type;
    const size = { width: video.videoWidth, height: video.videoHeight };
    const type = await findRecordingType(stream, load, { size, frames: () => picturesOf(video) }, signal);
    if (!signal.aborted) found = { cameraId: id, type };
    return type;
  };

  const end = () => {
    ending.abort();
    ending = new AbortController();
    guide.rest();
    camera?.stop();
    camera = null;
    video.srcObject = null;
  };

  const open = async (chosen: string | null, load: RecordingLoad) => {
    // One camera at a time: the previous one is switched off, and a pending permission prompt's answer is ignored.
    end();
    const { signal } = ending;
    const opened = await openCamera(chosen, load, {
      lost: () => dispatch({ type: 'recording_failed', why: 'camera_lost' }),
      interrupted: () => dispatch({ type: 'recording_failed', why: 'interrupted' }),
      silenced: () => dispatch({ type: 'camera_silent' }),
    });
    if (signal.aborted) return opened.ok ? opened.camera.stop() : undefined;
    if (!opened.ok) return dispatch({ type: 'camera_failed', why: opened.why, refusal: opened.refusal });
    camera = opened.camera;
    const { stream, id: cameraId } = camera;
    const [plays, cameras] = await Promise.all([startVideo(video, stream), listCameras()]);
    if (signal.aborted) return;
    if (!plays) {
      forgetCamera();
      return dispatch({ type: 'camera_failed', why: 'busy', refusal: null });
    }
    if (chosen !== null) rememberCamera(chosen);
    recordingType = findType(camera, load, signal);
    dispatch({ type: 'camera_opened', cameras, cameraId });
  };

  const later = (afterMs: number, event: PageEvent) => {
    const { signal } = ending;
    setTimeout(() => {
      if (!signal.aborted) dispatch(event);
    }, afterMs);
  };

  return {
    signal: () => ending.signal,
    camera: () => camera,
    recordingType: () => recordingType,
    open,
    later,
    end,
  };
}
