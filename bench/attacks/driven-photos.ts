// A victim's photograph, warped by the mesh of a person who answers prompts in a public clip: the puppet that any face
// swapping tool makes, without its polish.
import { join } from 'node:path';
import { LANDMARK_COUNT } from '../../src/contract/face-landmarks.ts';
import { anyCamera, record } from './camera.ts';
import { drawSurface, type Picture } from './draw.ts';
import type { Actor } from './film-attacks.ts';
import { AT_REST, buildHead } from './head.ts';
import { EXTRA_MS, lengthOf, recordingOf, roleFor, row } from './shots.ts';
import { scriptOf } from './sources.ts';
import { type Film, film, frameFace, placed } from './stage.ts';
import type { Species } from './studio.ts';

const FPS = 24;
const NAME = 'driven_photo';

export const DRIVEN_PHOTO: Species = {
  name: NAME,
  make: (studio, take, chance) => {
    const clips = studio.sources.clips.filter(({ prompts }) => prompts.length > 1);
    const clip = clips[take % clips.length];
    if (!clip) return Promise.resolve();
    return studio.take(NAME, take, 'webm', async (path) => {
      const others = studio.cast.actors.filter(({ subject }) => subject !== clip.subject);
      const victim = await studio.open(roleFor(others, 5 * take));
      const script = scriptOf(clip, chance.between(0, 250))!;
      const observed = await studio.observe(join(studio.root, clip.file), FPS);
      const driver = observed.slice(Math.round(clip.fromS * FPS)).map(({ landmarks }) => landmarks);
      const durationMs = lengthOf(script) + EXTRA_MS;
      const shot: Film = { chance, camera: anyCamera(chance), fps: FPS, durationMs };
      await record(path, recordingOf(shot), driven(victim, driver, shot));
      return [row('attack', NAME, victim.subject, script, 'rendered')];
    });
  },
};

/** Each point of the photograph's mesh moves as the driver's has since its first frame, scaled to the face. */
function driven({ neutral }: Actor, driver: readonly Float32Array[], shot: Film): Iterable<Picture> {
  const head = buildHead(neutral, null);
  const rest = head.pose(AT_REST);
  const framing = frameFace(neutral, shot.chance);
  const nearest = nearestMeshPoints(rest);
  const first = driver[0]!;
  const scale = widthOf(neutral.landmarks) / widthOf(first);
  return film(shot, (canvas, timeMs, shake) => {
    const now = driver[Math.min(driver.length - 1, Math.round((timeMs / 1000) * FPS))]!;
    const positions = rest.slice();
    for (let vertex = 0; vertex < nearest.length; vertex++) {
      const point = nearest[vertex]!;
      if (point < 0) continue;
      for (let k = 0; k < 3; k++)
        positions[vertex * 3 + k]! += scale * (now[point * 3 + k]! - first[point * 3 + k]!);
    }
    drawSurface(canvas, head.surface, placed(positions, framing, shake));
  });
}

/**
 * For each vertex, the mesh point that it follows: itself, or for hair and neck the nearest; −1 for the photograph's
 * border.
 */
function nearestMeshPoints(rest: Float32Array): Int16Array {
  const count = rest.length / 3;
  const reach = 0.3 * widthOf(rest);
  return Int16Array.from({ length: count }, (_, vertex) => {
    if (vertex < LANDMARK_COUNT) return vertex;
    let best = -1;
    let least = reach;
    for (let point = 0; point < LANDMARK_COUNT; point++) {
      const distance = Math.hypot(
        rest[vertex * 3]! - rest[point * 3]!,
        rest[vertex * 3 + 1]! - rest[point * 3 + 1]!,
      );
      if (distance < least) {
        least = distance;
        best = point;
      }
    }
    return best;
  });
}

/** From ear to ear, points 234 and 454. */
function widthOf(landmarks: Float32Array): number {
  return Math.hypot(
    landmarks[454 * 3]! - landmarks[234 * 3]!,
    landmarks[454 * 3 + 1]! - landmarks[234 * 3 + 1]!,
  );
}
