// What the operator does: one action at a time, its end as a notification, and what to do if it was refused.
import { notifications } from '@mantine/notifications';
import { useState } from 'react';

interface Action {
  /** Whether the last action is under way. */
  readonly busy: boolean;
  /** Starts an action. `refused` is the heading of what is said if it fails. */
  run<Answer>(action: () => Promise<Answer>, done: (answer: Answer) => void, refused?: string): void;
}

export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  return {
    busy,
    run: (action, done, refused = 'Not done') => {
      setBusy(true);
      action()
        .then(done, (error: Error) => {
          // It stays until it has been read.
          notifications.show({ color: 'red', title: refused, message: error.message, autoClose: false });
        })
        .finally(() => setBusy(false));
    },
  };
}

/** Tells the operator that something is done. */
export function say(message: string): void {
  notifications.show({ color: 'green', message });
}
