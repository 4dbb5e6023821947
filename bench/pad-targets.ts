// What targets are worth: how many of them rendered people answer who aim at the dots, and how many fresh ones a film
// answers that was made before they were drawn.
import type { Script } from '../src/contract/script.ts';
import { AMOUNT_NAMES, angleErrorDeg, dotOf, type Target } from '../src/contract/target.ts';
import type { Gathered } from '../src/evaluation/gather.ts';
import { answersTo } from '../src/evaluation/liveness/answers.ts';
import { type Hold, holdOn, holdsIn } from '../src/evaluation/liveness/targets.ts';
import { ownRest, seenFaces } from '../src/evaluation/liveness/windows.ts';
import type { ManifestRow } from '../src/lab/pad-manifest.ts';
import { shareOf } from '../src/lab/pad-rates.ts';
import { percent, spread } from '../src/lab/pad-report.ts';
import type { Section } from './report.ts';

/** Rendered people who follow the page's pointer (bench/aimers.ts). */
export const GUIDED = 'puppet_guided';

/** Footage that is counted, by the names of its species or of its environment. */
const FOOTAGE: Readonly<Record<string, RegExp>> = {
  'rendered people who follow the pointer': /^puppet_guided$/,
  'rendered people who see no pointer': /^puppet(_turns|_quick|_high|_after_\d+_ms)?$/,
  'the same as old recordings': /^old_recording(_quick|_high)?$/,
  'one take, cut for each prompt': /^take_cuts$/,
  'people in public clips': /^usual$/,
};

/** Which targets a film answers. */
export interface Answered {
  readonly footage: string;
  readonly subject: string;
  readonly file: string;
  /** Those of the script that it is held against. */
  readonly asked: readonly boolean[];
  /** Every fresh one, in the time of each of these. */
  readonly fresh: readonly boolean[];
  /** Every two fresh ones that a script may ask for, in the times of the first two. */
  readonly pairs: readonly boolean[];
}

/** As scripts are drawn: src/challenge/capturing/draw-script.ts. */
const APART_DEG = 90;
const EVERY_DEG = 10;

const FRESH = Array.from({ length: 360 / EVERY_DEG }, (_, i) => i * EVERY_DEG).flatMap((angle_deg) =>
  AMOUNT_NAMES.map((amount): Target => ({ angle_deg, amount })),
);
const FRESH_PAIRS = FRESH.flatMap((one) =>
  FRESH.filter((other) => Math.round(angleErrorDeg(dotOf(one), other)) >= APART_DEG).map(
    (other) => [one, other] as const,
  ),
);

/** Laid over seven seconds of people who were asked for nothing. */
const SEVEN_SECONDS: Script = {
  steps: [
    { prompt: 'neutral', from_ms: 0, to_ms: 1000 },
    { prompt: 'target', angle_deg: 0, amount: 'near', from_ms: 1000, to_ms: 3500 },
    { prompt: 'neutral', from_ms: 3500, to_ms: 4500 },
    { prompt: 'target', angle_deg: 180, amount: 'near', from_ms: 4500, to_ms: 7000 },
  ],
};

/** Null for other footage, without targets, or where nothing was asked for in less than seven seconds. */
export function answeredBy(
  gathered: Gathered,
  { species, kind, subject, file }: ManifestRow,
  asked: Script | null,
): Answered | null {
  const footage = Object.keys(FOOTAGE).find((name) => FOOTAGE[name]!.test(species ?? kind ?? ''));
  if (!footage || gathered.status === 'undecodable') return null;
  const { evidence } = gathered;
  const isLongEnough = evidence.clip.fileDurationMs >= SEVEN_SECONDS.steps.at(-1)!.to_ms;
  if (asked ? !species : species || !isLongEnough) return null;
  const script = asked ?? SEVEN_SECONDS;
  const seen = seenFaces(evidence);
  const rest = ownRest(seen, script);
  const targets = answersTo(seen, script).filter(({ step }) => step.prompt === 'target');
  const holds = targets.map(({ step }) => (rest ? holdsIn(seen, step, rest) : []));
  const [first, second] = holds;
  if (!first) return null;
  return {
    footage,
    subject,
    file,
    asked: asked ? targets.map(({ response }) => response !== null) : [],
    fresh: holds.flatMap((own) => FRESH.map((target) => isOn(own, target))),
    pairs: second ? FRESH_PAIRS.map(([one, other]) => isOn(first, one) && isOn(second, other)) : [],
  };
}

const isOn = (holds: readonly Hold[], target: Target): boolean => holdOn(holds, target) !== null;

/** One row for each footage. */
export function targetsSection(answered: readonly Answered[]): Section {
  const cells = (own: readonly Answered[], which: 'asked' | 'fresh' | 'pairs') => {
    const each = own.flatMap((film) => film[which].map((hit) => ({ subject: film.subject, hit })));
    const { n, rate, interval } = shareOf(each, ({ hit }) => hit);
    return n === 0 ? ['–', '–'] : [percent(rate), spread(interval)];
  };
  return {
    title: 'Targets, asked and fresh',
    method:
      'Answered: targets of the script. Rendered people aim with an error of 9° and 12 %, 0.3 to 2.5 s after the dot. Those ' +
      'who follow the pointer (bench/aimers.ts) correct themselves until the page has seen the answer held; the others ' +
      'turn as far as a head in the median has to. Old recordings are held against fresh scripts where they fit best. ' +
      'Fresh: share of all targets, and of all pairs that a script may ask for, that the film answers in its own steps; ' +
      'in public clips, from 1 and from 4.5 s on, for 2.5 s each.',
    columns: [
      'footage',
      'films',
      'subjects',
      'targets',
      'answered',
      '95 %',
      'fresh targets',
      '95 %',
      'fresh pairs',
      '95 %',
    ],
    rows: Object.keys(FOOTAGE).flatMap((name) => {
      const own = answered.filter(({ footage }) => footage === name);
      if (own.length === 0) return [];
      const [films, subjects] = (['file', 'subject'] as const).map(
        (key) => new Set(own.map((film) => film[key])).size,
      );
      const targets = own.reduce((sum, { asked }) => sum + asked.length, 0);
      const counts = [films, subjects, targets].map(String);
      return [[name, ...counts, ...cells(own, 'asked'), ...cells(own, 'fresh'), ...cells(own, 'pairs')]];
    }),
  };
}
