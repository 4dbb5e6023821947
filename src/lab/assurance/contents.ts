// What an assurance report says: the payload that is signed, and from which the page is drawn.
import type { Engine } from '../../contract/receipt.ts';
import type { Interval } from '../intervals.ts';
import type { Rule } from './rules/rule.ts';

/** Version of the fields below; it is raised when the meaning of one changes. */
export const ASSURANCE_FORMAT = 1;
/** `typ` in the header, so that neither a receipt nor another token of the same keys can pass for a report. */
export const ASSURANCE_TYPE = 'likeness-assurance+jwt';
/** The first line of every report. */
export const NOT_CERTIFIED = 'Not certified by any laboratory.';

/** A network as its source or its pack's manifest describes it. */
export interface NetworkFacts {
  readonly id: string;
  readonly sha256: string;
  readonly licence: string;
  readonly training_data: string;
}

/** A check of liveness as docs/liveness.md describes it; one that decides nothing has `–`. */
export interface CheckFacts {
  readonly check: string;
  readonly measures: string;
  readonly passes: string;
  readonly decides: string;
}

/** Section 1. */
export interface Judged {
  readonly engine: Engine;
  /** Hash of all that decides a challenge (src/lab/judgement-hash.ts): published figures are compared with it. */
  readonly judgement: string;
  /** The same of a recording that is held against a script, without the challenge around it. */
  readonly recording_judgement: string;
  readonly networks: readonly NetworkFacts[];
  readonly levels: readonly string[];
  /** Cosines from which two faces match, by averaged frames, of the recogniser that makes new FeatureIDs. */
  readonly thresholds: readonly {
    readonly probe_frames: number;
    readonly reference_frames: number;
    readonly cosine: number;
  }[];
  /** Null if the document is not part of this deployment. */
  readonly checks: readonly CheckFacts[] | null;
  /** Secrets are masked. */
  readonly configuration: readonly {
    readonly name: string;
    readonly value: string | null;
    readonly from: string;
  }[];
}

/** Areas of section 2 in their order, each with its heading. */
export const AREAS = {
  injection: 'Injection: a program in place of the camera',
  presentation: 'Presentation: something before the camera',
  'bona fide': 'Honest people',
  recognition: 'Recognition',
} as const;

/** A row of section 2: one published error rate, or what is not there. */
export interface MeasuredRow {
  readonly area: keyof typeof AREAS;
  /** The method of injection (CEN/TS 18099); null where nothing is injected. */
  readonly method: string | null;
  /** The instrument, species or condition. */
  readonly what: string;
  /** One that begins with `estimated` was not counted. */
  readonly measure: string;
  /** Null if it is not published with the figure. */
  readonly n: number | null;
  readonly subjects: number | null;
  readonly rate: number | null;
  readonly interval: Interval | null;
  /** From the link to the result, median. */
  readonly seconds: number | null;
  /** The day on which it was published: that of its measurements, or a later one. */
  readonly date: string | null;
  /** Measures it again. */
  readonly command: string;
  /** Hash of the judgement or id of the pack that was measured; null if it was not recorded. */
  readonly version: string | null;
  /** It is not known that this is a figure of the judgement and settings which run here. False without a figure. */
  readonly stale: boolean;
  /** Why it is stale, missing or weak; empty if it is none of these. */
  readonly note: string;
}

/** A share with its Wilson interval; `rate` is null without trials. */
export interface Share {
  readonly count: number;
  readonly n: number;
  readonly rate: number | null;
  readonly interval: Interval;
}

/** People who recorded themselves, in challenges that have ended: of one level, browser, week or mode, or all. */
export interface OwnRow {
  readonly by: 'all' | 'level' | 'browser' | 'week' | 'mode';
  readonly name: string;
  readonly first_try: Share;
  readonly three_tries: Share;
  /** Sent back, and did not come again before the challenge expired. */
  readonly gave_up: Share;
  /** From the tap on start to the result, of those who passed. */
  readonly median_seconds: number | null;
  readonly p90_seconds: number | null;
}

/** Why people were sent back at least once, of those of one level, browser, week or mode, or of all. */
export interface SentBackRow extends Pick<OwnRow, 'by' | 'name'> {
  readonly reason: string;
  readonly share: Share;
}

/** How a measure of recordings is distributed: the values below which 10, 25, 50, 75 and 90 % of them are. */
export interface Spread {
  readonly recordings: 'sent back' | 'judged for good';
  readonly measure: 'light' | 'distance';
  readonly n: number;
  /** Null if nothing was measured. */
  readonly quantiles: readonly number[] | null;
}

/** Section 3. */
export interface Own {
  readonly since: string | null;
  /** Null if counting took longer than a report may. */
  readonly rates: readonly OwnRow[] | null;
  /** Null if counting took longer than a report may. */
  readonly sent_back: readonly SentBackRow[] | null;
  /** Of the newest recordings, at most `newest` of either kind; null if reading took longer than a report may. */
  readonly spreads: { readonly newest: number; readonly measured: readonly Spread[] | null };
  /**
   * From the sealed results of the newest judged challenges: `opened` of them, at most `newest`. Null if reading took
   * longer than a report may.
   */
  readonly sealed: {
    readonly newest: number;
    readonly opened: number;
    /** Shares of `opened`. */
    readonly reasons: readonly { readonly reason: string; readonly share: Share }[];
    /** Challenges with `device_binding` other than `off`. */
    readonly devices: Share;
    /** Of these. */
    readonly device_statuses: readonly { readonly status: string; readonly share: Share }[];
  } | null;
  /** In words: what this deployment does not record in a form that can be counted. */
  readonly not_recorded: readonly string[];
}

/** The payload. */
export interface Assurance {
  readonly notice: typeof NOT_CERTIFIED;
  readonly format: typeof ASSURANCE_FORMAT;
  readonly iss: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly judged: Judged;
  readonly measured: readonly MeasuredRow[];
  readonly here: Own;
  readonly rules: readonly Rule[];
}
