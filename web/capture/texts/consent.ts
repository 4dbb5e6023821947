// The text that consent is given to: one source for what is shown and for what is hashed.
import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { Texts } from './texts.ts';

export interface ConsentText {
  readonly paragraphs: readonly { readonly term: string; readonly detail: string }[];
  /** Sentence beside the checkbox; null where none is asked for. */
  readonly checkbox: string | null;
}

/** The privacy text of a challenge in a language. */
export function consentText(texts: Texts, challenge: CaptureState): ConsentText {
  const account = challenge.account.display_name;
  return {
    paragraphs: texts.privacy.text({
      account,
      purpose: challenge.account.purpose,
      retentionDays: challenge.consent.retention_days,
    }),
    checkbox: challenge.consent.show_checkbox ? texts.privacy.checkbox(account) : null,
  };
}

/** The text as it is hashed: terms and details line by line, then the checkbox's sentence. */
export function consentPlainText(text: ConsentText): string {
  const lines = text.paragraphs.flatMap(({ term, detail }) => [term, detail]);
  return [...lines, ...(text.checkbox === null ? [] : [text.checkbox])].join('\n');
}
