// The attacker's camera in the real page: replaces it by a canvas on which the actor's frames are drawn. Sent to the
// page as text, after the actor, so it must be self-contained.
import type { Actor } from './actor.ts';
import type { PagePlan } from './plan.ts';

/** Replaces every camera by the canvas. */
export function cameraScript(plan: PagePlan): void {
  const [width, height, fps] = [plan.width ?? 640, plan.height ?? 480, plan.fps ?? 25];
  const { __actor: actor } = globalThis as unknown as { __actor: Actor };
  const decode = (base64: string) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
  };
  const penOf = (canvas: HTMLCanvasElement, size: [number, number]) => {
    [canvas.width, canvas.height] = size;
    return canvas.getContext('2d', { willReadFrequently: true })!;
  };

  navigator.mediaDevices.getUserMedia = async () => {
    const pictures = await Promise.all((plan.video?.jpegs ?? plan.film!.jpegs).map(decode));
    const still = plan.atRest ? await decode(plan.atRest) : null;
    const canvas = document.createElement('canvas');
    const pen = penOf(canvas, [width, height]);
    const grain = document.createElement('canvas');
    const grainPen = penOf(grain, [width / 2, height / 2]);
    const [noise, phase] = [grainPen.createImageData(width / 2, height / 2), Math.random() * 6];
    const side = Math.min(width, height) * (1 + Math.random() * 0.06);
    const place = (bitmap: ImageBitmap, opacity = 1) => {
      const t = performance.now() / 1000 + phase;
      const sway = side / 160;
      const x = (width - side) / 2 + sway * (Math.sin(t * 1.3) + 0.7 * Math.sin(t * 2.9));
      const y = (height - side) / 2 + sway * 0.7 * Math.sin(t * 1.7);
      pen.globalAlpha = opacity;
      pen.drawImage(bitmap, x, y, side, side);
      pen.globalAlpha = 1;
    };
    let before = pictures[0]!;
    const cover = (bitmap: ImageBitmap, left: number) => {
      const { seam, frames } = plan.jumps!;
      if (seam === 'black') return pen.clearRect(0, 0, width, height);
      place(seam === 'fade' || seam === 'freeze' ? before : bitmap);
      if (seam === 'fade') place(bitmap, 1 - left / (frames + 1));
      if (seam !== 'blur') return;
      grainPen.drawImage(canvas, 0, 0, 16, 12);
      pen.drawImage(grain, 0, 0, 16, 12, 0, 0, width, height);
    };
    const draw = () => {
      const { position, isAtRest, seam } = actor.next();
      const bitmap = still && isAtRest ? still : pictures[position]!;
      pen.filter = `brightness(${plan.brightness ?? 1})`;
      pen.fillStyle = '#5a6158';
      pen.fillRect(0, 0, width, height);
      if (seam > 0) cover(bitmap, seam);
      else place(bitmap);
      if (seam === 0) before = bitmap;
      pen.filter = 'none';
      for (let i = 0; i < noise.data.length; i += 4) {
        noise.data.fill(Math.random() * 255, i, i + 3);
        noise.data[i + 3] = 10;
      }
      grainPen.putImageData(noise, 0, 0);
      pen.drawImage(grain, 0, 0, width, height);
    };
    draw();
    const timer = setInterval(draw, 1000 / fps);
    const stream = canvas.captureStream(fps);
    const [track] = stream.getVideoTracks() as [MediaStreamTrack];
    const stop = track.stop.bind(track);
    track.stop = () => void [clearInterval(timer), stop()];
    return stream;
  };
}
