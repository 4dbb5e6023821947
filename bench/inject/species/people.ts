// Bona fide presentations. Nobody was filmed for them: most are rendered people, named as such, with human delays and
// movement; two are people in public clips, whose frames are played back and forth as they smile.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CameraSubject, filmOf } from '../../../test/support/camera-film.ts';
import { type Camera, type Recording, record } from '../../attacks/camera.ts';
import { rewrite } from '../../attacks/edit-attacks.ts';
import { bonaFide } from '../../attacks/film-attacks.ts';
import type { Chance } from '../../attacks/random.ts';
import { recordingOf, shotFor } from '../../attacks/shots.ts';
import type { LaboratorySpecies } from '../laboratory.ts';
import { pageOfPuppet } from '../page/films.ts';
import type { PageConditions } from '../page/plan.ts';
import { asRecorded, filmed, inTurn, open } from './films.ts';
import { picturesOfWalk } from './walk.ts';

/** Time from a prompt to the start of a person's answer. */
const HUMAN_DELAY_MS = { least: 250, most: 900 };

/** The conditions under which a person is filmed. */
interface Conditions {
  readonly name: string;
  readonly does: string;
  readonly fps?: number;
  readonly camera?: (camera: Camera, chance: Chance) => Camera;
  /** An ffmpeg filter between the camera and the recording that is sent. */
  readonly filter?: string;
  readonly recording?: (recording: Recording, chance: Chance) => Recording;
  readonly page: PageConditions;
}

const CONDITIONS: readonly Conditions[] = [
  { name: 'usual', does: 'in usual light, at 24 frames a second', fps: 24, page: {} },
  {
    name: 'dim',
    does: 'in dim light, with the noise that comes with it',
    camera: (camera, chance) => ({ ...camera, gain: chance.between(0.35, 0.6), noise: chance.between(4, 8) }),
    page: { brightness: 0.5 },
  },
  { name: '15_fps', does: 'at 15 frames a second', fps: 15, page: { fps: 15 } },
  {
    name: '320x240',
    does: 'by a 320 × 240 camera',
    filter: 'crop=320:240',
    page: { width: 320, height: 240 },
  },
  {
    name: 'portrait',
    does: 'upright, by a phone',
    filter: 'crop=240:320,scale=480:640',
    page: { width: 480, height: 640 },
  },
  {
    name: 'reencoded',
    does: 'encoded twice, the second time at 150 to 400 kbit/s',
    filter: 'null',
    recording: (recording, chance) => ({ ...recording, kbps: Math.round(chance.between(150, 400)) }),
    page: {},
  },
];

const RENDERED: readonly LaboratorySpecies[] = CONDITIONS.map((conditions) => ({
  name: `rendered_person_${conditions.name}`,
  label: 'bona_fide',
  holds: 'a rendered person who begins to answer 0.25 to 0.9 s after each prompt and is never quite still',
  does: conditions.does,
  subject: ({ cast }, take) => inTurn(cast.smiling, take).subject,
  client: {
    film: async (stage, call) => {
      const { chance, scratch } = call;
      const person = await open(stage, inTurn(stage.cast.smiling, call.take));
      const drawn = shotFor(call.script, chance, {}, conditions.fps);
      const shot = { ...drawn, camera: conditions.camera?.(drawn.camera, chance) ?? drawn.camera };
      const usual = recordingOf(shot);
      const recording = conditions.recording?.(usual, chance) ?? usual;
      if (!conditions.filter) return filmed(call, recording, bonaFide(person, shot), shot.script);
      const [from, to] = [join(scratch, 'camera.webm'), join(scratch, 'film.webm')];
      await record(from, { ...usual, kbps: 6000 }, bonaFide(person, shot));
      await rewrite(from, to, conditions.filter, recording, shot.durationMs);
      return { bytes: asRecorded(await readFile(to), chance), script: shot.script };
    },
  },
  page: {
    plan: async (stage, take, chance) => ({
      film: await pageOfPuppet(await open(stage, inTurn(stage.cast.smiling, take))),
      reactionMs: chance.between(HUMAN_DELAY_MS.least, HUMAN_DELAY_MS.most),
      ...conditions.page,
    }),
  },
}));

const CLIP_PEOPLE: readonly CameraSubject[] = ['d0', 'd19'];
const clipPerson = (take: number): CameraSubject => CLIP_PEOPLE[take % CLIP_PEOPLE.length]!;
const CLIP_FPS = 25;

/** No public clip rests, smiles and turns to both sides in one view, so these people are only asked to smile. */
const CLIPS: LaboratorySpecies = {
  name: 'clip_person_smiles',
  label: 'bona_fide',
  holds: 'a person in a public clip, whose frames are played forwards and backwards and recorded again',
  does: 'is asked to smile and to rest (LIVENESS_PROMPTS=neutral,smile)',
  environment: { LIVENESS_PROMPTS: 'neutral,smile' },
  subject: (_, take) => `lp_${clipPerson(take)}`,
  client: {
    film: async (_, call) => {
      const drawn = shotFor(call.script, call.chance, {}, CLIP_FPS);
      const pictures = picturesOfWalk(await filmOf(clipPerson(call.take)), drawn.script, call.chance);
      return filmed(call, recordingOf(drawn), pictures, drawn.script);
    },
  },
  page: {
    plan: async (_, take, chance) => ({
      film: await filmOf(clipPerson(take)),
      reactionMs: chance.between(HUMAN_DELAY_MS.least, HUMAN_DELAY_MS.most),
    }),
  },
};

export const PEOPLE: readonly LaboratorySpecies[] = [...RENDERED, CLIPS];
