// What a species of the laboratory is, and what the laboratory gives it.
import type { AccessibleWay } from '../../src/contract/accessible-way.ts';
import type { PasskeyAnswer, PasskeyAsk } from '../../src/contract/device.ts';
import type { DrawnScript, DrawnStep, Script } from '../../src/contract/script.ts';
import type { Models } from '../../src/models/load.ts';
import type { Recorded } from '../../test/support/phone.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import type { Cast } from '../attacks/cast.ts';
import type { Chance } from '../attacks/random.ts';
import type { Sources } from '../attacks/sources.ts';
import type { Studio } from '../attacks/studio.ts';
import type { PagePlan } from './page/plan.ts';

/**
 * How the service is reached. `client`: a program that speaks the capture API directly and asks for the whole script at
 * once, as a page on a slow network does; `in_time`: the same against a service that requires prompts to be learnt just
 * in time; `camera`: a script that replaces getUserMedia in the real page.
 */
export const WAYS = ['client', 'in_time', 'camera'] as const;
export type Way = (typeof WAYS)[number];

/** Where films are made. */
export interface Stage {
  /** FACES_DIR. */
  readonly root: string;
  readonly cast: Cast;
  readonly sources: Sources;
  /** Old recordings, made earlier by bench/attacks/generate.ts. Only measures of clips are added. */
  readonly old: Studio;
  /** Opened on first use. */
  models(): Promise<Models>;
  /** Kept between runs: what an attacker prepares in advance. It contains faces. */
  readonly keepDir: string;
}

/** One try to be filmed. */
export interface Call {
  readonly script: DrawnScript;
  readonly take: number;
  /** From 0. */
  readonly tried: number;
  readonly chance: Chance;
  /** An empty temporary folder. */
  readonly scratch: string;
  /** What was sent to the previous challenge; null if the species sends nothing before. */
  readonly before: Film | null;
}

/** A film as it is sent: WebM, and the claimed time of each prompt. */
export interface Film {
  readonly bytes: Buffer;
  readonly script: Script;
}

/** How a program without a page attacks. */
export interface ClientAttack {
  /** Preparation, before the link is opened, of what takes longer than a script allows. */
  readonly prepare?: (stage: Stage, take: number) => Promise<void>;
  /** Resolves to null to leave this script unanswered and ask for another. */
  film(stage: Stage, call: Call): Promise<Film | null>;
  /** Makes the film for a separate challenge that comes first; `film` then gets it as `before`. */
  readonly sentBefore?: (stage: Stage, call: Call) => Promise<Film>;
  /** Maximum number of links opened until a script is answered; default 1. */
  readonly links?: number;
  /** What it says that the person cannot do, to a client that allows everything to be left out. */
  readonly leavesOut?: AccessibleWay;
  /** The capture's clock stands still while `film` works, as if the attacker had any number of processors. */
  readonly stopsClock?: boolean;
  /** Prepares another challenge than the usual one. */
  readonly against?: MakeAgainst;
}

/** The service that is attacked. */
export type Service = Pick<RunningService, 'url' | 'credentials' | 'dataDir'>;

export type MakeAgainst = (service: Service, stage: Stage, take: number, seed: string) => Promise<Against>;

/** A challenge to present to. */
export interface Against {
  /** Body of create-challenge. */
  readonly challenge: Readonly<Record<string, unknown>>;
  /** What is answered where the person's device is asked for. */
  readonly device: AnswerDevice;
}

/** What is answered to a page that asks for a passkey. */
export type AnswerDevice = (ask: PasskeyAsk, recorded: Recorded) => PasskeyAnswer;

/** A recording that is made while its script becomes known; all times on the recording's clock. */
export interface Playing {
  /** The bytes up to this time, given the steps known by then. `null`: there are no more. */
  next(untilMs: number, known: readonly DrawnStep[]): Buffer | null;
  /** How many steps it wants to know once it has played up to this time. */
  wanted(untilMs: number): number;
  /** The claimed time of each prompt, once all are known. */
  performed(drawn: DrawnScript): Script;
}

/** How a program without a page attacks when it learns each step only by announcing the one before. */
export interface InTimeAttack {
  /** Preparation before the link is opened. */
  readonly prepare?: (stage: Stage, take: number) => Promise<void>;
  /**
   * The script holds the steps known by then: two, or one if there is no other. Resolves to null to leave it
   * unanswered.
   */
  play(stage: Stage, call: Call): Promise<Playing | null>;
  /** Maximum number of links opened until a script is answered; default 1. */
  readonly links?: number;
}

/** How a page in real Chromium is attacked. */
export interface PageAttack {
  plan(stage: Stage, take: number, chance: Chance): Promise<PagePlan>;
}

/** A kind of presentation. */
export interface LaboratorySpecies {
  readonly name: string;
  readonly label: 'attack' | 'bona_fide';
  /** What the attacker has, or who is in front of the camera. */
  readonly holds: string;
  /** What is done with it. */
  readonly does: string;
  /** The person whose face take `take` claims to show. */
  subject(stage: Pick<Stage, 'cast' | 'old'>, take: number): string | Promise<string>;
  /** Settings of the service that differ from the defaults. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly client?: ClientAttack;
  /** The same when steps are only learnt just in time. */
  readonly inTime?: InTimeAttack;
  readonly page?: PageAttack;
}
