// The table of what is made: bona fide footage and every species of attack, one entry each.
import { makeScript, scriptLengthMs } from '../../src/challenge/make-script.ts';
import type { LivenessLevel } from '../../src/challenge/settings.ts';
import { PROMPTS, type Prompt, type Script } from '../../src/contract/script.ts';
import { anyCamera, type Recording, record, USUAL } from './camera.ts';
import type { Role } from './cast.ts';
import type { Picture } from './draw.ts';
import { looping, onScreen, readPictures, retimed, rewrite, upsampled } from './edit-attacks.ts';
import {
  type Actor,
  bonaFide,
  fadedStills,
  panned,
  type Shot,
  steered,
  still,
  swapped,
  twoStills,
  warped,
  waved,
} from './film-attacks.ts';
import { FOUND } from './found.ts';
import { recode } from './genuine.ts';
import type { Chance } from './random.ts';
import type { Row, Species } from './studio.ts';

/** Fresh scripts that one blind attack is held against. */
const FRESH_SCRIPTS = 10;
const EXTRA_MS = 120;

/** What a script may be drawn from; the service's defaults where nothing is said. */
interface Drawn {
  readonly allowed?: readonly Prompt[];
  readonly level?: LivenessLevel;
}

const fresh = (chance: Chance, { allowed = PROMPTS, level = 'standard' }: Drawn = {}): Script =>
  makeScript(level, allowed, (least, most) => chance.integer(least, most));

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
  drawn: Drawn = {},
): Species {
  return {
    name,
    make: (studio, take, chance) =>
      studio.take(name, take, 'webm', async (path) => {
        const smiles = (drawn.allowed ?? PROMPTS).includes('smile');
        const roles = smiles ? studio.cast.smiling : studio.cast.actors;
        const actor = await studio.open(roleFor(roles, take));
        const other = await studio.open(roleFor(studio.cast.smiling, take + 1 + (take % 7)));
        const shot = shotFor(fresh(chance, drawn), chance);
        await record(path, recordingOf(shot), film(actor, other, shot));
        return [shot.script, ...(label === 'attack' ? [null] : [])].map((script) =>
          row(label, name, actor.subject, script, 'rendered'),
        );
      }),
  };
}

/** Bona fide takes that replays are made of: a capture of the person that answered another script. */
const CAPTURES = 'rendered_person';
const TURNS = 'rendered_turns';

/** Scripts that a capture which answered `recorded` is held against. */
type ScriptsOf = (recorded: Script, chance: Chance) => Script[];

/** The very footage of a capture, shown again: nothing is filmed, and the file is judged once for both. */
function shownAgain(name: string, captures: string, scriptsOf: ScriptsOf): Species {
  return {
    name,
    make: async (studio, take, chance) => {
      const base = studio.find(captures, take);
      if (base) studio.relist(name, take, base.file, replayRows(name, base, scriptsOf, chance));
    },
  };
}

/** Made of a capture that answered another script, edited; `captures` in turn. */
function replay(
  name: string,
  edit: (base: string, path: string, shot: Shot) => Promise<void>,
  captures: readonly string[] = [CAPTURES],
): Species {
  return {
    name,
    make: async (studio, take, chance) => {
      const base = studio.find(captures[take % captures.length]!, take);
      if (!base) return;
      await studio.take(name, take, 'webm', async (path) => {
        await edit(base.path, path, shotFor(base.script, chance));
        return replayRows(name, base, shorterScripts('standard'), chance);
      });
    },
  };
}

function replayRows(
  name: string,
  { script, subject }: { script: Script; subject: string },
  scriptsOf: ScriptsOf,
  chance: Chance,
): Row[] {
  return [...scriptsOf(script, chance), null].map((held) => row('attack', name, subject, held, 'edited'));
}

/** Fresh ones that are no longer than the capture: a longer one it would fail by its length alone. */
function shorterScripts(level: LivenessLevel): ScriptsOf {
  return (recorded, chance) => {
    const scripts: Script[] = [];
    for (let draw = 0; draw < 500 && scripts.length < FRESH_SCRIPTS; draw++) {
      const script = fresh(chance, { level });
      if (scriptLengthMs(script) <= scriptLengthMs(recorded)) scripts.push(script);
    }
    return scripts;
  };
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

const person = (actor: Actor, _: Actor, shot: Shot) => bonaFide(actor, shot);

export const SPECIES: readonly Species[] = [
  knowing(CAPTURES, 'bona_fide', person),
  knowing(TURNS, 'bona_fide', person, { allowed: ['neutral', 'turn_left', 'turn_right'] }),
  knowing(`${CAPTURES}_quick`, 'bona_fide', person, { level: 'quick' }),
  knowing(`${CAPTURES}_high`, 'bona_fide', person, { level: 'high' }),
  recode('recoded_clip'),
  ...FOUND,
  blind('still', still),
  blind('panned_still', panned),
  knowing('two_stills', 'attack', (actor, _, shot) => twoStills(actor, shot)),
  knowing('faded_stills_smile_only', 'attack', (actor, _, shot) => fadedStills(actor, shot), {
    allowed: ['neutral', 'smile'],
  }),
  blind('waved_print', waved),
  knowing('steered_print', 'attack', (actor, _, shot) => steered(actor, shot)),
  knowing('warped_photo', 'attack', (actor, other, shot) => warped(actor, other, shot)),
  knowing('swap', 'attack', (actor, other, shot) => swapped(actor, other, shot)),
  shownAgain('old_recording', CAPTURES, shorterScripts('standard')),
  shownAgain('old_recording_quick', `${CAPTURES}_quick`, shorterScripts('quick')),
  shownAgain('old_recording_high', `${CAPTURES}_high`, shorterScripts('high')),
  shownAgain('wrong_order', CAPTURES, reordered),
  replay('screen_replay', async (base, path, shot) => {
    const pictures = await readPictures(base, shot.fps);
    await record(path, recordingOf(shot), onScreen(pictures, shot.fps, shot));
  }),
  replay(
    'loop',
    rewritten((chance) => looping(chance, chance.between(1500, 4000), 24)),
    [CAPTURES, TURNS],
  ),
  replay('time_warped', rewritten(retimed)),
  replay('upsampled', rewritten(upsampled)),
];
