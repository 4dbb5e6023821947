// Steps of the state machine while the person's device is asked to sign the recording, which is uploaded meanwhile.
import type { PasskeyAnswer, PasskeyAsk } from '../../../src/contract/device.ts';
import type { DeviceWay } from '../passkey/support.ts';
import type { Deadlines } from '../upload/pending.ts';
import type { Page, PageEvent, Screen, Setting } from './screens.ts';
import { stay, type Transition, to } from './transition.ts';
import { onUploading, uploading } from './upload-steps.ts';

type DeviceScreen = Extract<Screen, { name: 'device' }>;

/** What the device can be asked for, the likelier first; empty if the browser can do nothing of it. */
export function deviceWays(ask: PasskeyAsk, { passkeys }: Pick<Setting, 'passkeys'>): readonly DeviceWay[] {
  const { sign, make } = asked(ask);
  const ways: readonly [DeviceWay, boolean][] = [
    ['sign', sign && passkeys.sign],
    ['make', make && passkeys.make],
  ];
  return ways.filter(([, can]) => can).map(([way]) => way);
}

/** Whether the check fails here whatever the person does: it needs their device, and the browser cannot ask it. */
export const lacksDevice = ({ challenge, setting: { passkeys } }: Page): boolean =>
  challenge?.device_required === true && !passkeys.sign && !passkeys.make;

const asked = ({ known, new_user_id }: PasskeyAsk): Readonly<Record<DeviceWay, boolean>> => ({
  sign: known.length > 0,
  make: new_user_id !== null,
});

/**
 * A recording is over, here or before a reload: it is uploaded, and the device is asked if it is to answer.
 * @param committed whether the server has acknowledged the recording's end
 */
export function afterRecording(
  page: Page,
  ask: PasskeyAsk | null,
  deadlines: Deadlines,
  committed: boolean,
): Transition {
  const sending = uploading(deadlines, committed);
  if (ask === null) return to(page, sending, { do: 'upload' });
  const { sign, make } = asked(ask);
  if (!sign && !make)
    return to(page, sending, { do: 'upload' }, { do: 'answer_device', answer: { kind: 'declined' } });
  const said = deviceWays(ask, page.setting).length === 0 ? 'unavailable' : null;
  return to(
    page,
    { name: 'device', ask, busy: null, said, status: sending.status, deadlines },
    { do: 'upload' },
    { do: 'prepare_device', ask },
    // Nothing is called while the person decides, so that nothing else would tell that their time is over.
    { do: 'wait', untilMs: deadlines.uploadByMs },
  );
}

/** Handles events while the person is asked to use their device. */
export function onDevice(page: Page, screen: DeviceScreen, event: PageEvent): Transition {
  switch (event.type) {
    case 'use_device': {
      const { way } = event;
      const can = screen.busy === null && deviceWays(screen.ask, page.setting).includes(way);
      if (!can || screen.said === 'unavailable') return stay(page);
      return to(page, { ...screen, busy: way, said: null }, { do: 'ask_device', ask: screen.ask, way });
    }
    case 'device_failed':
      return screen.busy === null ? stay(page) : to(page, { ...screen, busy: null, said: event.why });
    case 'device_answered':
      return screen.busy === null ? stay(page) : answered(page, screen, event.answer);
    case 'without_device':
      return withoutDevice(page, screen);
    case 'waited':
      return to(page, screen, { do: 'ask_whether_over' });
    default:
      return onUploading(page, screen, event);
  }
}

/** A person who does without a device that is required has been told what follows, and says so again. */
function withoutDevice(page: Page, screen: DeviceScreen): Transition {
  const { said, ask } = screen;
  if (said === 'unavailable') return answered(page, screen, { kind: 'unavailable' });
  if (ask.required && said !== 'declining') return to(page, { ...screen, said: 'declining' });
  return answered(page, screen, { kind: 'declined' });
}

function answered(page: Page, { ask, status, deadlines }: DeviceScreen, answer: PasskeyAnswer): Transition {
  const made = answer.made ? { rpId: ask.rp_id, credentialId: answer.made.id } : null;
  const signer = answer.made?.id ?? answer.signed?.id ?? null;
  const madeKey = made ?? page.madeKey;
  const then = to(
    { ...page, madeKey, sparesKey: signer !== madeKey?.credentialId },
    { name: 'uploading', status, deadlines },
    { do: 'answer_device', answer },
  );
  // The upload of the recording that it signed was lost, and with it the only trace of that passkey.
  return made && page.madeKey
    ? { ...then, effects: [...then.effects, { do: 'disown', key: page.madeKey }] }
    : then;
}
