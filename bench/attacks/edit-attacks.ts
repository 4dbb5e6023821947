// Attacks made from footage: looped, re-timed, upsampled, or played on a screen before the camera.
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { encoderArguments, type Recording, sway } from './camera.ts';
import { blankPicture, drawSurface, type Picture } from './draw.ts';
import type { Chance } from './random.ts';
import { buildSheet, type Film, film, SHEET_AT_REST, STAGE } from './stage.ts';

const run = promisify(execFile);

/** Re-encodes `from` through ffmpeg's filter graph `[0:v]…[out]`, cut at `durationMs`. */
export async function rewrite(
  from: string,
  to: string,
  graph: string,
  recording: Recording,
  durationMs: number,
): Promise<void> {
  const [filterOption, filter, ...encoder] = encoderArguments(recording).slice(1);
  if (filterOption !== '-vf') throw new Error('the encoder no longer begins with its scale filter');
  const ends = ['-t', (durationMs / 1000).toFixed(3)];
  await run(
    'ffmpeg',
    [
      ['-nostdin', '-v', 'error', '-y', '-i', from, '-an'],
      ['-filter_complex', `[0:v]${graph},${filter}[out]`, '-map', '[out]', ...encoder, ...ends, to],
    ].flat(),
  );
}

/** Footage that repeats, forwards, or forwards and backwards. */
export function looping(chance: Chance, lengthMs: number, fps: number): string {
  const frames = Math.round((lengthMs / 1000) * fps);
  const piece = `trim=end_frame=${frames},setpts=PTS-STARTPTS`;
  const pingPong = chance.pick([true, false]);
  const period = pingPong ? `${piece},split[there][back];[back]reverse[back2];[there][back2]concat` : piece;
  return `fps=${fps},${period},loop=loop=-1:size=${pingPong ? 2 * frames : frames},setpts=N/${fps}/TB`;
}

/** Footage played faster or slower, with frames blended into new ones. */
export function retimed(chance: Chance): string {
  const factor = chance.pick([chance.between(0.75, 0.92), chance.between(1.08, 1.35)]);
  return `setpts=${factor.toFixed(3)}*PTS,framerate=fps=24`;
}

/** Footage of few pixels and few frames, upsampled to look like more. */
export function upsampled(chance: Chance): string {
  const { width, height } = STAGE;
  const size = Math.round(chance.between(0.35, 0.6) * width);
  return `fps=${chance.integer(7, 10)},scale=${size}:-2,scale=${width}:${height}:flags=lanczos,framerate=fps=24`;
}

/** All frames of a clip at this rate, at the size of the stage. */
export function readPictures(path: string, fps: number): Promise<Picture[]> {
  const { width, height } = STAGE;
  const fit = `fps=${fps},scale=${width}:${height}:force_original_aspect_ratio=increase,crop=${width}:${height}`;
  return picturesOf(['-i', path, '-vf', fit], STAGE);
}

/**
 * The pictures between the first and the last of a series, made anew from those around them by motion compensation.
 * @param from index of the first picture that is dropped; `to`: of the last
 */
export function interpolated(
  pictures: readonly Picture[],
  from: number,
  to: number,
  fps: number,
): Promise<Picture[]> {
  const { width, height } = pictures[0]!;
  const input = `-f rawvideo -pix_fmt rgb24 -s ${width}x${height} -r ${fps} -i pipe:0`.split(' ');
  const graph = `select='not(between(n,${from},${to}))',minterpolate=fps=${fps}:mi_mode=mci:mc_mode=aobmc:scd=none`;
  const bytes = Buffer.concat(pictures.map(({ rgb }) => rgb));
  return picturesOf([...input, '-vf', graph, '-fps_mode', 'passthrough'], { width, height }, bytes);
}

async function picturesOf(
  input: readonly string[],
  { width, height }: Pick<Picture, 'width' | 'height'>,
  stdin?: Buffer,
): Promise<Picture[]> {
  const output = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'];
  const decoder = spawn('ffmpeg', ['-v', 'error', ...input, ...output], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  decoder.stdin.end(stdin);
  const chunks: Buffer[] = [];
  for await (const chunk of decoder.stdout) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const size = width * height * 3;
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, i) => ({
    width,
    height,
    rgb: new Uint8Array(bytes.subarray(i * size, (i + 1) * size)),
  }));
}

/**
 * Footage on a screen in front of the camera: its pixels, gamma and tint, its light on black, a bezel, a reflection;
 * the screen lies still or is held in a hand. Without moiré, which a camera this far away seldom shows.
 */
export function onScreen(pictures: readonly Picture[], fps: number, shot: Film): Iterable<Picture> {
  const { chance } = shot;
  const bezel = Math.round(chance.between(0, 0.08) * STAGE.width);
  const side = STAGE.width + 2 * bezel;
  const glass = blankPicture(side, side, 12);
  const light = screenLight(chance);
  const framing = { scale: STAGE.width / side, left: 0, top: 0 };
  const sheet = buildSheet(glass, framing, chance.between(0.85, 1.25));
  const held = chance.pick([0, 0, 1]);
  const [x, y, yaw] = [sway(chance), sway(chance), sway(chance)];
  const slant = chance.between(-0.12, 0.12);
  return film(shot, (canvas, timeMs, shake) => {
    const picture = pictures[Math.min(pictures.length - 1, Math.floor((timeMs / 1000) * fps))]!;
    light(picture, glass, bezel);
    const pose = {
      ...SHEET_AT_REST,
      shiftX: held * 0.015 * x(timeMs),
      shiftY: held * 0.015 * y(timeMs),
      yaw: slant + held * 0.04 * yaw(timeMs),
    };
    drawSurface(canvas, sheet.surface, sheet.pose(pose, shake));
  });
}

/** Copies a picture onto the glass as a screen shows it. */
function screenLight(chance: Chance): (picture: Picture, glass: Picture, bezel: number) => void {
  const gamma = chance.between(0.85, 1.35);
  const black = chance.between(6, 26);
  const tints = [chance.between(0.9, 1), chance.between(0.94, 1), chance.between(0.96, 1.06)];
  const levels = tints.map((tint) =>
    Uint8Array.from({ length: 256 }, (_, level) =>
      Math.min(255, black + (255 - black) * tint * (level / 255) ** gamma),
    ),
  );
  const glare = { x: chance.between(0, 1), y: chance.between(0, 1), size: chance.between(0.1, 0.3) };
  const strength = chance.pick([0, chance.between(15, 70)]);
  let reflection: Uint8Array | null = null;
  return (picture, glass, bezel) => {
    reflection ??= reflectionOf(picture, glare, strength);
    const { width, height, rgb } = picture;
    for (let y = 0; y < height; y++) {
      let to = ((y + bezel) * glass.width + bezel) * 3;
      for (let x = 0, from = y * width * 3; x < width; x++) {
        const shine = reflection[y * width + x]!;
        for (let channel = 0; channel < 3; channel++, from++, to++)
          glass.rgb[to] = Math.min(255, levels[channel]![rgb[from]!]! + shine);
      }
    }
  };
}

function reflectionOf(
  { width, height }: Picture,
  { x, y, size }: { x: number; y: number; size: number },
  strength: number,
): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, i) => {
    const dx = (i % width) / width - x;
    const dy = Math.floor(i / width) / height - y;
    return strength * Math.exp(-(dx * dx + dy * dy) / (2 * size * size));
  });
}
