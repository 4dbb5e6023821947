// A rendered person for the tests' camera, built from two moments of a clip: rests, smiles and turns the nose to any dot
// in one unbroken shot. It is the puppet of the attack generator (bench/attacks/head.ts), and passes as puppets do: it
// tests the page and the protocol, not whether the judgement can tell a person from a puppet.
import sharp from 'sharp';
import { turnedTo } from '../../bench/attacks/aim.ts';
import { blankPicture, drawSurface, type Picture } from '../../bench/attacks/draw.ts';
import { AT_REST, buildHead, type Face, type Head, type Pose } from '../../bench/attacks/head.ts';
import { eased } from '../../bench/attacks/performance.ts';
import { directionOf, restingFaceOf, upperFaceOf } from '../../src/contract/head-direction.ts';
import { type Direction, turnOf } from '../../src/contract/target.ts';
import { trackFaces } from '../../src/evaluation/face/track.ts';
import { loadModels, type Models } from '../../src/models/load.ts';
import { compiledModelsDir } from './compiled-models.ts';
import type { CameraFilm, Look } from './film.ts';

/** Pictures per second. */
const FPS = 25;
const REST_PICTURES = 8;
const WAY_PICTURES = 12;
const HELD_PICTURES = 10;
/** How far an idle head sways, radians. */
const SWAY = 0.02;
/**
 * Distance between neighbouring looks, and of the farthest from the middle, in scaled degrees as they are rendered. A
 * head that steps by 3° is taken for one that is cut at its prompts where bright light adds contrast.
 */
const LOOKS_APART = 2.5;
const LOOKS_REACH = 26;

function lookingTo(direction: Direction): Pose {
  const turn = turnedTo(direction);
  return { ...AT_REST, ...turn, shiftX: 0.12 * turn.yaw };
}

/**
 * Renders the film of a person from a picture at rest and one that smiles; both square. Its looks are where the mesh sees
 * them, as the person on the page does by the pointer.
 */
export async function filmOfHead(resting: Buffer, smiling: Buffer): Promise<CameraFilm> {
  const models = await loadModels({ modelsDir: await compiledModelsDir(), threads: 1 });
  try {
    const [neutral, smile] = await facesOf(models, [resting, smiling]);
    const film = await filmOfPuppet(buildHead(neutral!, smile!), neutral!.picture);
    return { ...film, looks: await looksSeen(models, film) };
  } finally {
    await models.close();
  }
}

/** A mesh sees a head turned by up to 4° more or less than it was rendered: of 144 dots 11 were not met. */
async function looksSeen(models: Models, { jpegs, rest, looks = [] }: CameraFilm): Promise<Look[]> {
  const pictures = await Promise.all(jpegs.map((jpeg) => pictureOf(Buffer.from(jpeg, 'base64'))));
  const seen = await trackFaces(
    models,
    pictures.map((picture, i) => ({ ...picture, timeMs: (i * 1000) / FPS })),
  );
  const upperFaces = seen.map(({ face }) => face && upperFaceOf(face.landmarks));
  const resting = restingFaceOf(upperFaces.slice(rest.first, rest.last + 1).filter((face) => face !== null))!;
  return looks.flatMap(({ picture }) => {
    const face = upperFaces[picture];
    return face ? [{ picture, ...directionOf(face, resting) }] : [];
  });
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
  const first = jpegs.length;
  for (let i = 1; i <= WAY_PICTURES; i++) await show({ ...AT_REST, smile: eased(i / WAY_PICTURES) });
  const heldFrom = jpegs.length - 1;
  for (let i = 1; i <= HELD_PICTURES; i++) await show(swaying({ ...AT_REST, smile: 1 }, i));
  const smile = { first, heldFrom, last: jpegs.length - 1 };
  const looks: Look[] = [];
  for (const direction of everyLook()) {
    looks.push({ picture: jpegs.length, ...direction });
    await show(lookingTo(direction));
  }
  return { jpegs, width, rest: { first: 0, last: REST_PICTURES - 1 }, moves: { smile }, looks };
}

/** A grid of directions in which the head can look. */
function* everyLook(): Generator<Direction> {
  const steps = Math.floor(LOOKS_REACH / LOOKS_APART);
  for (let row = -steps; row <= steps; row++)
    for (let column = -steps; column <= steps; column++) {
      const direction = { x: column * LOOKS_APART, y: row * LOOKS_APART };
      if (turnOf(direction) <= LOOKS_REACH) yield direction;
    }
}

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

async function facesOf(models: Models, jpegs: readonly Buffer[]): Promise<Face[]> {
  const faces: Face[] = [];
  for (const picture of await Promise.all(jpegs.map(pictureOf))) {
    const [seen] = await trackFaces(models, [{ ...picture, timeMs: 0 }]);
    if (!seen?.face) throw new Error('a picture of the head shows no face');
    faces.push({ picture, landmarks: seen.face.landmarks });
  }
  return faces;
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
