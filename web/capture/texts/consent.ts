// The text that consent is given to: one source for what is shown and for what is hashed.
import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { Texts } from './texts.ts';

export interface ConsentText {
  readonly paragraphs: readonly { readonly term: string; readonly detail: string }[];
  /** Sentence beside the checkbox; null where none is asked for. */
  readonly checkbox: string | null;
}

/** The privacy text of a challenge in a language. */
export function consentText({ privacy }: Texts, challenge: CaptureState): ConsentText {
  const { display_name: account, purpose } = challenge.account;
  const { who, what, kept, choice } = privacy;
  return {
    paragraphs: [
      {
        term: who.term,
        detail: purpose ? who.detailWithPurpose({ account, purpose }) : who.detail({ account }),
      },
      { term: what.term, detail: what.detail },
      { term: kept.term, detail: kept.detail({ account, days: challenge.consent.retention_days }) },
      { term: choice.term, detail: choice.detail({ account }) },
    ],
    checkbox: challenge.consent.show_checkbox ? privacy.checkbox({ account }) : null,
  };
}

/** The text as it is hashed: terms and details line by line, then the checkbox's sentence. */
export function consentPlainText(text: ConsentText): string {
  const lines = text.paragraphs.flatMap(({ term, detail }) => [term, detail]);
  return [...lines, ...(text.checkbox === null ? [] : [text.checkbox])].join('\n');
}
