// Sends the metrics of a worker that an API process started (ROLE=all) to its parent over IPC, for the scrape.
import type { Registry } from 'prom-client';

/** The message with which a parent asks a worker for its metrics. */
export const METRICS_REQUEST = 'metrics';
export interface MetricsAnswer {
  readonly metrics: object;
}

/** Answers the parent's requests until the channel closes. Does nothing without a parent. */
export function answerMetrics(registry: Registry): void {
  if (!process.send) return;
  process.on('message', async (message) => {
    if (message !== METRICS_REQUEST) return;
    const answer: MetricsAnswer = { metrics: await registry.getMetricsAsJSON() };
    // The parent may have exited meanwhile.
    if (process.connected) process.send?.(answer, () => {});
  });
}
