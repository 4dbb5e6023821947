// Pictures between two frames of one camera: both are bent to the mesh in between, and one is faded into the other.
import Delaunator from 'delaunator';
import { blankPicture, drawSurface, type Picture, withoutDepth } from './draw.ts';
import { type Face, OVAL } from './head.ts';

/** How far outside the face hair and neck follow it. */
const OUT = 1.35;
/** Points on each side of the picture, which stay where they are. */
const BORDER_STEPS = 6;

/** The picture a share of the way from one face to the other. */
export function between(one: Face, other: Face, share: number): Picture {
  const [from, to] = [verticesOf(one), verticesOf(other)];
  const positions = from.map((value, i) => value + share * (to[i]! - value));
  const { width, height } = one.picture;
  const surface = {
    triangles: new Uint32Array(new Delaunator(withoutDepth(positions)).triangles),
    picture: one.picture,
    places: withoutDepth(from),
    second: {
      picture: other.picture,
      places: withoutDepth(to),
      shares: new Float32Array(positions.length / 3).fill(1),
    },
  };
  const canvas = blankPicture(width, height);
  drawSurface(canvas, surface, positions, { mix: share });
  return canvas;
}

/** x, y, z of the mesh, of a ring around it and of the picture's border. */
function verticesOf({ picture: { width, height }, landmarks }: Face): Float32Array {
  const middle = [0, 1].map((axis) =>
    OVAL.reduce((sum, point) => sum + landmarks[point * 3 + axis]! / OVAL.length, 0),
  ) as [number, number];
  const within = (value: number, most: number) => Math.max(1, Math.min(most - 1, value));
  const ring = OVAL.flatMap((point) => [
    within(middle[0] + OUT * (landmarks[point * 3]! - middle[0]), width),
    within(middle[1] + OUT * (landmarks[point * 3 + 1]! - middle[1]), height),
    1,
  ]);
  const border = Array.from({ length: BORDER_STEPS }, (_, i) => i / BORDER_STEPS).flatMap((along) => {
    const back = 1 - along;
    return [along * width, 0, 2, width, along * height, 2, back * width, height, 2, 0, back * height, 2];
  });
  return Float32Array.from([...landmarks, ...ring, ...border]);
}
