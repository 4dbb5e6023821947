// What people read about a client of the OpenID Provider: the fields of its form, and the form that changes it.
import { useState } from 'preact/hooks';
import { MAX_CONSENT_CHARS, MAX_TEXT_CHARS, MAX_URL_CHARS } from '../client-limits.ts';
import type { LoginTexts } from '../console/messages.ts';

/** Only the account's own words. */
export const NO_TEXTS: LoginTexts = {
  display_name: null,
  purpose: null,
  consent_text: null,
  privacy_url: null,
};

/** Fields of a form; an empty one is null. */
export function LoginTextFields(props: { texts: LoginTexts; change: (texts: LoginTexts) => void }) {
  const { texts, change } = props;
  const line = (name: keyof LoginTexts, title: string, maxLength: number) => (
    <label>
      {title}
      <input
        maxLength={maxLength}
        value={texts[name] ?? ''}
        onInput={(event) => change({ ...texts, [name]: event.currentTarget.value || null })}
      />
    </label>
  );
  return (
    <>
      {line('display_name', 'Name shown to people', MAX_TEXT_CHARS)}
      {line('purpose', 'Purpose shown to people', MAX_TEXT_CHARS)}
      <label>
        Addition to the consent text
        <textarea
          rows={3}
          maxLength={MAX_CONSENT_CHARS}
          value={texts.consent_text ?? ''}
          onInput={(event) => change({ ...texts, consent_text: event.currentTarget.value || null })}
        />
      </label>
      {line('privacy_url', 'Privacy notice', MAX_URL_CHARS)}
    </>
  );
}

/** A form inside a disclosure, filled with the current texts. `save` receives all of them. */
export function ChangeLoginTexts(props: { texts: LoginTexts; save: (texts: LoginTexts) => void }) {
  const { display_name, purpose, consent_text, privacy_url } = props.texts;
  const [texts, setTexts] = useState<LoginTexts>({ display_name, purpose, consent_text, privacy_url });
  const submit = (event: Event) => {
    event.preventDefault();
    props.save(texts);
  };
  return (
    <details>
      <summary>Change</summary>
      <form class="filters" onSubmit={submit}>
        <LoginTextFields texts={texts} change={setTexts} />
        <button type="submit">Save (applies from the next check)</button>
      </form>
    </details>
  );
}
