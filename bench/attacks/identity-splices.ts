// Attack with one photograph of the victim: the photograph while the face is at rest, another person's answers to the
// prompts.
import { join } from 'node:path';
import type { Script } from '../../src/contract/script.ts';
import { record } from './camera.ts';
import type { Picture } from './draw.ts';
import { readPictures } from './edit-attacks.ts';
import { type Actor, bonaFide, type Shot, still } from './film-attacks.ts';
import type { Chance } from './random.ts';
import { covering, SEAMS, type Seam } from './seams.ts';
import { EXTRA_MS, fresh, lengthOf, recordingOf, roleFor, row, shotFor } from './shots.ts';
import { type GenuineClip, scriptOf } from './sources.ts';
import type { Species, Studio } from './studio.ts';

const FPS = 24;
/** Length of a seam. */
const SEAM_FRAMES = { least: 1, most: 10 };
/** How long the victim is shown after a prompt before the attacker begins to move. */
const HEAD_MS = { least: 150, most: 450 };

/** One species for each way of covering a seam. */
export const IDENTITY_SPLICES: readonly Species[] = SEAMS.map((seam) => ({
  name: `identity_splice_${seam}`,
  make: (studio, take, chance) => makeSplice(studio, take, chance, seam),
}));

async function makeSplice(studio: Studio, take: number, chance: Chance, seam: Seam): Promise<void> {
  const name = `identity_splice_${seam}`;
  await studio.take(name, take, 'webm', async (path) => {
    const victim = await studio.open(roleFor(studio.cast.actors, 7 * take + SEAMS.indexOf(seam)));
    const { script, shot, pictures } = await attackerOf(studio, take, chance, victim.subject);
    const headMs = chance.between(HEAD_MS.least, HEAD_MS.most);
    const photograph = [...still(victim, shot)];
    const isVictim = pictures.map((_, i) => isAtRest(script, (i * 1000) / FPS, headMs));
    const shown = pictures.map((picture, i) => (isVictim[i] ? (photograph[i] ?? picture) : picture));
    const cuts = isVictim.flatMap((own, i) => (i > 0 && own !== isVictim[i - 1] ? [i] : []));
    const seamFrames = chance.integer(SEAM_FRAMES.least, SEAM_FRAMES.most);
    await record(path, recordingOf(shot), covering(shown, cuts, seam, seamFrames));
    return [row('attack', name, victim.subject, script, 'edited')];
  });
}

/** The victim is shown in steps at rest, and at the beginning of the others, before anything has moved. */
function isAtRest({ steps }: Script, timeMs: number, headMs: number): boolean {
  const step = steps.find(({ from_ms, to_ms }) => timeMs >= from_ms && timeMs < to_ms);
  return step !== undefined && (step.prompt === 'neutral' || timeMs < step.from_ms + headMs);
}

interface Answering {
  readonly script: Script;
  readonly shot: Shot;
  readonly pictures: readonly Picture[];
}

/** Alternates between a public clip of a person who answers prompts and a rendered person. */
async function attackerOf(studio: Studio, take: number, chance: Chance, victim: string): Promise<Answering> {
  const clips = studio.sources.clips.filter((clip) => clip.prompts.length > 1 && clip.subject !== victim);
  const clip = clips[Math.floor(take / 2) % clips.length];
  if (take % 2 === 0 && clip) return onCamera(studio, clip, chance);
  const others = studio.cast.smiling.filter(({ subject }) => subject !== victim);
  const attacker: Actor = await studio.open(roleFor(others, take));
  const shot = shotFor(studio.draw(chance), chance, {}, FPS);
  return { script: shot.script, shot, pictures: [...bonaFide(attacker, shot)] };
}

async function onCamera(studio: Studio, clip: GenuineClip, chance: Chance): Promise<Answering> {
  const script = scriptOf(clip, chance.between(0, 250))!;
  const shot = {
    ...shotFor(fresh(chance), chance, {}, FPS),
    script,
    durationMs: lengthOf(script) + EXTRA_MS,
  };
  const all = await readPictures(join(studio.root, clip.file), FPS);
  const first = Math.round(clip.fromS * FPS);
  return { script, shot, pictures: all.slice(first, first + Math.ceil((shot.durationMs / 1000) * FPS)) };
}
