// The lifecycle's table, tested against the store: every action goes to a real database with the device and the
// deliveries of its row, and expiry goes through the sweep.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSecret } from '../../src/base/secrets.ts';
import { deliveriesOf } from '../../src/challenge/closing/deliveries.ts';
import { expireDue } from '../../src/challenge/closing/expire-due.ts';
import {
  ACTIONS,
  type Action,
  type ActionName,
  type ChallengeChange,
  isClosed,
  type NotifyingAction,
} from '../../src/challenge/lifecycle.ts';
import { CHALLENGE_STATUSES, type ChallengeStatus, type ClosedReason } from '../../src/contract/states.ts';
import { create, createRig, expireIn, notifications, type Opened, type Rig } from './challenge-rig.ts';

const NAMES = Object.keys(ACTIONS) as ActionName[];

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

interface State {
  readonly status: ChallengeStatus;
  readonly closed_reason: ClosedReason | null;
  readonly events: readonly string[];
  readonly notified: readonly string[];
}

async function stateOf({ challengeId }: Opened): Promise<State> {
  const { rows } = await sql<State>`
    select status, closed_reason,
      array(select name from challenge_event where challenge_id = h.id order by id) as events,
      array(select event from delivery where challenge_id = h.id) as notified
    from challenge h where id = ${challengeId}`.execute(rig.database.db);
  return rows[0]!;
}

/**
 * Performs an action as the product does, but without what it writes besides. The caller reads its effect from the
 * database.
 */
async function act({ challengeId, link }: Opened, name: ActionName): Promise<void> {
  if (name === 'expire') {
    await expireDue({ ...rig.parts, sweep: rig.sweep });
    return;
  }
  const { requires, does }: Action = ACTIONS[name];
  const device = hashSecret(link.device!);
  const challenge = await rig.parts.store.find(rig.caller.accountId, challengeId);
  await rig.parts.store.apply({
    challengeId,
    action: name,
    ...(requires.guards?.includes('unbound') && { bindDevice: device }),
    ...(requires.guards?.includes('device') && { device }),
    ...(requires.guards?.includes('replaces') && { replaces: device, bindDevice: device }),
    ...(does.notifies && {
      deliveries: await deliveriesOf(rig.parts, challenge!, ACTIONS[name] as NotifyingAction),
    }),
  } as ChallengeChange);
}

/** Notifications that must have been sent when the challenge has this status. */
const NOTIFIED: Partial<Record<ChallengeStatus, string[]>> = {
  completed: notifications.complete.map(() => 'complete'),
  expired: notifications.expired.map(() => 'expired'),
};

function expectClosing({ status, closed_reason, notified }: State): void {
  expect(closed_reason).toBe(isClosed(status) ? status : null);
  expect(notified).toEqual(NOTIFIED[status] ?? []);
}

const passDeadline = ({ challengeId }: Opened) => expireIn(rig, challengeId, -1);

describe('lifecycle', () => {
  it('never leaves a closed status, closes at most once, and notifies once of every closing except a cancellation', async () => {
    const step = fc.record({
      name: fc.constantFrom(...NAMES),
      late: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (steps) => {
        const opened = await create(rig, { notifications });
        let last = await stateOf(opened);
        for (const { name, late } of steps) {
          if (late) await passDeadline(opened);
          await act(opened, name);
          const now = await stateOf(opened);
          if (isClosed(last.status)) expect(now).toEqual(last);
          last = now;
        }
        expectClosing(last);
      }),
      { numRuns: 30 },
    );
  });

  /** Actions that bring a challenge into each status. */
  const WAYS: Readonly<Record<ChallengeStatus, readonly (ActionName | 'deadline')[]>> = {
    created: [],
    initiated: ['open'],
    processing: ['open', 'submitCapture'],
    completed: ['open', 'submitCapture', 'complete'],
    expired: ['deadline', 'expire'],
    cancelled: ['cancel'],
  };

  async function advanceTo(status: ChallengeStatus): Promise<Opened> {
    const opened = await create(rig, { notifications });
    for (const step of WAYS[status]) await (step === 'deadline' ? passDeadline(opened) : act(opened, step));
    expect((await stateOf(opened)).status).toBe(status);
    return opened;
  }

  /** The API's contract: every action that has an effect, with the resulting status and events. */
  const STAYING = {
    takeOver: ['initiated', 'challenge_opened'],
    giveConsent: ['initiated', 'consent_given'],
    declineConsent: ['initiated', 'consent_declined'],
    grantCamera: ['initiated', 'camera_granted'],
    denyCamera: ['initiated', 'camera_denied'],
    issueCapture: ['initiated', 'capture_started'],
  } as const;
  const CANCEL = { cancel: ['cancelled', 'challenge_cancelled'] } as const;
  const EXPIRE = { expire: ['expired', 'challenge_expired'] } as const;
  const COMPLETE = {
    complete: ['completed', 'evaluation_completed'],
    completeWithNewDevice: ['completed', 'evaluation_completed', 'device_added'],
  } as const;
  const ENDED = ['completed', 'capture_started', 'capture_submitted', 'evaluation_completed'] as const;
  type Effects = Partial<Record<ActionName, readonly string[]>>;
  const PROMISED: Readonly<Record<ChallengeStatus, { inTime: Effects; late: Effects }>> = {
    created: {
      inTime: {
        open: ['initiated', 'challenge_opened'],
        openByReference: ['initiated', 'challenge_opened'],
        ...CANCEL,
      },
      late: { ...EXPIRE, ...CANCEL },
    },
    initiated: {
      inTime: {
        ...STAYING,
        submitCapture: ['processing', 'capture_submitted'],
        endInSandbox: ENDED,
        endByReference: ENDED,
        ...CANCEL,
      },
      // A video that arrived in time is still judged.
      late: { submitCapture: ['processing', 'capture_submitted'], ...EXPIRE, ...CANCEL },
    },
    // A challenge that is being judged does not expire.
    processing: {
      inTime: { rejectCapture: ['initiated', 'capture_rejected'], ...COMPLETE, ...CANCEL },
      late: {
        rejectCaptureLate: ['expired', 'capture_rejected', 'challenge_expired'],
        ...COMPLETE,
        ...CANCEL,
      },
    },
    completed: { inTime: {}, late: {} },
    expired: { inTime: {}, late: {} },
    cancelled: { inTime: {}, late: {} },
  };

  it.each(
    CHALLENGE_STATUSES,
  )('allows exactly the documented actions on a challenge that is %s', async (from) => {
    for (const time of ['inTime', 'late'] as const) {
      let opened: Opened | null = null;
      const effects: Record<string, string[]> = {};
      for (const name of NAMES) {
        opened ??= await advanceTo(from);
        if (time === 'late') await passDeadline(opened);
        const before = await stateOf(opened);
        await act(opened, name);
        const after = await stateOf(opened);
        if (JSON.stringify(after) === JSON.stringify(before)) continue;
        expectClosing(after);
        effects[name] = [after.status, ...after.events.slice(before.events.length)];
        opened = null;
      }
      expect({ [time]: effects }).toEqual({ [time]: PROMISED[from][time] });
    }
  });
});
