// A live face swap over a real person who answers: a public clip, with prompts where its person happens to smile or turn.
import { join } from 'node:path';
import { record } from './camera.ts';
import { readPictures } from './edit-attacks.ts';
import { EARLIER_MS } from './genuine.ts';
import { swapOver } from './live-swap.ts';
import { TAKE_FPS } from './real-takes.ts';
import { recordingOf, roleFor, row } from './shots.ts';
import { scriptOf } from './sources.ts';
import type { Species } from './studio.ts';

const NAME = 'live_swap_real';

/** Each clip that answers a script in turn, each time as another victim. */
export const SWAPPED_TAKE: Species = {
  name: NAME,
  make: async (studio, number, chance) => {
    const clips = studio.sources.clips.filter(({ prompts }) => prompts.length > 0);
    const clip = clips[number % clips.length];
    if (!clip) return;
    await studio.take(NAME, number, 'webm', async (path) => {
      const others = studio.cast.smiling.filter(({ subject }) => subject !== clip.subject);
      const victim = await studio.open(roleFor(others, number));
      const file = join(studio.root, clip.file);
      const [from, to] = [clip.fromS, clip.fromS + clip.lastsS].map((seconds) =>
        Math.round(seconds * TAKE_FPS),
      );
      const pictures = (await readPictures(file, TAKE_FPS)).slice(from, to);
      const meshes = (await studio.observe(file, TAKE_FPS)).slice(from, to);
      const shown = pictures.flatMap((picture, i) =>
        meshes[i] ? [{ picture, landmarks: meshes[i].landmarks }] : [],
      );
      await record(path, recordingOf({ fps: TAKE_FPS, chance }), swapOver(shown, victim));
      return [row('attack', NAME, victim.subject, scriptOf(clip, chance.between(0, EARLIER_MS)), 'edited')];
    });
  },
};
