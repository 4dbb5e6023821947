// The table of what is made: bona fide footage and every species of attack, one entry each.
import { makeScript, scriptLengthMs } from '../../src/challenge/make-script.ts';
import { PROMPTS, type Prompt, type Script } from '../../src/contract/script.ts';
import { anyCamera, type Recording, record, USUAL } from './camera.ts';
import type { Role } from './cast.ts';
import type { Picture } from './draw.ts';
import { looping, onScreen, readPictures, retimed, rewrite, upsampled } from './edit-attacks.ts';
import {
  type Actor,
  bonaFide,
  panned,
  type Shot,
  steered,
  still,
  swapped,
  twoStills,
  warped,
  waved,
} from './film-attacks.ts';
import { recode } from './genuine.ts';
import type { Chance } from './random.ts';
import type { Row, Studio } from './studio.ts';

/** One kind of footage. */
export interface Species {
  readonly name: string;
  /** Makes take number `take`; does nothing where it is there. */
  make(studio: Studio, take: number, chance: Chance): Promise<void>;
}

/** Fresh scripts that one blind attack is held against. */
const FRESH_SCRIPTS = 10;
const EXTRA_MS = 120;

const fresh = (chance: Chance, allowed: readonly Prompt[] = PROMPTS): Script =>
  makeScript('standard', allowed, (least, most) => chance.integer(least, most));

function shotFor(script: Script, chance: Chance, durationMs = scriptLengthMs(script)): Shot {
  return { script, chance, camera: anyCamera(chance), fps: 12, durationMs: durationMs + EXTRA_MS };
}

function recordingOf(shot: Shot): Recording {
  return { ...USUAL, fps: shot.fps, kbps: Math.round(shot.chance.between(500, 2500)) };
}

const roleFor = (roles: readonly Role[], take: number): Role => {
  const role = roles[take % roles.length];
  if (!role) throw new Error('the sources hold no person for this species');
  return role;
};

/** Filmed by somebody who cannot know the script: held against fresh ones. */
function blind(name: string, film: (actor: Actor, shot: Shot) => Iterable<Picture>): Species {
  return {
    name,
    make: (studio, take, chance) =>
      studio.take(name, take, 'webm', async (path) => {
        const actor = await studio.open(roleFor(studio.cast.actors, take));
        const scripts = Array.from({ length: FRESH_SCRIPTS }, () => fresh(chance));
        const shot = shotFor(scripts[0]!, chance, Math.max(...scripts.map(scriptLengthMs)));
        await record(path, recordingOf(shot), film(actor, shot));
        return [...scripts, null].map((script) => row('attack', name, actor.subject, script, 'rendered'));
      }),
  };
}

/** Filmed by somebody who hears the prompts: held against the very script. */
function knowing(
  name: string,
  label: Row['label'],
  film: (actor: Actor, other: Actor, shot: Shot) => Iterable<Picture>,
  allowed: readonly Prompt[] = PROMPTS,
): Species {
  return {
    name,
    make: (studio, take, chance) =>
      studio.take(name, take, 'webm', async (path) => {
        const roles = allowed.includes('smile') ? studio.cast.smiling : studio.cast.actors;
        const actor = await studio.open(roleFor(roles, take));
        const other = await studio.open(roleFor(studio.cast.smiling, take + 1 + (take % 7)));
        const shot = shotFor(fresh(chance, allowed), chance);
        await record(path, recordingOf(shot), film(actor, other, shot));
        return [shot.script, ...(label === 'attack' ? [null] : [])].map((script) =>
          row(label, name, actor.subject, script, 'rendered'),
        );
      }),
  };
}

/** Bona fide takes that replays are made of: a capture of the person that answered another script. */
const CAPTURES = 'rendered_person';

/**
 * Made of a capture that answered another script: held against fresh ones that are no longer than it. Without `edit`
 * the very file is sent again.
 */
