// Metrics of the work behind the API: judgements and webhook attempts. The process that does the work counts them; the
// API process that the operator scrapes exposes them. Labels are stable codes, with no ids, addresses or personal data.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Readiness } from '../http/services.ts';
import type { JudgeObserver } from '../jobs/settle.ts';
import type { DeliverObserver } from '../webhook/deliver.ts';

/** Creates the metrics in the registry of the process that does the work. */
export function createWorkMetrics(registry: Registry): { judge: JudgeObserver; deliver: DeliverObserver } {
  const registers = [registry];
  const counterBy = <Label extends string>(label: Label, name: string, help: string) =>
    new Counter<Label>({ name, help, labelNames: [label], registers });
  const judgements = new Counter({
    name: 'likeness_judgements_total',
    help: 'Judged captures by what became of them, whether they were live, and whether they were judged while they were recorded',
    labelNames: ['settlement', 'live', 'followed'],
    registers,
  });
  const reasons = counterBy(
    'reason',
    'likeness_judgement_reasons_total',
    'Reasons in judgements: why a capture was sent back or failed',
  );
  const guidance = counterBy(
    'guidance',
    'likeness_capture_guidance_total',
    'Judged captures by the state of the page guidance: on, late, failed, or not reported (unknown)',
  );
  const promptLead = counterBy(
    'outcome',
    'likeness_prompt_lead_total',
    'Judged captures by whether no prompt was known ahead: passed, failed, or why it was not evaluated',
  );
  const steps = new Histogram({
    name: 'likeness_judgement_step_seconds',
    help: 'Time of each step of a judgement; `total` is all of it, `rest` the part after the last byte arrived',
    labelNames: ['step'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2.5, 5, 10, 30],
    registers,
  });
  const attempts = counterBy('outcome', 'likeness_delivery_attempts_total', 'Webhook attempts by outcome');
  return {
    judge: (judged) => {
      const { settlement, live, followed } = judged;
      judgements.inc({ settlement, live: String(live), followed: String(followed) });
      guidance.inc({ guidance: judged.guidance });
      promptLead.inc({ outcome: judged.promptLead });
      for (const reason of judged.reasons) reasons.inc({ reason });
      for (const [step, ms] of Object.entries(judged.timingsMs)) steps.observe({ step }, ms / 1000);
    },
    deliver: ({ outcome }) => attempts.inc({ outcome }),
  };
}

interface QueueFigure {
  readonly queue: string;
  readonly depth: number;
  readonly oldestSeconds: number;
}

/**
 * Measures depth and age of the queues, read from the database at each scrape. While it is unavailable, these figures
 * are missing rather than stale; other metrics remain.
 */
export function measureQueues(registry: Registry, read: () => Promise<readonly QueueFigure[]>): void {
  let reading: Promise<readonly QueueFigure[]> | null = null;
  // A scrape collects all gauges at once, so both share one statement.
  const readOnce = () => {
    reading ??= read()
      .catch(() => [])
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const gauge = (name: string, help: string, figureOf: (queue: QueueFigure) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [registry],
      async collect() {
        const queues = await readOnce();
        this.reset();
        for (const each of queues) this.set({ queue: each.queue }, figureOf(each));
      },
    });
  gauge(
    'likeness_queue_age_seconds',
    'Age of the oldest waiting item; 0 if none is waiting',
    (each) => each.oldestSeconds,
  );
  gauge(
    'likeness_queue_depth',
    'Waiting items: captures to be judged, deliveries that are due, deletions of keys whose bytes have to leave the disk',
    (each) => each.depth,
  );
}

/**
 * Exposes the /readyz state of each part, checked at each scrape. A load balancer sends no requests to a process that
 * is not ready, so no failed request would reveal it.
 */
export function measureReadiness(registry: Registry, readiness: Readiness): void {
  new Gauge({
    name: 'likeness_ready',
    help: 'Whether a part that requests depend on is ready, as in /readyz; `running` is 0 in a process that is stopping',
    labelNames: ['part'],
    registers: [registry],
    aggregator: 'min',
    async collect() {
      const { parts } = await readiness.check();
      this.reset();
      for (const [part, isReady] of Object.entries(parts)) this.set({ part }, Number(isReady));
    },
  });
}
