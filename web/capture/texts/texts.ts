// What the page says in one language: the messages of web/capture/messages, with those that have placeholders as
// functions. The shape is that of the English file, so a message that is used here but missing there does not compile.
import type { RetryReason } from '../../../src/contract/capture-page.ts';
import type { Language } from '../../../src/contract/languages.ts';
import type { SandboxOutcome } from '../../../src/contract/sandbox.ts';
import type { Prompt } from '../../../src/contract/script.ts';
import type { Amount } from '../../../src/contract/target.ts';
import type { AskingPlace, BrowserFamily } from '../camera/browser-family.ts';
import type { DeadEnd } from '../flow/screens.ts';
import type { Advice } from '../guidance/aim.ts';
import type { Hint } from '../guidance/hint.ts';
import type { Sector } from './sectors.ts';

export interface Message {
  readonly title: string;
  readonly body: string;
}

/** Reasons that arise on the page itself, in addition to the server's. */
export type LocalReason = 'interrupted' | 'camera_lost' | 'recorder_failed' | 'too_slow' | 'upload_lost';

/** Requires a message for every value of these types. */
interface Exhaustive {
  readonly sandbox: { readonly outcomes: Readonly<Record<SandboxOutcome, string>> };
  readonly asking: { readonly where: Readonly<Record<AskingPlace, string>> };
  readonly cameraDenied: { readonly help: Readonly<Record<BrowserFamily, object>> };
  readonly stage: {
    readonly hints: Readonly<Record<Hint, string>>;
    readonly prompts: Readonly<Record<Exclude<Prompt, 'target'>, string>>;
    readonly turn: Readonly<Record<Amount, string>>;
    readonly where: Readonly<Record<Sector, string>>;
    readonly advice: Readonly<Record<Exclude<Advice, Hint>, string>>;
  };
  readonly retry: { readonly reasons: Readonly<Record<RetryReason | LocalReason, Message>> };
  readonly deadEnds: Readonly<Record<Exclude<DeadEnd, 'busy' | 'unavailable' | 'sandboxed_frame'>, Message>>;
}

type Covering<Tree extends Exhaustive> = Tree;

/** The messages of a language as in its file: ICU MessageFormat, nested by screen. */
export type Messages = Covering<typeof import('../messages/en.json', { with: { type: 'json' }})>;

/** Values for the placeholders of messages. */
interface Values {
  /** The client's name, as it gives it. */
  readonly account: string;
  /** Why the client asks, in its own words. */
  readonly purpose: string;
  /** Number of days that the video is kept; 0: deleted at once. */
  readonly days: number;
  readonly seconds: number;
  /** Minutes and seconds, such as 9:41. */
  readonly clock: string;
  /** The direction of a turn: a value of `stage.where`. */
  readonly where: string;
  /** Attempts left, at least 1. */
  readonly tries: number;
}

/** The messages that have placeholders, by path, and which ones. Every other message is shown as it is. */
export const PLACEHOLDERS = {
  'welcome.lead': ['account'],
  'welcome.duration': ['seconds'],
  'cannot.neither': ['account'],
  'privacy.who.detail': ['account'],
  'privacy.who.detailWithPurpose': ['account', 'purpose'],
  'privacy.client.term': ['account'],
  'privacy.kept.detail': ['account', 'days'],
  'privacy.choice.detail': ['account'],
  'privacy.checkbox': ['account'],
  'stage.countdown': ['seconds'],
  'stage.turn.near': ['where'],
  'stage.turn.far': ['where'],
  'uploading.timeLeft': ['clock'],
  'processing.estimate': ['seconds'],
  'retry.triesLeft': ['tries'],
  'done.redirecting': ['account'],
} as const satisfies Readonly<Record<string, readonly (keyof Values)[]>>;

type Placeholders = typeof PLACEHOLDERS;

/** A message by its path: a text, or a function that makes one from its values. */
type ReadyMessage<Place extends string> = Place extends keyof Placeholders
  ? (values: Pick<Values, Placeholders[Place][number]>) => string
  : string;

/** A tree of messages, ready to show; `Prefix` is the path of its keys. */
type Ready<Tree, Prefix extends string> = {
  readonly [Key in keyof Tree & string]: Tree[Key] extends string
    ? ReadyMessage<`${Prefix}${Key}`>
    : Ready<Tree[Key], `${Prefix}${Key}.`>;
};

/** Messages that the server writes into the page for when no script runs. The script does not carry them. */
export const SERVER_MESSAGES = ['noScript', 'late'] as const;
export type ServerMessages = Pick<Messages, (typeof SERVER_MESSAGES)[number]>;

/** All texts of the page in one language. */
export type Texts = Ready<Omit<Messages, keyof ServerMessages>, ''> & { readonly language: Language };
