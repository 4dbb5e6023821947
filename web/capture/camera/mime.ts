// Which formats the browser's recorder may be asked for, best first. Always explicit, because Chromium's default (vp8)
// drops to 10 frames a second under load where vp9 holds 30 (measured when the parts were chosen).

/** What most devices encode in hardware, where they do. */
const H264 = 'video/mp4;codecs=avc1.42E01E';
/** After a format that fails comes one of the other container. */
const RECORDING_TYPES = [
  'video/webm;codecs=vp9',
  H264,
  'video/webm;codecs=vp8',
  'video/mp4;codecs=avc1',
  'video/mp4',
] as const;

/** What the browser says about its recorder. */
export interface RecorderSupport {
  isSupported(type: string): boolean;
  /** Whether encoding it takes little power, so that the main processor is spared. */
  isEfficient(type: string): Promise<boolean>;
}

/** The types that the recorder supports; empty leaves the choice to the browser. */
export async function rankedTypes({ isSupported, isEfficient }: RecorderSupport): Promise<string[]> {
  const types = RECORDING_TYPES.filter(isSupported);
  if (!types.includes(H264) || !(await isEfficient(H264))) return types;
  return [H264, ...types.filter((type) => type !== H264)];
}

/** As this browser says; how long it takes to say so is not bounded. */
export const ownSupport: RecorderSupport = {
  isSupported: (type) => MediaRecorder.isTypeSupported(type),
  isEfficient: async (contentType) => {
    const video = { contentType, width: 640, height: 480, bitrate: 2_000_000, framerate: 30 };
    try {
      return (await navigator.mediaCapabilities.encodingInfo({ type: 'record', video })).powerEfficient;
    } catch {
      // Not told of recorders.
      return false;
    }
  },
};
