// keys final
// The shape of a language: every sentence of the page. A language that lacks one does not compile.
import type { RetryReason } from '../../../src/contract/capture-page.ts';
import type { Language } from '../../../src/contract/languages.ts';
import type { SandboxOutcome } from '../../../src/contract/sandbox.ts';
import type { Prompt } from '../../../src/contract/script.ts';
import type { BrowserFamily } from '../camera/browser-family.ts';
import type { DeadEnd } from '../flow/screens.ts';
import type { Hint } from '../guidance/hint.ts';

/** Reasons that arise on the page itself, beside those of the server. */
export type LocalReason = 'interrupted' | 'camera_lost' | 'recorder_failed' | 'upload_lost' | 'unknown';

/** Where a browser puts its question for the camera. */
export type AskingPlace = 'top' | 'middle';

export interface Message {
  readonly title: string;
  readonly body: string;
}

/** What the privacy text speaks of. */
export interface PrivacyFacts {
  readonly account: string;
  readonly purpose: string | null;
  readonly retentionDays: number;
}

export interface Texts {
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  readonly documentTitle: string;
  readonly loading: string;
  /** Shown where scripts are blocked; the server puts it into the page. */
  readonly noScript: string;
  /** The sandbox of the people who build with it. */
  readonly sandbox: Message & {
    readonly badge: string;
    readonly outcomes: Readonly<Record<SandboxOutcome, string>>;
  };
  readonly privacyPolicy: string;
  readonly termsOfService: string;
  readonly opensInNewTab: string;
  readonly welcome: {
    readonly title: string;
    readonly lead: (account: string) => string;
    readonly duration: string;
    readonly steps: readonly [string, string, string];
    readonly begin: string;
    readonly resume: string;
    readonly working: string;
    /** The way out. */
    readonly notNow: string;
    readonly usePhone: string;
  };
  /** Name of the switch that has instructions spoken. */
  readonly voice: string;
  readonly left: Message & {
    /** Name of the button that leaves the camera. */
    readonly button: string;
    readonly resume: string;
    readonly leave: string;
  };
  readonly privacy: {
    readonly title: string;
    /** Paragraphs of the text that consent is given to: shown in this order, hashed joined by line feeds. */
    readonly text: (facts: PrivacyFacts) => readonly { readonly term: string; readonly detail: string }[];
    readonly checkbox: (account: string) => string;
    readonly checkboxMissing: string;
    readonly agree: string;
    readonly decline: string;
  };
  readonly declined: Message & { readonly changeMind: string; readonly leave: string };
  readonly asking: Message & {
    /** Where the browser puts its question: at the top of its window, or in the middle of the screen. */
    readonly where: Readonly<Record<AskingPlace, string>>;
    /** Said after a while without an answer. */
    readonly slow: string;
    readonly retry: string;
    readonly illustrationAllow: string;
  };
  readonly cameraDenied: Message & {
    /** The first steps in each family of browsers; `comeBack` follows. */
    readonly help: Readonly<Record<BrowserFamily, readonly [string, string]>>;
    readonly comeBack: string;
    readonly retry: string;
    /** Where the embedding page withholds the camera. */
    readonly framed: string;
    readonly openTab: string;
  };
  /** An app's own browser that has no camera. */
  readonly inApp: Message & {
    readonly open: string;
    readonly copy: string;
    readonly copied: string;
  };
  /** A computer that hands the check over to a phone. */
  readonly handOff: {
    readonly title: string;
    readonly noCamera: string;
    readonly scan: string;
    readonly codeLabel: string;
    readonly waiting: string;
    readonly onPhone: string;
    readonly here: string;
    /** Closing words on the phone. */
    readonly goBack: string;
  };
  readonly cameraMissing: Message & { readonly retry: string };
  readonly cameraBusy: Message & { readonly retry: string };
  readonly stage: {
    readonly title: string;
    readonly previewLabel: string;
    readonly camera: string;
    readonly loadingHints: string;
    readonly withoutHints: string;
    readonly hints: Readonly<Record<Hint, string>>;
    readonly ready: string;
    readonly countdown: (seconds: number) => string;
    readonly preparing: string;
    readonly recording: string;
    /** Spoken when a prompt has been answered, before the next one. */
    readonly good: string;
    readonly faceLost: string;
    readonly prompts: Readonly<Record<Prompt, string>>;
  };
  /** A new recording can begin only when the time of the one before is over. */
  readonly waiting: Message;
  readonly uploading: Message & {
    readonly waitingTitle: string;
    /** The server has the recording's hash: there are minutes for its bytes. */
    readonly waitingBody: string;
    /** The server has nothing yet, and waits for seconds only. */
    readonly waitingUnsent: string;
    /** `clock` is minutes and seconds, as 9:41. */
    readonly timeLeft: (clock: string) => string;
    /** Too late by the page's clock; the server has the last word when it can be asked. */
    readonly lateTitle: string;
    readonly lateBody: string;
  };
  readonly processing: Message & {
    readonly estimate: (seconds: number) => string;
    readonly longer: string;
    readonly reconnecting: string;
  };
  readonly retry: {
    readonly title: string;
    readonly reasons: Readonly<Record<RetryReason | LocalReason, Message>>;
    readonly triesLeft: (tries: number) => string;
    readonly again: string;
  };
  readonly done: {
    readonly title: string;
    readonly close: string;
    readonly redirecting: (account: string) => string;
    readonly continue: string;
  };
  readonly deadEnds: Readonly<Record<Exclude<DeadEnd, 'busy' | 'unavailable'>, Message>>;
  /** Answer to too many requests. */
  readonly tooMany: Message;
  /** Link from a dead end to where the person came from. */
  readonly goBack: string;
  readonly failed: Readonly<Record<'offline' | 'server', Message>> & { readonly retry: string };
}
