// One delivery with every attempt, and sending it again.
import { useState } from 'preact/hooks';
import type { Delivery } from '../../../src/contract/delivery.ts';
import type { Api } from './api.ts';
import { Badge, Time } from './shown.tsx';

export function DeliveryAttempts({ api, delivery }: { api: Api; delivery: Delivery }) {
  return (
    <article>
      <h3>
        {delivery.event} to <code>{delivery.endpoint_url}</code> <Badge word={delivery.status} />
      </h3>
      <ol class="timeline">
        {delivery.attempts.map((attempt) => (
          <li key={attempt.at}>
            <Time at={attempt.at} /> <strong>{attempt.outcome.replaceAll('_', ' ')}</strong>{' '}
            {attempt.response_status !== null && `HTTP ${attempt.response_status}, `}
            {attempt.duration_ms} ms
            {attempt.excerpt && <pre>{attempt.excerpt}</pre>}
          </li>
        ))}
      </ol>
      {delivery.next_attempt_at && (
        <p class="soft">
          Next attempt <Time at={delivery.next_attempt_at} />
        </p>
      )}
      <Redeliver api={api} deliveryId={delivery.delivery_id} />
    </article>
  );
}

export function Redeliver({ api, deliveryId }: { api: Api; deliveryId: string }) {
  const [said, setSaid] = useState<string | null>(null);
  const send = () =>
    api.send('POST', `/deliveries/${deliveryId}/redeliver`).then(
      () => setSaid('Queued'),
      (error: Error) => setSaid(error.message),
    );
  return (
    <span>
      <button type="button" class="quiet" onClick={send}>
        Send again
      </button>{' '}
      <output>{said}</output>
    </span>
  );
}
