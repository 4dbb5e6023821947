// The camera and recorder that all rendered footage passes through: noise, exposure, shake; ffmpeg as the codec.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Picture } from './draw.ts';
import type { Chance } from './random.ts';

/** How a clip is encoded. */
export interface Recording {
  readonly codec: 'vp8' | 'vp9' | 'h264';
  readonly fps: number;
  readonly kbps: number;
  /** Short side of the recorded frames; absent: as drawn. */
  readonly shortSidePx?: number;
}

/** A camera's imperfections, constant within one clip. */
export interface Camera {
  /** Standard deviation of each pixel's noise, grey levels. */
  readonly noise: number;
  /** Factor on the brightness. */
  readonly gain: number;
  /** How far hands shake it: standard deviation in pixels. */
  readonly shakePx: number;
  /** How far they move it back and forth: standard deviation of the scale. */
  readonly zoom: number;
}

/** What a browser's recorder produces at this bit rate, unless a clip says otherwise. */
export const USUAL: Recording = { codec: 'vp8', fps: 24, kbps: 2000 };

/**
 * On a stand, held steadily, or held loosely in a hand: the one handheld public clip moves by 0.2 eye distances and
 * 0.18 of its scale in 2 s.
 */
export function anyCamera(chance: Chance): Camera {
  const held = chance.pick([0, 0, 0.3, 1]);
  return {
    noise: chance.between(1.5, 5),
    gain: chance.between(0.9, 1.1),
    shakePx: held * chance.between(2, 5),
    zoom: held * chance.between(0.02, 0.06),
  };
}

/** Smooth irregular movement: three slow waves with random phases; about −1.5 to 1.5. */
export function sway(chance: Chance, minHz = 0.15, maxHz = 1.2): (timeMs: number) => number {
  const waves = [1, 0.6, 0.35].map((height) => ({
    height,
    hz: chance.between(minHz, maxHz),
    phase: chance.between(0, 2 * Math.PI),
  }));
  return (timeMs) =>
    waves.reduce(
      (sum, { height, hz, phase }) => sum + height * Math.sin((hz * timeMs * 2 * Math.PI) / 1000 + phase),
      0,
    );
}

const NOISE_LENGTH = 1 << 18;

/** Applies brightness and noise to a drawn frame, in place; each call is a new frame. */
export function exposure(camera: Camera, chance: Chance): (picture: Picture) => void {
  const noise = Int8Array.from({ length: NOISE_LENGTH }, () => Math.round(chance.normal() * camera.noise));
  const gains = new Uint8Array(256).map((_, level) => Math.min(255, Math.round(level * camera.gain)));
  return ({ rgb }) => expose(rgb, gains, noise, chance.integer(0, NOISE_LENGTH - 1));
}

function expose(rgb: Uint8Array, gains: Uint8Array, noise: Int8Array, from: number): void {
  for (let i = 0, at = from; i < rgb.length; i++, at = (at + 1) & (NOISE_LENGTH - 1)) {
    const level = gains[rgb[i]!]! + noise[at]!;
    rgb[i] = level < 0 ? 0 : level > 255 ? 255 : level;
  }
}

const ENCODERS: Readonly<Record<Recording['codec'], readonly string[]>> = {
  vp8: ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'],
  vp9: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-row-mt', '1'],
  h264: ['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'baseline', '-pix_fmt', 'yuv420p'],
};

/** ffmpeg's arguments for one recording, without input and output. */
export function encoderArguments({ codec, fps, kbps, shortSidePx }: Recording): string[] {
  const scale = shortSidePx
    ? [`scale='if(lt(iw,ih),${shortSidePx},-2)':'if(lt(iw,ih),-2,${shortSidePx})'`]
    : ["scale='trunc(iw/2)*2':'trunc(ih/2)*2'"];
  return [
    '-an',
    '-vf',
    scale.join(','),
    '-r',
    String(fps),
    ...ENCODERS[codec],
    '-b:v',
    `${kbps}k`,
    '-threads',
    '1',
  ];
}

/** Records frames of one size into a WebM or MP4 file. */
export async function record(
  path: string,
  recording: Recording,
  pictures: Iterable<Picture> | AsyncIterable<Picture>,
): Promise<void> {
  let encoder: ReturnType<typeof startEncoder> | null = null;
  for await (const picture of pictures) {
    encoder ??= startEncoder(path, recording, picture);
    if (!encoder.stdin.write(Buffer.from(picture.rgb))) await once(encoder.stdin, 'drain');
  }
  if (!encoder) throw new RangeError('no picture to record');
  encoder.stdin.end();
  const [code] = (await once(encoder, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code} on ${path}`);
}

function startEncoder(path: string, recording: Recording, { width, height }: Picture) {
  const input = [
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    '-s',
    `${width}x${height}`,
    '-r',
    String(recording.fps),
  ];
  return spawn(
    'ffmpeg',
    ['-v', 'error', '-y', ...input, '-i', 'pipe:0', ...encoderArguments(recording), path],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
}
