// Records traces if a collector is configured; otherwise the SDK is not loaded.
import type { Logger } from '../base/log.ts';
import type { Trace } from '../base/trace.ts';
import type { Config } from '../config/config.ts';
import type { JudgeObserver } from '../jobs/settle.ts';
import type { DeliverObserver } from '../webhook/deliver.ts';
import type { Tracing } from './otlp-traces.ts';
import { VERSION } from './version.ts';

export async function openTracing(config: Config, log: Logger): Promise<Tracing | null> {
  if (!config.OTEL_EXPORTER_OTLP_ENDPOINT) return null;
  const { startTracing } = await import('./otlp-traces.ts');
  return startTracing({ version: VERSION, region: config.REGION, role: config.ROLE }, log);
}

interface WorkObservers {
  readonly judge: JudgeObserver;
  readonly deliver: DeliverObserver;
}

/** The observers, which also record spans if `trace` is given. */
export function withTraces(observers: WorkObservers, trace: Trace | null): WorkObservers {
  if (!trace) return observers;
  const [judge, deliver] = [traceJudgements(trace), traceDeliveries(trace)];
  return {
    judge: (judged) => {
      observers.judge(judged);
      judge(judged);
    },
    deliver: (attempt) => {
      observers.deliver(attempt);
      deliver(attempt);
    },
  };
}

/** Records a judgement as a span that contains its steps. */
function traceJudgements(trace: Trace): JudgeObserver {
  return ({ captureId, challengeId, settlement, live, startedAt, timingsMs }) => {
    const { total: _whole, rest: _partOfIt, ...steps } = timingsMs;
    trace({
      name: 'judge',
      kind: 'consumer',
      startedAt,
      durationMs: Date.now() - startedAt.getTime(),
      failed: false,
      attributes: {
        'likeness.challenge_id': challengeId,
        'likeness.capture_id': captureId,
        'likeness.settlement': settlement,
        'likeness.live': live,
      },
      steps,
    });
  };
}

/** Records a delivery attempt as a span. */
function traceDeliveries(trace: Trace): DeliverObserver {
  return ({ deliveryId, challengeId, outcome, responseStatus, at, durationMs }) =>
    trace({
      name: 'deliver',
      kind: 'client',
      startedAt: at,
      durationMs,
      failed: outcome !== 'delivered',
      attributes: {
        'likeness.delivery_id': deliveryId,
        ...(challengeId !== null && { 'likeness.challenge_id': challengeId }),
        'likeness.outcome': outcome,
        ...(responseStatus !== null && { 'http.response.status_code': responseStatus }),
      },
    });
}
