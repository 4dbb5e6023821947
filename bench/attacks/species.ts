// The table of what is made: bona fide footage and every attack species, one entry each.
import { ACCESSIBLE_WAYS } from '../../src/contract/accessible-way.ts';
import { type Asked, PROMPT_NAMES, REST, type Script } from '../../src/contract/script.ts';
import { performedStep } from '../../src/contract/script-steps.ts';
import { ACTION_LIBRARIES } from './action-libraries.ts';
import { record } from './camera.ts';
import type { Picture } from './draw.ts';
import { DRIVEN_PHOTO } from './driven-photos.ts';
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
import { answersHow, fitted } from './fitted.ts';
import { FOUND } from './found.ts';
import { GENUINE } from './genuine.ts';
import { IDENTITY_SPLICES } from './identity-splices.ts';
import { liveSwap } from './live-swap.ts';
import { type Manner, unanswered } from './performance.ts';
import type { Chance } from './random.ts';
import { EXTRA_MS, fresh, lengthOf, recordingOf, roleFor, row, shotFor } from './shots.ts';
import type { Drawn, Row, Species } from './studio.ts';
import { SWAPPED_TAKE } from './swapped-takes.ts';
import { TAKE_ATTACKS } from './take-attacks.ts';

/** Number of fresh scripts that one blind attack is judged against. */
const FRESH_SCRIPTS = 10;
/** An attacker whose footage knows nothing of the script claims that each prompt was shown for this long. */
const BLIND_STEP_MS = 1500;

/** Filmed without knowledge of the script, and judged against fresh ones. */
function blind(
  name: string,
  film: (actor: Actor, shot: Shot) => Iterable<Picture>,
  drawn: Drawn = {},
): Species {
  return {
    name,
    make: (studio, take, chance) =>
      studio.take(name, take, 'webm', async (path) => {
        const actor = await studio.open(roleFor(studio.cast.actors, take));
        const scripts = Array.from({ length: FRESH_SCRIPTS }, () =>
          unanswered(fresh(chance, drawn), BLIND_STEP_MS),
        );
        const durationMs = Math.max(...scripts.map(lengthOf));
        const shot = { ...shotFor(fresh(chance), chance), durationMs };
        await record(path, recordingOf(shot), film(actor, shot));
        return [...scripts, null].map((script) => row('attack', name, actor.subject, script, 'rendered'));
      }),
  };
}

/** Filmed by a person who hears the prompts, and judged against that same script. */
function knowing(
  name: string,
  label: Row['label'],
  film: (actor: Actor, other: Actor, shot: Shot) => Iterable<Picture>,
  drawn: Drawn = {},
  manner: Manner = {},
): Species {
  return {
    name,
    make: (studio, take, chance) =>
      studio.take(name, take, 'webm', async (path) => {
        const smiles = (drawn.allowed ?? PROMPT_NAMES).includes('smile');
        const roles = smiles ? studio.cast.smiling : studio.cast.actors;
        const actor = await studio.open(roleFor(roles, take));
        const other = await studio.open(roleFor(studio.cast.smiling, take + 1 + (take % 7)));
        const shot = shotFor(studio.draw(chance, drawn), chance, manner);
        await record(path, recordingOf(shot), film(actor, other, shot));
        return [shot.script, ...(label === 'attack' ? [null] : [])].map((script) =>
          row(label, name, actor.subject, script, 'rendered'),
        );
      }),
  };
}

/**
 * Rendered people: puppets that hear the prompts. Replays are made from them, as if they were captures of a person who
 * answered another script.
 */
const CAPTURES = 'puppet';
const TURNS = 'puppet_turns';
/** From a prompt to the start of the movement: how slow people may be, and therefore puppets. */
const DELAYS_MS = [300, 600, 1000, 1500, 2000] as const;

/** Scripts that a capture which answered `recorded` is judged against, as the attacker claims they were performed. */
type ScriptsOf = (recorded: Script, chance: Chance) => Script[];

/** The same footage of a capture, presented again: nothing is filmed, and the file is judged once for both. */
function shownAgain(name: string, captures: string, scriptsOf: ScriptsOf): Species {
  return {
    name,
    make: async (studio, take, chance) => {
      const base = studio.find(captures, take);
      if (base) studio.relist(name, take, base.file, replayRows(name, base, scriptsOf, chance));
    },
  };
}

