// Error rates of presentation attack detection (ISO/IEC 30107-3): APCER, BPCER and non-responses, per try and per
// challenge. Pure.
import { bootstrapInterval, drawPeople } from './bootstrap.ts';
import { groupBy } from './group-by.ts';
import { type Interval, wilsonInterval } from './intervals.ts';

/**
 * Outcome of one presentation. `accepted`: everything passed. `refused`: finally rejected, as an attack or another
 * person. `sentBack`: it could not be judged or did not follow the script, and may be retried.
 */
export type Outcome = 'accepted' | 'refused' | 'sentBack';

/** One judged presentation. */
export interface Presentation {
  /** Attack instrument species; null for bona fide. */
  readonly species: string | null;
  /** Kind of bona fide footage, such as its light; null for attacks, or if kinds are not distinguished. */
  readonly kind: string | null;
  /** Whose face it is. Presentations of one subject are correlated. */
  readonly subject: string;
  readonly outcome: Outcome;
}

/** A share of presentations with its 95 % interval. */
export interface Rate {
  readonly n: number;
  readonly subjects: number;
  readonly count: number;
  /** NaN if there are none. */
  readonly rate: number;
  /**
   * At each end, the wider of the Wilson interval over presentations and the bootstrap over subjects, which at a rate
   * of 0 or 1 is Clopper–Pearson's over subjects.
   */
  readonly interval: Interval;
}

/** Tries that a challenge allows; each draws a new script. */
export const TRIES = 3;
/**
 * Videos that an attacker makes for each script in order to send the one that scores best with the open-source judge.
 */
export const CHOICES = 6;

/** Share of the presentations for which `counts` is true. */
export function shareOf<P extends { readonly subject: string }>(
  presentations: readonly P[],
  counts: (presentation: P) => boolean,
): Rate {
  const groups = bySubject(presentations).map((own) => ({ n: own.length, count: own.filter(counts).length }));
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const n = presentations.length;
  const weighted = (weights: Float64Array) => {
    let [seen, counted] = [0, 0];
    for (const [i, group] of groups.entries()) {
      seen += weights[i]! * group.n;
      counted += weights[i]! * group.count;
    }
    return counted / seen;
  };
  const wilson = wilsonInterval(count, n);
  const boot = bootstrapInterval(drawPeople([...groups.keys()]), count / n, weighted, groups.length);
  const interval: Interval = n === 0 ? [0, 1] : [Math.min(wilson[0], boot[0]), Math.max(wilson[1], boot[1])];
  return { n, subjects: groups.length, count, rate: count / n, interval };
}

/**
 * An estimate: the share of challenges that end in acceptance if every presentation that is sent back is retried, with
 * TRIES tries in all. It assumes that each try errs like any other presentation of the same subject in the same
 * condition: a + s·a + s²·a, where a is the share accepted and s the share sent back of one subject's presentations of
 * one kind, averaged over the subject's kinds and then over subjects. Nothing is known of further tries (`rate` NaN,
 * `interval` 0 to 1) where no subject was presented twice in one condition.
 * @param choices number of presentations available for each try. The best one is sent: if none would be accepted, one
 * that would be sent back rather than one that would be refused.
 */
export function acceptedPerChallenge(
  presentations: readonly Presentation[],
  choices = 1,
): Pick<Rate, 'rate' | 'interval'> {
  const subjects = bySubject(presentations).map((own) => groupBy(own, ({ kind }) => kind ?? ''));
  if (subjects.flat().every(({ length }) => length === 1)) return { rate: Number.NaN, interval: [0, 1] };
  const shares = subjects.map(
    (conditions) =>
      conditions.reduce((sum, own) => sum + acceptedInTries(own, choices), 0) / conditions.length,
  );
  const mean = (weights: Float64Array) => {
    let [seen, sum] = [0, 0];
    for (const [i, share] of shares.entries()) {
      seen += weights[i]!;
      sum += weights[i]! * share;
    }
    return sum / seen;
  };
  const rate = mean(new Float64Array(shares.length).fill(1));
  return { rate, interval: bootstrapInterval(drawPeople([...shares.keys()]), rate, mean, shares.length) };
}

/** Of one subject in one condition. */
function acceptedInTries(own: readonly Presentation[], choices: number): number {
  const share = (outcome: Outcome) => own.filter((one) => one.outcome === outcome).length / own.length;
  const accepted = 1 - (1 - share('accepted')) ** choices;
  const sentBack = 1 - accepted - share('refused') ** choices;
  let sum = 0;
  for (let tried = 0; tried < TRIES; tried++) sum += sentBack ** tried * accepted;
  return sum;
}

const bySubject = <P extends { readonly subject: string }>(presentations: readonly P[]): P[][] =>
  groupBy(presentations, ({ subject }) => subject);
