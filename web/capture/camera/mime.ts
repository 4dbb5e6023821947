// Chooses the recording format. Always explicit, because Chromium's default (vp8) drops to 10 fps under load where vp9
// holds 30 (measured when the parts were chosen).

/** In order of preference; the last resort is the browser's own choice. */
export const RECORDING_TYPES = [
  'video/webm;codecs=vp9',
  'video/webm;codecs=vp8',
  'video/mp4;codecs=avc1.42E01E',
  'video/mp4;codecs=avc1',
  'video/mp4',
] as const;

/** The first type that the recorder supports; undefined leaves the choice to the browser. */
export function chooseRecordingType(isSupported: (type: string) => boolean): string | undefined {
  return RECORDING_TYPES.find(isSupported);
}
