// What each level of LIVENESS_LEVEL is worth: footage that answers no script, or another one, held against many scripts.
import { makeScript, scriptLengthMs } from '../src/challenge/make-script.ts';
import type { LivenessLevel } from '../src/challenge/settings.ts';
import { PROMPTS } from '../src/contract/script.ts';
import type { Gathered } from '../src/evaluation/gather.ts';
import { checkVideo, runChecks } from '../src/evaluation/liveness/checks.ts';
import type { CueName } from '../src/evaluation/liveness/cue.ts';
import { fuse } from '../src/evaluation/liveness/fusion.ts';
import {
  acceptedPerChallenge,
  type Outcome,
  type Presentation,
  shareOf,
} from '../src/measurement/pad-rates.ts';
import { seededRandom } from '../src/measurement/random.ts';
import type { Section } from './report.ts';

/** A clip's evidence and whose face it shows. */
export interface Footage {
  readonly subject: string;
  readonly gathered: Gathered;
}

/** One kind of footage at one level. */
export interface LevelSet {
  readonly footage: string;
  readonly level: LivenessLevel;
  readonly clips: readonly Footage[];
}

interface Held extends Presentation {
  readonly followed: boolean;
}

/** Scripts that each clip is held against. */
const SCRIPTS = 50;
/** What the script alone decides. */
const OF_THE_SCRIPT: ReadonlySet<CueName> = new Set([
  ...(['neutral_start', 'neutral_kept', 'smile', 'turn', 'coverage'] as const),
  ...(['reaction', 'foresight', 'contrary'] as const),
]);

/** One row a set: how often a script happens to be followed, and how often everything passes. */
export function levelSection(sets: readonly LevelSet[]): Section {
  return {
    title: 'Levels',
    method:
      `Each clip held against ${SCRIPTS} scripts of the level that are no longer than it. ` +
      'Followed: every gate of the script held, whatever else. Accepted: everything passed.',
    columns: [
      ...['footage', 'level', 'clips', 'subjects', 'n', 'followed', '95 %', 'accepted', '95 %'],
      ...['accepted in 3 tries', '95 %'],
    ],
    rows: sets.map(({ footage, level, clips }) => {
      const held = clips.flatMap((clip) => holdAgainst(clip, level));
      const long = new Set(held.map(({ clip }) => clip)).size;
      const followed = shareOf(held, (one) => one.followed);
      const accepted = shareOf(held, ({ outcome }) => outcome === 'accepted');
      const challenge = acceptedPerChallenge(held);
      return [
        ...[footage, level, String(long), String(followed.subjects), String(held.length)],
        ...[followed, accepted, challenge].flatMap(({ rate, interval }) => [percent(rate), spread(interval)]),
      ];
    }),
  };
}

function holdAgainst({ subject, gathered }: Footage, level: LivenessLevel): (Held & { clip: Gathered })[] {
  if (gathered.status !== 'gathered') return [];
  const { shown } = gathered;
  const random = seededRandom(shown.clip.sourceFrameCount + Math.round(shown.clip.durationMs));
  const draw = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const ofTheVideo = checkVideo(shown);
  const held: (Held & { clip: Gathered })[] = [];
  for (let drawn = 0; drawn < 20 * SCRIPTS && held.length < SCRIPTS; drawn++) {
    const script = makeScript(level, PROMPTS, draw);
    if (scriptLengthMs(script) > shown.clip.durationMs) continue;
    const cues = runChecks({ ...shown, script, submission: null }, ofTheVideo);
    const { liveness, retryable } = fuse(cues);
    const outcome: Outcome = liveness.overall ? 'accepted' : retryable ? 'sentBack' : 'refused';
    const followed = fuse(cues.filter(({ cue }) => OF_THE_SCRIPT.has(cue))).liveness.overall;
    held.push({ species: 'attack', subject, outcome, followed, clip: gathered });
  }
  return held;
}

const percent = (value: number): string => (Number.isNaN(value) ? '–' : `${(value * 100).toFixed(2)} %`);
const spread = ([low, high]: readonly [number, number]): string =>
  `${(low * 100).toFixed(2)}–${(high * 100).toFixed(2)}`;
