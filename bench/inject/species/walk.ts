// A person in a film who answers a script: frame after frame in filmed order, forwards into a movement and backwards
// out of it, back and forth at rest, as test/support/virtual-camera.ts plays them in a page.
import sharp from 'sharp';
import type { Script } from '../../../src/contract/script.ts';
import type { CameraFilm } from '../../../test/support/film.ts';
import { anyCamera, exposure, sway } from '../../attacks/camera.ts';
import type { Picture } from '../../attacks/draw.ts';
import type { Chance } from '../../attacks/random.ts';

const FPS = 25;
const SIDE_PX = 400;
/** Recorded after the script's end. */
const TAIL_MS = 120;
const DELAY_MS = { least: 250, most: 700 };
/** Shares of the film's size: how much of it the camera's picture shows, and how far it drifts. */
const VIEW = 0.92;
const DRIFT = 0.012;

/** Which frame of the film is shown at each moment of the script, 25 per second. */
export function walk(
  { rest, moves }: Pick<CameraFilm, 'rest' | 'moves'>,
  script: Script,
  chance: Chance,
): number[] {
  const shown: number[] = [];
  let position = rest.first;
  let doing: string | null = null;
  const wander = (first: number, last: number) =>
    Math.min(last, Math.max(first, position + chance.integer(-1, 1)));
  const endMs = script.steps.at(-1)!.to_ms + TAIL_MS;
  const delays = script.steps.map(() => chance.between(DELAY_MS.least, DELAY_MS.most));
  for (let frame = 0; (frame * 1000) / FPS < endMs; frame++) {
    const timeMs = (frame * 1000) / FPS;
    const step = script.steps.findLastIndex(
      ({ from_ms }, i) => timeMs >= from_ms + (i === 0 ? 0 : delays[i]!),
    );
    const asked = script.steps[step]!.prompt;
    const wanted = asked in moves ? asked : null;
    const move = doing === null ? null : moves[doing]!;
    if (!move) {
      if (wanted === null) position = wander(rest.first, rest.last);
      else if (position < rest.last) position += 1;
      else {
        doing = wanted;
        position = moves[wanted]!.first;
      }
    } else if (doing !== wanted) {
      position -= 1;
      if (position < move.first) {
        doing = null;
        position = rest.last;
      }
    } else if (position < move.heldFrom) position += 1;
    else position = wander(move.heldFrom, move.last);
    shown.push(position);
  }
  return shown;
}

/** The same, as seen by a camera that drifts slightly. */
export async function* picturesOfWalk(
  film: CameraFilm,
  script: Script,
  chance: Chance,
): AsyncGenerator<Picture> {
  const expose = exposure(anyCamera(chance), chance);
  const [x, y] = [sway(chance, 0.15, 0.6), sway(chance, 0.15, 0.6)];
  for (const [frame, position] of walk(film, script, chance).entries()) {
    const timeMs = (frame * 1000) / FPS;
    const jpeg = sharp(Buffer.from(film.jpegs[position]!, 'base64'));
    const { width = 0, height = 0 } = await jpeg.metadata();
    const side = Math.floor(VIEW * Math.min(width, height));
    const spare = { x: width - side, y: height - side };
    const at = (room: number, wave: number, size: number) =>
      Math.round(Math.max(0, Math.min(room, room / 2 + DRIFT * wave * size)));
    const { data } = await jpeg
      .extract({
        left: at(spare.x, x(timeMs), width),
        top: at(spare.y, y(timeMs), height),
        width: side,
        height: side,
      })
      .resize(SIDE_PX, SIDE_PX)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const picture = { width: SIDE_PX, height: SIDE_PX, rgb: new Uint8Array(data) };
    expose(picture);
    yield picture;
  }
}
