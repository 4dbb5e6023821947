// What an attacker's camera plays in a page, made from photographs or from a video.
import sharp from 'sharp';
import type { CameraFilm } from '../../../test/support/film.ts';
import { filmOfPuppet } from '../../../test/support/turning-head.ts';
import { blankPicture, drawSurface, type Picture, type Surface } from '../../attacks/draw.ts';
import { readPictures } from '../../attacks/edit-attacks.ts';
import type { Actor } from '../../attacks/film-attacks.ts';
import { buildHead, type Face, type Head } from '../../attacks/head.ts';
import { chanceOf } from '../../attacks/random.ts';
import { frameFace, STAGE } from '../../attacks/stage.ts';
import type { PagePlan } from './plan.ts';

/** Side of the images in pixels: the camera's picture shows them 480 high. */
const SIDE_PX = 480;

/** A puppet of the person, or of one photograph that smiles the way `donor` does. */
export async function pageOfPuppet(actor: Actor, donor?: Actor): Promise<CameraFilm> {
  return filmOfPuppet(onPage(actor, donor), SIZE);
}

const SIZE = { width: SIDE_PX, height: SIDE_PX };

/** A head as placed in a page's images. */
function onPage({ neutral, smiling }: Actor, donor?: Actor): Head {
  const borrowed = donor?.smiling ? { neutral: donor.neutral, smiling: donor.smiling } : null;
  const head = buildHead(neutral, smiling, smiling ? null : borrowed);
  const { scale: onStage, left, top } = frameFace(neutral, chanceOf('page'));
  // frameFace fills a canvas of the stage's size; this one is larger.
  const scale = (onStage * SIDE_PX) / STAGE.width;
  return {
    surface: head.surface,
    pose: (pose) => {
      const positions = head.pose(pose);
      for (let i = 0; i < positions.length; i += 3) {
        positions[i] = (positions[i]! - left) * scale;
        positions[i + 1] = (positions[i + 1]! - top) * scale;
      }
      return positions;
    },
  };
}

/** A video, frame by frame at this rate. */
export async function pageOfVideo(path: string, fps: number): Promise<PagePlan> {
  const jpegs: string[] = [];
  for (const picture of await readPictures(path, fps)) jpegs.push(await jpegOf(picture));
  return { film: null, video: { jpegs, fps } };
}

/** The person's photograph, framed like the puppet. */
export async function stillOf({ neutral }: Actor): Promise<string> {
  return jpegOf(framed(neutral));
}

function framed(face: Face): Picture {
  const { scale, left, top } = frameFace(face, chanceOf('page'));
  const factor = (scale * SIDE_PX) / STAGE.width;
  const { width, height } = face.picture;
  const corners = [0, 0, width, 0, 0, height, width, height];
  const surface: Surface = {
    picture: face.picture,
    places: Float32Array.from(corners),
    triangles: Uint32Array.from([0, 1, 2, 1, 3, 2]),
  };
  const positions = Float32Array.from(
    [0, 1, 2, 3].flatMap((i) => [(corners[2 * i]! - left) * factor, (corners[2 * i + 1]! - top) * factor, 0]),
  );
  const canvas = blankPicture(SIDE_PX, SIDE_PX, 60);
  drawSurface(canvas, surface, positions);
  return canvas;
}

async function jpegOf({ width, height, rgb }: Picture): Promise<string> {
  const jpeg = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer();
  return jpeg.toString('base64');
}
