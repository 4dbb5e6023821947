// Sends one delivery again.
import { ActionButton } from './action-button.tsx';
import { useRedeliver } from './use-redeliver.ts';

export function Redeliver({ deliveryId }: { deliveryId: string }) {
  const { busy, redeliver } = useRedeliver();
  return (
    <ActionButton label="Send again" needs="operator" loading={busy} press={() => redeliver([deliveryId])} />
  );
}
