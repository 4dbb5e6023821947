// Bona fide footage as other recorders would have written it: other codecs, rates, sizes and light, and mirrored.
import { PROMPTS, type Script } from '../../src/contract/script.ts';
import { promptSteps } from '../../src/contract/script-steps.ts';
import type { Recording } from './camera.ts';
import { rewrite } from './edit-attacks.ts';
import type { Chance } from './random.ts';
import { scriptOf } from './sources.ts';
import type { Species } from './studio.ts';

/** Prompts are shown up to this much earlier than the list of clips says, because a person's reaction time varies. */
const EARLIER_MS = 250;

/** How bona fide footage is degraded: ffmpeg filters, and the recorder's settings. */
interface Degradation {
  readonly recording: Recording;
  readonly filters: readonly string[];
}

/**
 * Every segment of bona fide footage in turn, each time re-encoded differently: other codecs, rates, sizes, a little
 * more or less light. Nothing is cut out or inserted.
 */
export const recode = (name: string): Species =>
  genuine(name, (chance) => ({ recording: anyRecording(chance), filters: exposureFilters(chance) }));

/** Footage that a judgement may send back, but must not classify as an attack. */
export const DEGRADED: readonly Species[] = [
  genuine('dim_clip', (chance) => ({
    recording: anyRecording(chance),
    // Low light: darker and flatter, and therefore noisier.
    filters: [
      `eq=gamma=${chance.between(0.25, 0.6).toFixed(2)}:brightness=${chance.between(-0.2, -0.05).toFixed(2)}`,
      `noise=alls=${chance.integer(4, 14)}:allf=t`,
    ],
  })),
  genuine('backlit_clip', (chance) => ({
    recording: anyRecording(chance),
    // A bright window: bright areas burn out, the rest goes dark.
    filters: [`curves=all='0/0 0.4/${chance.between(0.08, 0.2).toFixed(2)} 0.7/0.5 0.85/1 1/1'`],
  })),
  genuine('compressed_clip', (chance) => ({
    recording: { ...anyRecording(chance), kbps: Math.round(chance.between(80, 250)), shortSidePx: 480 },
    filters: [],
  })),
  genuine('small_clip', (chance) => ({
    recording: { ...anyRecording(chance), shortSidePx: 480 },
    // Far away: the frame shrunk, with a blurred border around it.
    filters: [farAway(chance.between(0.2, 0.5))],
  })),
];

function farAway(share: number): string {
  const size = share.toFixed(2);
  return `split[near][wide];[near]scale=iw*${size}:-2[small];[wide]gblur=sigma=30[border];[border][small]overlay=(W-w)/2:(H-h)/2`;
}

function genuine(name: string, degradationOf: (chance: Chance) => Degradation): Species {
  return {
    name,
    make: (studio, take, chance) => {
      const { clips } = studio.sources;
      const clip = clips[take % clips.length];
      if (!clip) return Promise.resolve();
      const { recording, filters } = degradationOf(chance);
      const mirrored = chance.pick([false, false, true]);
      const script = scriptOf(clip, chance.between(0, EARLIER_MS));
      return studio.take(name, take, recording.codec === 'h264' ? 'mp4' : 'webm', async (path) => {
        const start = [`trim=start=${clip.fromS}`, 'setpts=PTS-STARTPTS', ...(mirrored ? ['hflip'] : [])];
        const graph = [...start, ...filters].join(',');
        await rewrite(`${studio.root}/${clip.file}`, path, graph, recording, clip.lastsS * 1000);
        const followed = script && mirrored ? mirror(script) : script;
        const { subject } = clip;
        const row = { label: 'bona_fide', attack: name, subject, script: followed, made: 'recoded' } as const;
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

function exposureFilters(chance: Chance): string[] {
  const exposure = chance.pick([0, 0, chance.between(-0.12, -0.04), chance.between(0.04, 0.1)]);
  return [`eq=brightness=${exposure.toFixed(3)}`];
}

/** In mirrored footage a turn goes to the other side. */
function mirror(script: Script): Script {
  return { steps: promptSteps(script).map((step) => ({ ...step, prompt: PROMPTS[step.prompt].mirrored })) };
}
