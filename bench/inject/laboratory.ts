// What a species of the laboratory is, and what it finds there.
import type { DrawnScript, DrawnStep, Script } from '../../src/contract/script.ts';
import type { Models } from '../../src/models/load.ts';
import type { Cast } from '../attacks/cast.ts';
import type { Chance } from '../attacks/random.ts';
import type { Sources } from '../attacks/sources.ts';
import type { Studio } from '../attacks/studio.ts';
import type { PagePlan } from './page/plan.ts';

/**
 * How the service is reached. `client`: a program that speaks the capture API by itself and asks for the whole script at once, as a
 * page on a slow network does; `in_time`: the same where the service requires that prompts are known just in time; `camera`: a script over
 * getUserMedia in the real page; `recorder`: the page's MediaRecorder, patched.
 */
export const WAYS = ['client', 'in_time', 'camera', 'recorder'] as const;
export type Way = (typeof WAYS)[number];

/** Where films are made. */
export interface Stage {
  /** FACES_DIR. */
  readonly root: string;
  readonly cast: Cast;
  readonly sources: Sources;
  /** Footage that was made before, by bench/attacks/generate.ts: old recordings. Only read. */
  readonly old: Studio;
  /** Opened once asked for. */
  models(): Promise<Models>;
  /** Kept from run to run: what an attacker works out beforehand. It shows faces. */
  readonly keepDir: string;
}

/** One try to be filmed. */
export interface Call {
  readonly script: DrawnScript;
  readonly take: number;
  /** From 0. */
  readonly tried: number;
  readonly chance: Chance;
  /** An empty folder of its own. */
  readonly scratch: string;
  /** What was sent to the challenge before this one; null where the species sends nothing before. */
  readonly before: Film | null;
}

/** A film as it is sent: WebM, and when each prompt is said to have been shown. */
export interface Film {
  readonly bytes: Buffer;
  readonly script: Script;
}

/** How a program without a page attacks. */
export interface ClientAttack {
  /** What takes longer than a script leaves time for, done before the link is opened. */
  readonly prepare?: (stage: Stage, take: number) => Promise<void>;
  /** Null: this script is not answered, another one is asked for. */
  film(stage: Stage, call: Call): Promise<Film | null>;
  /** The film for a challenge of its own that comes first; `film` then has it as `before`. */
  readonly sentBefore?: (stage: Stage, call: Call) => Promise<Film>;
  /** Links that are opened until a script is answered; default 1. */
  readonly links?: number;
}

/** A recording that is made while its script becomes known, by the clock of the recording. */
export interface Playing {
  /** The bytes of up to this time, given the steps that are known by then. `null`: there are no more. */
  next(untilMs: number, known: readonly DrawnStep[]): Buffer | null;
  /** How many steps it wants to know with what was played up to this time. */
  wanted(untilMs: number): number;
  /** When each prompt is said to have been shown, once all are known. */
  lived(drawn: DrawnScript): Script;
}

/** How a program without a page attacks that learns each step only when the one before was announced. */
export interface InTimeAttack {
  /** What is made before the link is opened. */
  readonly prepare?: (stage: Stage, take: number) => Promise<void>;
  /** The script holds the steps that are known by then: two, or one where there is no other. Null: it is not answered. */
  play(stage: Stage, call: Call): Promise<Playing | null>;
  /** Links that are opened until a script is answered; default 1. */
  readonly links?: number;
}

/** How a page in real Chromium is attacked. */
export interface PageAttack {
  readonly way: 'camera' | 'recorder';
  plan(stage: Stage, take: number, chance: Chance): Promise<PagePlan>;
}

/** A kind of presentation. */
export interface LaboratorySpecies {
  readonly name: string;
  readonly label: 'attack' | 'bona_fide';
  /** What the attacker has, or who stands before the camera. */
  readonly holds: string;
  /** What is done with it. */
  readonly does: string;
  /** Whose face it is that take `take` claims. */
  subject(stage: Pick<Stage, 'cast'>, take: number): string;
  /** Settings of the service that differ from the defaults. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly client?: ClientAttack;
  /** The same with what can be known just in time. */
  readonly inTime?: InTimeAttack;
  readonly page?: PageAttack;
}
