// Old recordings: a video of the victim who answered another script.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DrawnScript, isMovement, type Script, type ScriptStep } from '../../../src/contract/script.ts';
import { rewrite } from '../../attacks/edit-attacks.ts';
import { bonaFide } from '../../attacks/film-attacks.ts';
import { answersHow, fitted } from '../../attacks/fitted.ts';
import { EXTRA_MS, lengthOf, recordingOf, shotFor } from '../../attacks/shots.ts';
import { recordedMsOf } from '../client.ts';
import type { Call, Film, InTimeAttack, LaboratorySpecies, Playing, Stage } from '../laboratory.ts';
import { pageOfVideo } from '../page/films.ts';
import { asRecorded, filmed, inTurn, open, withinLimits } from './films.ts';
import { bestJudged, gatherEvidence } from './offline-judge.ts';

/** Frames per second of the recordings that bench/attacks/species.ts makes. */
const FPS = 12;
const RECORDINGS = 'puppet';
/** Links that an attacker opens before giving up on a script that the recording answers. */
const LINKS = 10;
/** Recordings of one person who answered at several paces, for an attacker who can choose. */
const CHOICE: readonly string[] = [
  RECORDINGS,
  ...[300, 600, 1000, 1500, 2000].map((delayMs) => `${RECORDINGS}_after_${delayMs}_ms`),
];
/** Number of people for whom all of them are made. */
const CHOICE_PEOPLE = 16;
/** Number of people for whom an old recording is made. */
const RECORDED_PEOPLE = 33;

/**
 * What the folder of old footage must contain: species of bench/attacks/species.ts, and the number of takes of each.
 */
export const OLD_FOOTAGE: readonly (readonly [species: string, takes: number])[] = CHOICE.map(
  (name) => [name, name === RECORDINGS ? RECORDED_PEOPLE : CHOICE_PEOPLE] as const,
);

export interface OldRecording {
  readonly path: string;
  readonly script: Script;
}

function recordingFor(stage: Stage, take: number, name = RECORDINGS): OldRecording {
  const found = stage.old.find(name, take % Math.min(RECORDED_PEOPLE, stage.cast.smiling.length));
  if (!found)
    throw new Error(`the set contains no ${name}: make it with bench/attacks/generate.ts --species ${name}`);
  return found;
}

/** The recording, re-encoded and cropped slightly differently each time, so that its frames are not recognised. */
async function encodedAnew({ path }: OldRecording, script: Script, call: Call): Promise<Film> {
  const to = join(call.scratch, 'film.webm');
  const inset = 2 * call.chance.integer(1, 8);
  const graph = `crop=iw-${inset}:ih-${inset}:${call.chance.integer(0, inset)}:${call.chance.integer(0, inset)}`;
  await rewrite(path, to, graph, recordingOf({ fps: FPS, chance: call.chance }), lengthOf(script) + EXTRA_MS);
  return { bytes: asRecorded(await readFile(to), call.chance), script };
}

const laidOver = (recorded: Script, drawn: DrawnScript): Script =>
  withinLimits(fitted(recorded, drawn), drawn);

/** Whether each prompt's window contains its answer and no other movement. */
function isAnsweredBy(recorded: Script, performed: Script): boolean {
  return performed.steps.every((asked) => {
    const inside = recorded.steps.filter(
      (step) => step.from_ms < asked.to_ms - 200 && step.to_ms > asked.from_ms + 200,
    );
    const answers = (step: ScriptStep) => answersHow(step, asked) === 1;
    return inside.some(answers) && inside.every((step) => answers(step) || !isMovement(step.prompt));
  });
}

/** How long before the recording's own prompt each step is requested: what it answers is what it was made for. */
const ASKED_AHEAD_MS = 800;

/** Plays a recording as it is, and asks for each step when the recording reaches its own. */
function played(file: Buffer, recorded: Script): Playing {
  const lastsMs = recordedMsOf(recorded);
  let sent = 0;
  return {
    next: (untilMs) => {
      if (sent === file.length) return null;
      const from = sent;
      sent = Math.min(file.length, Math.ceil((file.length * untilMs) / lastsMs));
      return file.subarray(from, sent);
    },
    wanted: (untilMs) => recorded.steps.filter(({ from_ms }) => from_ms <= untilMs + ASKED_AHEAD_MS).length,
    performed: (drawn) => laidOver(recorded, drawn),
  };
}

