// A live face swap from one photograph: the victim's face is laid over an actor who answers, mesh on mesh, as programs
// between a camera and a page do. What they show may be recognised as neither of the two.
import { blankPicture, drawSurface, type Picture, type Surface, withoutDepth } from './draw.ts';
import type { Actor, Shot } from './film-attacks.ts';
import { buildHead, type Face, OVAL } from './head.ts';
import { film, frameFace, placed } from './stage.ts';

/** The inside of the lips stays the actor's: a photograph with a closed mouth has no teeth. */
const INSIDE_LIPS = [
  78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308, 324, 318, 402, 317, 14, 87, 178, 88, 95,
];

/** Films the actor, whose own two photographs make the person in front of the camera. */
export function liveSwap(actor: Actor, victim: Actor, shot: Shot): Iterable<Picture> {
  const head = buildHead(actor.neutral, actor.smiling);
  const framing = frameFace(actor.neutral, shot.chance);
  const face = tinted(victim.neutral, actor.neutral);
  const triangles = withinMesh(head.surface.triangles, face);
  return film(shot, (canvas, timeMs, shake) => {
    const pose = shot.performance(timeMs);
    const positions = placed(head.pose(pose), framing, shake);
    drawSurface(canvas, head.surface, positions, { mix: pose.smile });
    layOver(canvas, positions, face, triangles);
  });
}

/** The same over pictures of a real person, each with its mesh. */
export function* swapOver(shown: readonly Face[], victim: Actor): Iterable<Picture> {
  const [first] = shown;
  if (!first) return;
  const face = tinted(victim.neutral, first);
  const triangles = withinMesh(buildHead(victim.neutral, victim.smiling).surface.triangles, face);
  for (const { picture, landmarks } of shown) {
    const canvas = { ...picture, rgb: Uint8Array.from(picture.rgb) };
    layOver(canvas, landmarks, face, triangles);
    yield canvas;
  }
}

/** Draws the face over the one at these positions, faded out towards the outline and the inside of the lips. */
function layOver(canvas: Picture, positions: Float32Array, face: Face, triangles: Uint32Array): void {
  const beneath = blankPicture(canvas.width, canvas.height);
  beneath.rgb.set(canvas.rgb);
  const surface: Surface = {
    triangles,
    picture: beneath,
    places: withoutDepth(positions),
    second: { picture: face.picture, places: withoutDepth(face.landmarks), shares: sharesOf(face) },
  };
  drawSurface(canvas, surface, positions, { mix: 1 });
}

/** The triangles between points of the mesh alone, without hair, neck and background. */
function withinMesh(triangles: Uint32Array, { landmarks }: Face): Uint32Array {
  const count = landmarks.length / 3;
  const kept: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = triangles.subarray(t, t + 3);
    if (corners.every((corner) => corner < count)) kept.push(...corners);
  }
  return Uint32Array.from(kept);
}

function sharesOf({ landmarks }: Face): Float32Array {
  const shares = new Float32Array(landmarks.length / 3).fill(1);
  for (const point of [...OVAL, ...INSIDE_LIPS]) shares[point] = 0;
  return shares;
}

/** The face in the other's light: its mean colour and its contrast, over the points of the mesh. */
function tinted(face: Face, like: Face): Face {
  const { width, height, rgb } = face.picture;
  const picture = blankPicture(width, height);
  const [own, wanted] = [lightOf(face), lightOf(like)];
  const gain = wanted.contrast / Math.max(1, own.contrast);
  for (let i = 0; i < rgb.length; i++) {
    const [from, to] = [own.colour[i % 3]!, wanted.colour[i % 3]!];
    picture.rgb[i] = Math.max(0, Math.min(255, (rgb[i]! - from) * gain + to));
  }
  return { picture, landmarks: face.landmarks };
}

/** Mean of each channel, and the root mean square of all channels around it. */
function lightOf({ picture: { width, height, rgb }, landmarks }: Face): {
  colour: readonly number[];
  contrast: number;
} {
  const at: number[] = [];
  for (let i = 0; i < landmarks.length; i += 3) {
    const [x, y] = [Math.round(landmarks[i]!), Math.round(landmarks[i + 1]!)];
    if (x >= 0 && y >= 0 && x < width && y < height) at.push((y * width + x) * 3);
  }
  const colour = [0, 1, 2].map((channel) => at.reduce((sum, i) => sum + rgb[i + channel]! / at.length, 0));
  const square = (i: number) =>
    colour.reduce((sum, mean, channel) => sum + (rgb[i + channel]! - mean) ** 2, 0);
  return { colour, contrast: Math.sqrt(at.reduce((sum, i) => sum + square(i), 0) / (3 * at.length)) };
}
