// Puts the camera's stream into the preview and waits for its first picture.

/** Some cameras open and never deliver (held by another program): after this they count as busy. */
const FIRST_FRAME_TIMEOUT_MS = 8_000;

/** Resolves to whether the video shows frames. */
export async function startVideo(video: HTMLVideoElement, stream: MediaStream): Promise<boolean> {
  video.srcObject = stream;
  const firstFrame = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), FIRST_FRAME_TIMEOUT_MS);
    const seen = () => {
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return;
      clearTimeout(timer);
      video.removeEventListener('loadeddata', seen);
      resolve(true);
    };
    video.addEventListener('loadeddata', seen);
    seen();
  });
  // Autoplay of a muted inline preview is allowed everywhere; where a WebView refuses, the stream still records.
  video.play().catch(() => undefined);
  return firstFrame;
}
