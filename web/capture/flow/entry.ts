// How this tab enters its challenge: loads its state, begins it, and submits the consent.
import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { Calls } from '../api/calls.ts';
import { type Device, sha256Hex } from '../api/device.ts';
import type { PageEvent } from './screens.ts';
import type { Unsent } from './unsent.ts';

export interface EntryParts {
  readonly calls: Calls;
  readonly device: Device;
  /** State in the page's markup; used for the first load of a tab that has not begun the challenge. */
  readonly given: CaptureState;
  readonly unsent: Pick<Unsent, 'resume'>;
  /** Plain text of the consent as shown for this challenge, and its language. */
  consentText(challenge: CaptureState): { text: string; language: string };
  dispatch(event: PageEvent): void;
}

export interface Entry {
  /** Dispatches `loaded` or `call_failed`. */
  load(): Promise<void>;
  /** Binds the challenge to this tab, with the person's decision if consent is required; dispatches `begun`. */
  begin(decision: 'given' | 'declined' | null): Promise<void>;
}

/** Creates this tab's entry to its challenge; nothing is called yet. */
export function createEntry({ calls, device, given, unsent, consentText, dispatch }: EntryParts): Entry {
  let markup: CaptureState | null = given;

  const loaded = async (challenge: CaptureState) => {
    const pending = await unsent.resume(challenge);
    dispatch({ type: 'loaded', challenge, pending, following: device.following });
  };

  return {
    load: async () => {
      const first = markup;
      markup = null;
      if (first && !device.known) return loaded(first);
      const answer = await calls.state();
      if (!answer.ok) return dispatch({ type: 'call_failed', fault: answer.fault });
      await loaded(answer.value);
    },
    begin: async (decision) => {
      device.keep(device.token);
      const answer = await calls.start();
      if (!answer.ok) return dispatch({ type: 'call_failed', fault: answer.fault });
      let challenge = answer.value.state;
      if (decision !== null) {
        const { text, language } = consentText(challenge);
        const consent = await calls.consent({
          decision,
          text_version: challenge.consent.text_version,
          text_sha256: await sha256Hex(new TextEncoder().encode(text)),
          language,
        });
        if (!consent.ok) return dispatch({ type: 'call_failed', fault: consent.fault });
        challenge = consent.value;
      }
      dispatch({ type: 'begun', challenge });
    },
  };
}
