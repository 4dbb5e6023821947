// Sending deliveries again, one or many.
import { MAX_REDELIVERED, type Redelivered } from '../../../src/contract/console-deliveries.ts';
import { ActionButton } from './action-button.tsx';
import { useApi } from './signed-in.ts';
import { say, useAction } from './use-action.ts';

/** Sends deliveries again, and says what became of them. */
export function useRedeliver(): {
  readonly busy: boolean;
  redeliver(ids: readonly string[], done?: () => void): void;
} {
  const api = useApi();
  const { busy, run } = useAction();
  const sendAll = async (ids: readonly string[]) => {
    const total = { requeued: 0, refused: 0 };
    for (let from = 0; from < ids.length; from += MAX_REDELIVERED) {
      const delivery_ids = ids.slice(from, from + MAX_REDELIVERED);
      const { requeued, refused } = await api.send<Redelivered>('POST', '/deliveries/redeliver', {
        delivery_ids,
      });
      total.requeued += requeued;
      total.refused += refused.length;
    }
    return total;
  };
  return {
    busy,
    redeliver: (ids, done) =>
      run(
        () => sendAll(ids),
        ({ requeued, refused }) => {
          done?.();
          say(`Queued: ${requeued}.${refused > 0 ? ` Not sent again: ${refused}, cancelled or gone.` : ''}`);
        },
      ),
  };
}

/** A button that sends one delivery again. */
export function Redeliver({ deliveryId }: { deliveryId: string }) {
  const { busy, redeliver } = useRedeliver();
  return (
    <ActionButton label="Send again" needs="operator" loading={busy} press={() => redeliver([deliveryId])} />
  );
}