/** The same recordings when no more than two steps are known at the time of choosing. */
const inTime = (
  own: Pick<InTimeAttack, 'prepare' | 'links'>,
  choose: (stage: Stage, call: Call) => OldRecording | null | Promise<OldRecording | null>,
): InTimeAttack => ({
  ...own,
  play: async (stage, call) => {
    const recording = await choose(stage, call);
    if (!recording) return null;
    const { bytes, script } = await encodedAnew(recording, recording.script, call);
    return played(bytes, script);
  },
});

const lookAtAll = async (stage: Stage, take: number): Promise<void> => {
  for (const name of CHOICE)
    await gatherEvidence(stage, recordingFor(stage, take % CHOICE_PEOPLE, name).path);
};

async function bestOf(stage: Stage, { take, script }: Call) {
  const recordings = CHOICE.map((name) => recordingFor(stage, take % CHOICE_PEOPLE, name));
  const laid = recordings.map((recording) => ({ recording, script: laidOver(recording.script, script) }));
  return bestJudged(stage, laid);
}

const attack = (
  own: Pick<LaboratorySpecies, 'name' | 'holds' | 'does' | 'client'> & Partial<LaboratorySpecies>,
): LaboratorySpecies => ({
  label: 'attack',
  subject: ({ cast }, take) => inTurn(cast.smiling.slice(0, RECORDED_PEOPLE), take).subject,
  ...own,
});

export const OLD_RECORDINGS: readonly LaboratorySpecies[] = [
  attack({
    name: 'old_recording',
    holds: 'a video of the victim answering another script',
    does: 'plays it through a virtual camera, with the script aligned where it fits best',
    client: {
      film: async (stage, call) => {
        const recording = recordingFor(stage, call.take);
        return encodedAnew(recording, laidOver(recording.script, call.script), call);
      },
    },
    inTime: inTime({}, (stage, { take }) => recordingFor(stage, take)),
    page: { plan: (stage, take) => pageOfVideo(recordingFor(stage, take).path, FPS) },
  }),
  attack({
    name: 'file_in_place',
    holds: 'a video of the victim answering another script',
    does: 'replaces the recording with the file itself, re-encoded from the second try on',
    client: {
      film: async (stage, call) => {
        const recording = recordingFor(stage, call.take);
        const script = laidOver(recording.script, call.script);
        if (call.tried > 0) return encodedAnew(recording, script, call);
        return { bytes: asRecorded(await readFile(recording.path), call.chance), script };
      },
    },
  }),
  attack({
    name: 'drawn_until_easy',
    holds: 'a video of the victim answering another script, and a site that issues link after link',
    does: `opens up to ${LINKS} links and sends it for a script that it answers`,
    client: {
      links: LINKS,
      film: async (stage, call) => {
        const recording = recordingFor(stage, call.take);
        const script = laidOver(recording.script, call.script);
        return isAnsweredBy(recording.script, script) ? encodedAnew(recording, script, call) : null;
      },
    },
    inTime: inTime({ links: LINKS }, (stage, { take, script }) => {
      const recording = recordingFor(stage, take);
      return isAnsweredBy(recording.script, laidOver(recording.script, script)) ? recording : null;
    }),
  }),
  attack({
    name: 'best_of_six',
    holds: 'six videos of the victim answering other scripts, and this same software',
    does: 'judges all six against the script, and sends the best',
    subject: ({ cast }, take) => inTurn(cast.smiling.slice(0, CHOICE_PEOPLE), take).subject,
    client: {
      prepare: lookAtAll,
      film: async (stage, call) => {
        const best = await bestOf(stage, call);
        return encodedAnew(best.recording, best.script, call);
      },
    },
    inTime: inTime({ prepare: lookAtAll }, async (stage, call) => (await bestOf(stage, call)).recording),
  }),
  attack({
    name: 'video_of_another_challenge',
    holds: 'a video that was sent to an earlier challenge of the account',
    does: 'sends the same bytes again, with the script aligned where it fits best',
    client: {
      sentBefore: async (stage, call) => {
        const person = await open(stage, inTurn(stage.cast.smiling, call.take));
        const shot = shotFor(call.script, call.chance);
        return filmed(call, recordingOf(shot), bonaFide(person, shot), shot.script);
      },
      film: async (_, { script, before }) => ({
        bytes: before!.bytes,
        script: laidOver(before!.script, script),
      }),
    },
  }),
];
