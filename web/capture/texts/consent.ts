// The text that the person consents to: one source for what is shown and for what is hashed.
import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { Texts } from './texts.ts';

/**
 * `client`: what a client of the account adds, in its own words and lines; it may be in a different language from the
 * page.
 */
export interface ConsentParagraph {
  readonly of: 'who' | 'client' | 'what' | 'kept' | 'choice';
  readonly term: string;
  readonly detail: string;
}

export interface ConsentText {
  readonly paragraphs: readonly ConsentParagraph[];
  /** Sentence beside the checkbox; null if there is no checkbox. */
  readonly checkbox: string | null;
}

/** The privacy text of a challenge in a language. */
export function consentText({ privacy }: Texts, challenge: CaptureState): ConsentText {
  const { display_name: account, purpose } = challenge.account;
  const { client_text: own, retention_days: days } = challenge.consent;
  const { who, client, what, kept, choice } = privacy;
  return {
    paragraphs: [
      {
        of: 'who',
        term: who.term,
        detail: purpose ? who.detailWithPurpose({ account, purpose }) : who.detail({ account }),
      },
      ...(own === null ? [] : [{ of: 'client' as const, term: client.term({ account }), detail: own }]),
      { of: 'what', term: what.term, detail: what.detail },
      { of: 'kept', term: kept.term, detail: kept.detail({ account, days }) },
      { of: 'choice', term: choice.term, detail: choice.detail({ account }) },
    ],
    checkbox: challenge.consent.show_checkbox ? privacy.checkbox({ account }) : null,
  };
}

/** The text as it is hashed: terms and details line by line, then the checkbox's sentence. */
export function consentPlainText(text: ConsentText): string {
  const lines = text.paragraphs.flatMap(({ term, detail }) => [term, detail]);
  return [...lines, ...(text.checkbox === null ? [] : [text.checkbox])].join('\n');
}
