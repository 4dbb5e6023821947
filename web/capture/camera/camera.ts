// Opening and closing the camera. One owner of the stream; every way out stops its tracks, so the light goes off.
import type { CameraFault } from '../flow/screens.ts';
import { cameraFault } from './fault.ts';

/** The front camera, no sound: the judgement needs pictures only. */
const CONSTRAINTS: MediaStreamConstraints = {
  audio: false,
  video: {
    facingMode: { ideal: 'user' },
    width: { ideal: 640 },
    height: { ideal: 480 },
    frameRate: { ideal: 30 },
  },
};

const VIRTUAL_CAMERA = /virtual|obs|manycam|snap camera|xsplit|droidcam|iriun|epoccam|splitcam/i;

export interface OpenCamera {
  readonly stream: MediaStream;
  /** The preview of a camera that looks at the user is a mirror; the recording never is. */
  readonly mirrored: boolean;
  /** Whether its label looks like that of a virtual camera. Only a hint for the server. */
  readonly labelVirtual: boolean;
  stop(): void;
}

/** Asks for the camera. `onLost` is called when it ends by itself (unplugged, taken away, permission withdrawn). */
export async function openCamera(
  onLost: () => void,
): Promise<{ ok: true; camera: OpenCamera } | { ok: false; why: CameraFault }> {
  if (!navigator.mediaDevices?.getUserMedia) return { ok: false, why: 'missing' };
  try {
    const stream = await navigator.mediaDevices.getUserMedia(CONSTRAINTS);
    const track = stream.getVideoTracks()[0];
    if (!track) return { ok: false, why: 'missing' };
    track.addEventListener('ended', onLost);
    return {
      ok: true,
      camera: {
        stream,
        mirrored: track.getSettings().facingMode !== 'environment',
        labelVirtual: VIRTUAL_CAMERA.test(track.label),
        stop: () => {
          track.removeEventListener('ended', onLost);
          for (const each of stream.getTracks()) each.stop();
        },
      },
    };
  } catch (error) {
    return { ok: false, why: cameraFault(error instanceof Error ? error.name : '') };
  }
}