function replay(
  name: string,
  edit: ((base: string, path: string, shot: Shot) => Promise<void>) | null,
  scriptsOf: (recorded: Script, chance: Chance) => Script[] = shorterScripts,
): Species {
  return {
    name,
    make: async (studio, take, chance) => {
      const base = studio.find(CAPTURES, take);
      if (!base) return;
      const scripts = [...scriptsOf(base.script, chance), null];
      const rows = scripts.map((script) => row('attack', name, base.subject, script, 'edited'));
      if (!edit) return studio.relist(name, take, base.file, rows);
      await studio.take(name, take, 'webm', async (path) => {
        await edit(base.path, path, shotFor(base.script, chance));
        return rows;
      });
    },
  };
}

function shorterScripts(recorded: Script, chance: Chance): Script[] {
  const scripts: Script[] = [];
  for (let draw = 0; draw < 500 && scripts.length < FRESH_SCRIPTS; draw++) {
    const script = fresh(chance);
    if (scriptLengthMs(script) <= scriptLengthMs(recorded)) scripts.push(script);
  }
  return scripts;
}

function row(
  label: Row['label'],
  attack: string,
  subject: string,
  script: Script | null,
  made: Row['made'],
): Row {
  return { label, attack, subject, script, made };
}

/** The recorded prompts in other orders, at the very times. */
function reordered(recorded: Script, chance: Chance): Script[] {
  const prompts = recorded.steps.slice(1).map(({ prompt }) => prompt);
  const seen = new Map<string, Prompt[]>();
  for (let draw = 0; draw < 60; draw++) {
    const order = prompts
      .map((prompt) => ({ prompt, at: chance.between(0, 1) }))
      .sort((a, b) => a.at - b.at)
      .map(({ prompt }) => prompt);
    const allowed = order.every((prompt, i) => prompt !== (order[i - 1] ?? 'neutral'));
    if (allowed && order.join() !== prompts.join()) seen.set(order.join(), order);
  }
  return [...seen.values()].slice(0, FRESH_SCRIPTS).map((order) => ({
    steps: recorded.steps.map((step, i) => (i === 0 ? step : { ...step, prompt: order[i - 1]! })),
  }));
}

const rewritten =
  (graph: (chance: Chance, shot: Shot) => string) =>
  (base: string, path: string, shot: Shot): Promise<void> =>
    rewrite(base, path, graph(shot.chance, shot), { ...recordingOf(shot), fps: 24 }, shot.durationMs);

export const SPECIES: readonly Species[] = [
  knowing(CAPTURES, 'bona_fide', (actor, _, shot) => bonaFide(actor, shot)),
  knowing('rendered_turns', 'bona_fide', (actor, _, shot) => bonaFide(actor, shot), [
    'neutral',
    'turn_left',
    'turn_right',
  ]),
  recode('recoded_clip'),
  blind('still', still),
  blind('panned_still', panned),
  knowing('two_stills', 'attack', (actor, _, shot) => twoStills(actor, shot)),
  blind('waved_print', waved),
  knowing('steered_print', 'attack', (actor, _, shot) => steered(actor, shot)),
  knowing('warped_photo', 'attack', (actor, other, shot) => warped(actor, other, shot)),
  knowing('swap', 'attack', (actor, other, shot) => swapped(actor, other, shot)),
  replay(
    'old_recording',
    rewritten(() => 'null'),
  ),
  replay(
    'wrong_order',
    rewritten(() => 'null'),
    reordered,
  ),
  replay('screen_replay', async (base, path, shot) => {
    const pictures = await readPictures(base, shot.fps);
    await record(path, recordingOf(shot), onScreen(pictures, shot.fps, shot));
  }),
  replay(
    'loop',
    rewritten((chance) => looping(chance, chance.between(1500, 4000), 24)),
  ),
  replay('time_warped', rewritten(retimed)),
  replay('upsampled', rewritten(upsampled)),
];
