// Places a head, a sheet or a screen in front of the camera: turns surfaces and movements into the frames of a clip.
import type { Camera } from './camera.ts';
import { exposure, sway } from './camera.ts';
import { blankPicture, drawSurface, type Picture, type Surface } from './draw.ts';
import type { Face, Head } from './head.ts';
import type { Performance } from './performance.ts';
import type { Chance } from './random.ts';

/** Size of the rendered frames: the smallest that leaves at least 50 pixels between the eyes. */
export const STAGE = { width: 320, height: 320 } as const;

/** Maps photograph pixels to canvas pixels: the square of the photograph that fills the canvas. */
export interface Framing {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** Frames a photograph around its face: at a selfie's distance if the photograph is large enough, else all of it. */
export function frameFace(face: Face, chance: Chance): Framing {
  const { width, height } = face.picture;
  const box = bounds(face.landmarks);
  const wanted = (box.bottom - box.top) * chance.between(1.9, 2.5);
  const side = Math.min(width, height, wanted);
  const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));
  return {
    scale: STAGE.width / side,
    left: clamp((box.left + box.right - side) / 2, width - side),
    top: clamp((box.top + box.bottom - side) / 2, height - side),
  };
}

/** Films a performing head, frame after frame; `face` is the photograph that it was built from. */
export function* filmHead(head: Head, face: Face, performance: Performance, shot: Film): Generator<Picture> {
  const framing = frameFace(face, shot.chance);
  yield* film(shot, (canvas, timeMs, shake) => {
    const pose = performance(timeMs);
    drawSurface(canvas, head.surface, placed(head.pose(pose), framing, shake), { mix: pose.smile });
  });
}

/** How long, and with which camera, a clip is filmed. */
export interface Film {
  readonly durationMs: number;
  readonly fps: number;
  readonly camera: Camera;
  readonly chance: Chance;
}

/** Offset and scale of a camera held in shaking hands. */
export interface Shake {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Draws each frame with `draw`, then applies the camera's imperfections. */
export function* film(
  { durationMs, fps, camera, chance }: Film,
  draw: (canvas: Picture, timeMs: number, shake: Shake) => void,
): Generator<Picture> {
  const expose = exposure(camera, chance);
  const [x, y, zoom] = [sway(chance, 0.15, 3), sway(chance, 0.15, 3), sway(chance, 0.1, 0.6)];
  const count = Math.round((durationMs / 1000) * fps);
  for (let frame = 0; frame < count; frame++) {
    const timeMs = (frame * 1000) / fps;
    const canvas = blankPicture(STAGE.width, STAGE.height, 60);
    const scale = 1 + camera.zoom * zoom(timeMs);
    draw(canvas, timeMs, { x: camera.shakePx * x(timeMs), y: camera.shakePx * y(timeMs), scale });
    expose(canvas);
    yield canvas;
  }
}

/** Moves a pose from photograph pixels to the canvas, as the camera is held; in place. */
export function placed(positions: Float32Array, { scale, left, top }: Framing, shake: Shake): Float32Array {
  const middle = { x: STAGE.width / 2, y: STAGE.height / 2 };
  for (let i = 0; i < positions.length; i += 3) {
    positions[i] = middle.x + ((positions[i]! - left) * scale - middle.x) * shake.scale + shake.x;
    positions[i + 1] = middle.y + ((positions[i + 1]! - top) * scale - middle.y) * shake.scale + shake.y;
  }
  return positions;
}

function bounds(landmarks: Float32Array): { left: number; right: number; top: number; bottom: number } {
  const found = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (let i = 0; i < landmarks.length; i += 3) {
    found.left = Math.min(found.left, landmarks[i]!);
    found.right = Math.max(found.right, landmarks[i]!);
    found.top = Math.min(found.top, landmarks[i + 1]!);
    found.bottom = Math.max(found.bottom, landmarks[i + 1]!);
  }
  return found;
}

/** The pose of a flat picture that is held, turned or waved in front of the camera: a print, or a screen. */
export interface SheetPose {
  /** Rotation about the vertical and the horizontal axis, and in the plane, in radians. */
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
  /** In sheet widths. */
  readonly shiftX: number;
  readonly shiftY: number;
  readonly scale: number;
  /** How far the sheet is bent into a cylinder: depth of its centre in sheet widths. */
  readonly bend: number;
}

export const SHEET_AT_REST: SheetPose = {
  yaw: 0,
  pitch: 0,
  roll: 0,
  shiftX: 0,
  shiftY: 0,
  scale: 1,
  bend: 0,
};

const GRID = 14;
const SHEET_CAMERA_WIDTHS = 2.2;

/** A sheet with `picture` on it; its pose places it on the canvas. */
export interface Sheet {
  readonly surface: Surface;
  pose(pose: SheetPose, shake: Shake): Float32Array;
}

/**
 * Builds a sheet.
 * @param fill share of the canvas's width that the sheet takes at rest; above 1 its edges are out of view
 */
export function buildSheet(picture: Picture, framing: Framing, fill: number): Sheet {
  const places: number[] = [];
  const triangles: number[] = [];
  const side = STAGE.width / framing.scale;
  for (let row = 0; row <= GRID; row++)
    for (let column = 0; column <= GRID; column++)
      places.push(framing.left + (column / GRID) * side, framing.top + (row / GRID) * side);
  for (let row = 0; row < GRID; row++)
    for (let column = 0; column < GRID; column++) {
      const at = row * (GRID + 1) + column;
      triangles.push(at, at + 1, at + GRID + 1, at + 1, at + GRID + 2, at + GRID + 1);
    }
  return {
    surface: { picture, places: Float32Array.from(places), triangles: Uint32Array.from(triangles) },
    pose: (pose, shake) => posedSheet(pose, shake, fill),
  };
}

function posedSheet(pose: SheetPose, shake: Shake, fill: number): Float32Array {
  const out = new Float32Array((GRID + 1) ** 2 * 3);
  const [cosYaw, sinYaw] = [Math.cos(pose.yaw), Math.sin(pose.yaw)];
  const [cosPitch, sinPitch] = [Math.cos(pose.pitch), Math.sin(pose.pitch)];
  const [cosRoll, sinRoll] = [Math.cos(pose.roll), Math.sin(pose.roll)];
  const size = STAGE.width * fill * pose.scale * shake.scale;
  for (let row = 0; row <= GRID; row++) {
    for (let column = 0; column <= GRID; column++) {
      const u = column / GRID - 0.5;
      const v = row / GRID - 0.5;
      const z = -pose.bend * Math.cos(Math.PI * u);
      const x1 = u * cosYaw - z * sinYaw;
      const z1 = u * sinYaw + z * cosYaw;
      const y2 = v * cosPitch + z1 * sinPitch;
      const z2 = z1 * cosPitch - v * sinPitch;
      const near = SHEET_CAMERA_WIDTHS / (SHEET_CAMERA_WIDTHS + z2);
      const at = (row * (GRID + 1) + column) * 3;
      out[at] = STAGE.width / 2 + size * ((x1 * cosRoll - y2 * sinRoll) * near + pose.shiftX) + shake.x;
      out[at + 1] = STAGE.height / 2 + size * ((x1 * sinRoll + y2 * cosRoll) * near + pose.shiftY) + shake.y;
      out[at + 2] = z2;
    }
  }
  return out;
}
