// Genuine footage as other recorders would have written it: other codecs, rates, sizes and light, and mirrored.
import type { Prompt, Script } from '../../src/contract/script.ts';
import type { Recording } from './camera.ts';
import { rewrite } from './edit-attacks.ts';
import type { Chance } from './random.ts';
import { type GenuineClip, scriptOf } from './sources.ts';
import type { Species } from './studio.ts';

/** Prompts are shown up to this much earlier than the list of clips has them: a person's reaction time varies. */
const EARLIER_MS = 250;

/** Every stretch of genuine footage in turn, each time recoded otherwise. Nothing is cut out or put in. */
export function recode(name: string): Species {
  return {
    name,
    make: (studio, take, chance) => {
      const { clips } = studio.sources;
      const clip = clips[take % clips.length];
      if (!clip) return Promise.resolve();
      const recording = anyRecording(chance);
      const mirrored = chance.pick([false, false, true]);
      const script = scriptOf(clip, chance.between(0, EARLIER_MS));
      return studio.take(name, take, recording.codec === 'h264' ? 'mp4' : 'webm', async (path) => {
        await rewrite(
          `${studio.root}/${clip.file}`,
          path,
          graphOf(clip, mirrored, chance),
          recording,
          clip.lastsS * 1000,
        );
        const followed = script && mirrored ? mirror(script) : script;
        const row = {
          label: 'bona_fide',
          attack: name,
          subject: clip.subject,
          script: followed,
          made: 'recoded',
        } as const;
        return script ? [row, { ...row, script: null }] : [row];
      });
    },
  };
}

function anyRecording(chance: Chance): Recording {
  const codec = chance.pick(['vp8', 'vp9', 'h264'] as const);
  const shortSidePx = chance.pick([480, 480, 600, 720]);
  return {
    codec,
    fps: chance.pick([10, 15, 20, 24, 30]),
    kbps: Math.round(chance.between(700, 2500)),
    shortSidePx,
  };
}

function graphOf({ fromS }: GenuineClip, mirrored: boolean, chance: Chance): string {
  const exposure = chance.pick([0, 0, chance.between(-0.12, -0.04), chance.between(0.04, 0.1)]);
  const filters = [`trim=start=${fromS}`, 'setpts=PTS-STARTPTS', `eq=brightness=${exposure.toFixed(3)}`];
  return (mirrored ? [...filters, 'hflip'] : filters).join(',');
}

/** Who is mirrored turns to the other side. */
function mirror({ steps }: Script): Script {
  const other: Readonly<Record<Prompt, Prompt>> = {
    ...{ neutral: 'neutral', smile: 'smile', turn_left: 'turn_right', turn_right: 'turn_left' },
  };
  return { steps: steps.map((step) => ({ ...step, prompt: other[step.prompt] })) };
}
