// Shows the camera's stream in the preview and waits for its first frame.

/** Some cameras open but never deliver a frame (held by another program); after this time they count as busy. */
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
  // Autoplay of a muted inline video is allowed everywhere; if a WebView refuses it, the stream still records.
  video.play().catch(() => undefined);
  return firstFrame;
}
