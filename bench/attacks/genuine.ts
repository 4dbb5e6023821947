// Bona fide footage as other cameras, rooms and recorders would have made it. Nothing is cut out or inserted. Each
// environment is a species; how dark or small a face became is measured when it is judged (bench/pad-people.ts).
import type { Script } from '../../src/contract/script.ts';
import type { Recording } from './camera.ts';
import { rewrite } from './edit-attacks.ts';
import type { Chance } from './random.ts';
import { scriptOf } from './sources.ts';
import type { Species } from './studio.ts';

/** Prompts are shown up to this much earlier than the list of clips says, because a person's reaction time varies. */
export const EARLIER_MS = 250;

/** What an environment does to a take: ffmpeg filters, what its recorder does otherwise, and where people aim in it. */
interface Environment {
  readonly filters?: readonly string[];
  readonly recording?: Partial<Recording>;
  readonly aimedAt?: (script: Script) => Script;
}

const ENVIRONMENTS: Readonly<Record<string, (chance: Chance) => Environment>> = {
  usual: () => ({}),
  back_light_mild: (chance) => backLit(chance.between(0.65, 0.8)),
  back_light_medium: (chance) => backLit(chance.between(0.48, 0.62)),
  back_light_strong: (chance) => backLit(chance.between(0.32, 0.45)),
  dim_with_grain: (chance) => {
    const share = chance.between(0.3, 0.7).toFixed(2);
    const grain = `noise=alls=${chance.integer(4, 14)}:allf=t`;
    return { filters: [`colorlevels=romax=${share}:gomax=${share}:bomax=${share}`, grain] };
  },
  over_exposed: (chance) => {
    const white = chance.between(0.5, 0.8).toFixed(2);
    return { filters: [`colorlevels=rimax=${white}:gimax=${white}:bimax=${white}`] };
  },
  pulsing_lamp: (chance) => {
    const depth = chance.between(0.02, 0.1).toFixed(3);
    return { filters: [lamp(`${depth}*sin(2*PI*t*${chance.between(1, 10).toFixed(2)})`)] };
  },
  lamp_steps: (chance) => {
    const onS = chance.between(0.4, 1.5).toFixed(2);
    return { filters: [lamp(`-${chance.between(0.1, 0.35).toFixed(2)}*mod(floor(t/${onS}),2)`)] };
  },
  bars: (chance) => {
    const sides = chance.pick(["w='max(iw*4/3,ih*16/9)':h=ih", "w=iw:h='max(ih*4/3,iw*4/3)'"]);
    return { filters: [`pad=${sides}:x=-1:y=-1:color=${chance.pick(['black', '0x101010', 'gray'])}`] };
  },
  // A camera that mirrors its stream. On the page people follow a pointer in that picture; without one (guidance is dead)
  // their heads go where a camera that does not mirror would have shown the dot.
  mirrored: () => ({ filters: ['hflip'], aimedAt: mirroredScript }),
  mirrored_without_pointer: () => ({ filters: ['hflip'] }),
  rolled: (chance) => {
    const degrees = chance.pick([-1, 1]) * chance.between(8, 25);
    return { filters: [onBlurred(`format=rgba,rotate=${degrees.toFixed(1)}*PI/180:c=none`)] };
  },
  frame_rate: (chance) => ({ recording: { fps: chance.pick([10, 12, 50, 60]) } }),
  greyscale: () => ({ filters: ['hue=s=0'] }),
  low_bit_rate: () => ({ recording: { kbps: 150, shortSidePx: 480 } }),
  far_away: (chance) => {
    const share = chance.between(0.2, 0.7).toFixed(2);
    return {
      recording: { shortSidePx: 480 },
      filters: [onBlurred(`scale=trunc(iw*${share}/2)*2:-2`)],
    };
  },
};

/** Every clip in turn, in each environment, by another recorder each time. */
export const GENUINE: readonly Species[] = Object.entries(ENVIRONMENTS).map(([name, environmentOf]) => ({
  name,
  make: (studio, take, chance) => {
    const { clips } = studio.sources;
    const clip = clips[take % clips.length];
    if (!clip) return Promise.resolve();
    const { filters = [], aimedAt = (script) => script, ...environment } = environmentOf(chance);
    const recording = { ...anyRecording(chance), ...environment.recording };
    const claimed = scriptOf(clip, chance.between(0, EARLIER_MS));
    const script = claimed && aimedAt(claimed);
    return studio.take(name, take, recording.codec === 'h264' ? 'mp4' : 'webm', async (path) => {
      const graph = [`trim=start=${clip.fromS}`, 'setpts=PTS-STARTPTS', ...filters].join(',');
      await rewrite(`${studio.root}/${clip.file}`, path, graph, recording, clip.lastsS * 1000);
      const row = {
        label: 'bona_fide',
        attack: name,
        subject: clip.subject,
        script,
        made: 'recoded',
      } as const;
      return script ? [row, { ...row, script: null }] : [row];
    });
  },
}));

/** A bright window: what is bright burns out, and the face keeps this share of its brightness. */
export function backLit(share: number): Environment {
  const points = [0.45, 0.65].map((level, i) => `${level}/${(share * level + 0.06 * i).toFixed(3)}`);
  return { filters: [`curves=all='0/0 ${points.join(' ')} 0.85/1 1/1'`, 'noise=alls=3:allf=t'] };
}

/** The script whose dots stand on the other side. */
function mirroredScript({ steps, ...rest }: Script): Script {
  const mirrored = steps.map((step) =>
    step.prompt === 'target' ? { ...step, angle_deg: (540 - step.angle_deg) % 360 } : step,
  );
  return { ...rest, steps: mirrored };
}

/** A lamp whose light differs from full by this share, an expression of the time `t` in seconds. */
function lamp(share: string): string {
  return `eq=contrast='1+${share}':brightness='(${share})/2':eval=frame`;
}

/** The frame after these filters, in the middle of a blurred view of itself. */
function onBlurred(filters: string): string {
  return `split[near][wide];[near]${filters}[small];[wide]gblur=sigma=30[border];[border][small]overlay=(W-w)/2:(H-h)/2`;
}

function anyRecording(chance: Chance): Recording {
  return {
    codec: chance.pick(['vp8', 'vp9', 'h264'] as const),
    fps: chance.pick([15, 20, 24, 30]),
    kbps: Math.round(chance.between(700, 2500)),
    shortSidePx: chance.pick([480, 480, 600, 720]),
  };
}
