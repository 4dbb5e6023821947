// Has the person's device sign the recording, and dispatches what comes of it.
import type { PasskeyAnswer, PasskeyAsk } from '../../../src/contract/device.ts';
import { passkeyChallenge } from '../passkey/challenge.ts';
import { disown } from '../passkey/disown.ts';
import { type DeviceWay, UNATTESTED_ERROR } from '../passkey/support.ts';
import type { PageEvent } from './screens.ts';
import type { Unsent } from './unsent.ts';

export interface AskedDevice {
  /** Gets ready what a tap needs, because browsers ask the device only for a moment after it. */
  prepare(ask: PasskeyAsk): void;
  /** Asks the device. Dispatches `device_answered` or `device_failed`, unless it is stopped. */
  use(ask: PasskeyAsk, way: DeviceWay): Promise<void>;
  /** Closes the browser's dialog. */
  stop(): void;
}

/** Creates the page's access to the device; nothing is loaded yet. */
export function createAskedDevice(
  unsent: Pick<Unsent, 'slices'>,
  dispatch: (event: PageEvent) => void,
): AskedDevice {
  let challenge: Promise<Uint8Array> | null = null;
  let loading: ReturnType<typeof loadCeremony> | null = null;
  let current: object | null = null;

  const load = () => {
    loading ??= loadCeremony().catch((error: unknown) => {
      // The next tap tries again.
      loading = null;
      throw error;
    });
    return loading;
  };
  const challengeFor = async ({ challenge_id }: PasskeyAsk) =>
    passkeyChallenge(challenge_id, await unsent.slices());
  const use = async (ask: PasskeyAsk, way: DeviceWay) => {
    const mine = {};
    current = mine;
    challenge ??= challengeFor(ask);
    const [ceremony, signed] = await Promise.all([load().catch(() => null), challenge]);
    // The person may have gone on while the file was on its way.
    if (current !== mine) return;
    if (ceremony === null) return dispatch({ type: 'device_failed', why: 'offline' });
    const event = await ceremony.askDevice(way, ask, signed).then(answered, failed);
    if (current === mine) return dispatch(event);
    if (event.type === 'device_answered' && event.answer.made)
      disown({ rpId: ask.rp_id, credentialId: event.answer.made.id });
  };
  return {
    prepare: (ask) => {
      challenge = challengeFor(ask);
      load().catch(() => undefined);
    },
    use,
    stop: () => {
      current = null;
      loading?.then(
        ({ stopAsking }) => stopAsking(),
        () => undefined,
      );
    },
  };
}

async function loadCeremony() {
  const { askDevice, stopAsking } = await import('../passkey/ceremony.ts');
  return { askDevice, stopAsking };
}

/** Names of errors that would come again (WebAuthn Level 3, 5.1.3 and 5.1.4.1). */
const FINAL: ReadonlySet<string> = new Set(['NotSupportedError', 'SecurityError', 'ConstraintError']);

const answered = (answer: PasskeyAnswer) => ({ type: 'device_answered', answer }) as const;

function failed(error: unknown): Extract<PageEvent, { type: 'device_failed' }> {
  // What the browser or the device cannot do at all. Anything else may go well the next time.
  const name = error instanceof Error ? error.name : '';
  if (name === UNATTESTED_ERROR) return { type: 'device_failed', why: 'unattested' };
  return { type: 'device_failed', why: FINAL.has(name) ? 'unavailable' : 'cancelled' };
}