/** An edited capture that answered another script; taken from `captures` in turn. */
function replay(
  name: string,
  captures: readonly string[],
  edit: (base: string, path: string, shot: Shot) => Promise<void>,
  drawn: Drawn = {},
): Species {
  return {
    name,
    make: async (studio, take, chance) => {
      const base = studio.find(captures[take % captures.length]!, take);
      if (!base) return;
      await studio.take(name, take, 'webm', async (path) => {
        const shot = { ...shotFor(fresh(chance), chance), durationMs: lengthOf(base.script) + EXTRA_MS };
        await edit(base.path, path, shot);
        return replayRows(name, base, fittedScripts(drawn), chance);
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

/** Fresh scripts, each fitted to the recording as well as possible. */
function fittedScripts(drawn: Drawn): ScriptsOf {
  return (recorded, chance) =>
    Array.from({ length: FRESH_SCRIPTS }, () => fitted(recorded, fresh(chance, drawn)));
}

/** The recorded prompts in other orders, at the same times. */
function reordered({ steps }: Script, chance: Chance): Script[] {
  const given: readonly Asked[] = steps.slice(1);
  const seen = new Map<string, Script>();
  for (let draw = 0; draw < 60; draw++) {
    const order = given
      .map((asked) => ({ asked, at: chance.between(0, 1) }))
      .sort((a, b) => a.at - b.at)
      .map(({ asked }) => asked);
    const allowed = order.every(({ prompt }, i) => prompt !== (order[i - 1]?.prompt ?? REST));
    if (!allowed || order.every((asked, i) => answersHow(given[i]!, asked) === 1)) continue;
    const script = {
      steps: steps.map((step, i) =>
        i === 0 ? step : performedStep({ ...order[i - 1]!, hold_ms: 0 }, step.from_ms, step.to_ms),
      ),
    };
    seen.set(JSON.stringify(script), script);
  }
  return [...seen.values()].slice(0, FRESH_SCRIPTS);
}

async function shownOnScreen(base: string, path: string, shot: Shot): Promise<void> {
  const pictures = await readPictures(base, shot.fps);
  await record(path, recordingOf(shot), onScreen(pictures, shot.fps, shot));
}

const rewritten =
  (graph: (chance: Chance, shot: Shot) => string) =>
  (base: string, path: string, shot: Shot): Promise<void> =>
    rewrite(base, path, graph(shot.chance, shot), { ...recordingOf(shot), fps: 24 }, shot.durationMs);

/** Captures presented again, edited or not. */
const REPLAYS: readonly Species[] = [
  shownAgain('old_recording', CAPTURES, fittedScripts({})),
  shownAgain('wrong_order', CAPTURES, reordered),
  replay('screen_replay', [CAPTURES], shownOnScreen),
  replay(
    'loop',
    [CAPTURES, TURNS],
    rewritten((chance) => looping(chance, chance.between(1500, 4000), 24)),
  ),
  replay('time_warped', [CAPTURES], rewritten(retimed)),
  replay('upsampled', [CAPTURES], rewritten(upsampled)),
];

const person = (actor: Actor, _: Actor, shot: Shot) => bonaFide(actor, shot);

/** Whether an attacker does better where something may be left out: the strongest attacks, replays, and pictures. */
const LEFT_OUT: readonly Species[] = ACCESSIBLE_WAYS.flatMap((way) => {
  const captures = `${CAPTURES}_${way}`;
  return [
    knowing(captures, 'attack', person, { way }),
    knowing(`warped_photo_${way}`, 'attack', (actor, other, shot) => warped(actor, other, shot), { way }),
    shownAgain(`old_recording_${way}`, captures, fittedScripts({ way })),
    replay(`screen_replay_${way}`, [captures], shownOnScreen, { way }),
    blind(`still_${way}`, still, { way }),
    blind(`waved_print_${way}`, waved, { way }),
  ];
});

export const SPECIES: readonly Species[] = [
  knowing(CAPTURES, 'attack', person),
  knowing(TURNS, 'attack', person, { allowed: ['neutral', 'target'] }),
  knowing(`${CAPTURES}_quick`, 'attack', person, { level: 'quick' }),
  knowing(`${CAPTURES}_high`, 'attack', person, { level: 'high' }),
  ...DELAYS_MS.map((delayMs) =>
    knowing(`${CAPTURES}_after_${delayMs}_ms`, 'attack', person, {}, { delayMs }),
  ),
  ...GENUINE,
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
  knowing('live_swap', 'attack', (actor, other, shot) => liveSwap(other, actor, shot)),
  SWAPPED_TAKE,
  DRIVEN_PHOTO,
  ...IDENTITY_SPLICES,
  ...ACTION_LIBRARIES,
  ...TAKE_ATTACKS,
  ...REPLAYS,
  shownAgain('old_recording_quick', `${CAPTURES}_quick`, fittedScripts({ level: 'quick' })),
  shownAgain('old_recording_high', `${CAPTURES}_high`, fittedScripts({ level: 'high' })),
  ...LEFT_OUT,
];
