// The shape of a language: every sentence of the page. A language that lacks one does not compile.
import type { RetryReason } from '../../../src/contract/capture-page.ts';
import type { Prompt } from '../../../src/contract/script.ts';
import type { BrowserFamily } from '../camera/browser-family.ts';
import type { CallFault, DeadEnd } from '../flow/screens.ts';
import type { Hint } from '../guidance/hint.ts';

/** Reasons that arise on the page itself, beside those of the server. */
export type LocalReason = 'interrupted' | 'camera_lost' | 'recorder_failed' | 'upload_lost' | 'unknown';

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
  /** BCP 47. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly documentTitle: string;
  readonly loading: string;
  readonly sandbox: string;
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
  readonly asking: Message & { readonly where: string; readonly illustrationAllow: string };
  readonly cameraDenied: Message & {
    readonly help: Readonly<Record<BrowserFamily, readonly string[]>>;
    readonly retry: string;
  };
  readonly cameraMissing: Message & { readonly retry: string };
  readonly cameraBusy: Message & { readonly retry: string };
  readonly stage: {
    readonly title: string;
    readonly previewLabel: string;
    readonly loadingHints: string;
    readonly withoutHints: string;
    readonly hints: Readonly<Record<Hint, string>>;
    readonly ready: string;
    readonly countdown: (seconds: number) => string;
    readonly preparing: string;
    readonly recording: string;
    readonly faceLost: string;
    readonly prompts: Readonly<Record<Prompt, string>>;
  };
  readonly uploading: Message & {
    readonly percent: (percent: number) => string;
    readonly waitingTitle: string;
    readonly waitingBody: string;
    readonly stoppedTitle: string;
    readonly stoppedBody: string;
    readonly retry: string;
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
  readonly deadEnds: Readonly<Record<DeadEnd, Message>>;
  readonly failed: Readonly<Record<CallFault, Message>> & { readonly retry: string };
  readonly inlineFault: Readonly<Record<'offline' | 'server', string>>;
}
