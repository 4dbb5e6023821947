// A rendered person for the tests' camera, built from two moments of a clip: rests, smiles and turns the head both ways
// in one unbroken shot. It is the puppet of the attack generator (bench/attacks/head.ts), and passes as puppets do: it
// tests the page and the protocol, not whether the judgement can tell a person from a puppet.
import sharp from 'sharp';
import { blankPicture, drawSurface, type Picture } from '../../bench/attacks/draw.ts';
import { AT_REST, buildHead, type Face, type Head, type Pose } from '../../bench/attacks/head.ts';
import { eased } from '../../bench/attacks/performance.ts';
import { trackFaces } from '../../src/evaluation/face/track.ts';
import { loadModels } from '../../src/models/load.ts';
import { compiledModelsDir } from './compiled-models.ts';
import type { CameraFilm, Look } from './film.ts';

const REST_PICTURES = 8;
const WAY_PICTURES = 12;
const HELD_PICTURES = 10;
/** A turn that the page and the judgement both count, radians. */
const TURN = 0.5;
/** How far an idle head sways, radians. */
const SWAY = 0.02;

const MOVES: Readonly<Record<string, Partial<Pose>>> = {
  smile: { smile: 1 },
  turn_left: { yaw: TURN },
  turn_right: { yaw: -TURN },
};

/** Renders the film of a person from a picture at rest and one that smiles; both square. */
export async function filmOfHead(resting: Buffer, smiling: Buffer): Promise<CameraFilm> {
  const [neutral, smile] = await facesOf([resting, smiling]);
  return filmOfPuppet(buildHead(neutral!, smile!), neutral!.picture);
}

/** Number of places to look at, in each direction from the middle of a path to its edge. */
const LOOKS = 9;
/** The head's turn from the middle of a path to its edge, radians. */
const REACH = { yaw: 0.36, pitch: 0.3 };

/** The same person, who also follows a path with the nose. */
export async function filmOfFollower(resting: Buffer, smiling: Buffer): Promise<CameraFilm> {
  const [neutral, smile] = await facesOf([resting, smiling]);
  return followerOfPuppet(buildHead(neutral!, smile!), neutral!.picture);
}

/** A film of a head that can be posed, which also follows a path. The size is that of the picture it was built from. */
export async function followerOfPuppet(
  head: Head,
  { width, height }: Pick<Picture, 'width' | 'height'>,
): Promise<CameraFilm> {
  const film = await filmOfPuppet(head, { width, height });
  const jpegs = [...film.jpegs];
  const looks: Look[] = [];
  for (let row = -LOOKS; row <= LOOKS; row++)
    for (let column = -LOOKS; column <= LOOKS; column++) {
      const [x, y] = [column / LOOKS, row / LOOKS];
      // No path reaches a corner.
      if (Math.hypot(x, y) > 1.08) continue;
      const canvas = blankPicture(width, height);
      const yaw = REACH.yaw * x;
      drawSurface(canvas, head.surface, head.pose({ ...AT_REST, yaw, pitch: REACH.pitch * y }), { mix: 0 });
      looks.push({ picture: jpegs.length, x: 100 * x, y: 100 * y });
      jpegs.push(await jpegOf(canvas));
    }
  return { ...film, jpegs, looks };
}

/** The film of any head that can be posed. The size is that of the picture it was built from. */
export async function filmOfPuppet(
  head: Head,
  { width, height }: Pick<Picture, 'width' | 'height'>,
): Promise<CameraFilm> {
  const jpegs: string[] = [];
  const show = async (pose: Pose) => {
    const canvas = blankPicture(width, height);
    drawSurface(canvas, head.surface, head.pose(pose), { mix: pose.smile });
    jpegs.push(await jpegOf(canvas));
  };
  for (let i = 1; i <= REST_PICTURES; i++) await show(swaying(AT_REST, REST_PICTURES - i));
  const moves: CameraFilm['moves'] = {};
  for (const [prompt, move] of Object.entries(MOVES)) {
    const first = jpegs.length;
    for (let i = 1; i <= WAY_PICTURES; i++) await show(towards(move, eased(i / WAY_PICTURES)));
    const heldFrom = jpegs.length - 1;
    for (let i = 1; i <= HELD_PICTURES; i++) await show(swaying(towards(move, 1), i));
    moves[prompt] = { first, heldFrom, last: jpegs.length - 1 };
  }
  return { jpegs, width, rest: { first: 0, last: REST_PICTURES - 1 }, moves };
}

const towards = ({ yaw = 0, smile = 0 }: Partial<Pose>, share: number): Pose => ({
  ...AT_REST,
  yaw: yaw * share,
  smile: smile * share,
  shiftX: 0.12 * yaw * share,
});

/** The pose `steps` pictures away from the given one, along a small arc. */
function swaying(pose: Pose, steps: number): Pose {
  const along = Math.sin((steps / REST_PICTURES) * Math.PI * 0.5);
  return {
    ...pose,
    yaw: pose.yaw + SWAY * along,
    pitch: SWAY * along,
    roll: 0.6 * SWAY * Math.sin(steps / 2),
    shiftX: pose.shiftX + 0.03 * along,
    shiftY: 0.02 * Math.sin(steps / 3),
    jaw: 0.006 * along,
  };
}

async function facesOf(jpegs: readonly Buffer[]): Promise<Face[]> {
  const models = await loadModels({ modelsDir: await compiledModelsDir(), threads: 1 });
  try {
    const faces: Face[] = [];
    for (const picture of await Promise.all(jpegs.map(pictureOf))) {
      const [seen] = await trackFaces(models, [{ ...picture, timeMs: 0 }]);
      if (!seen?.face) throw new Error('a picture of the head shows no face');
      faces.push({ picture, landmarks: seen.face.landmarks });
    }
    return faces;
  } finally {
    await models.close();
  }
}

async function pictureOf(jpeg: Buffer): Promise<Picture> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: new Uint8Array(data) };
}

async function jpegOf({ width, height, rgb }: Picture): Promise<string> {
  const jpeg = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer();
  return jpeg.toString('base64');
}
