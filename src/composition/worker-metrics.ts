// Sends the metrics of a worker started by an API (ROLE=all) to its parent, over their channel, for the scrape.
import type { Registry } from 'prom-client';

/** What a parent asks and a worker answers over the channel. */
export const METRICS_REQUEST = 'metrics';
export interface MetricsAnswer {
  readonly metrics: object;
}

/** Answers the parent's questions until the channel closes. Does nothing without a parent. */
export function answerMetrics(registry: Registry): void {
  if (!process.send) return;
  process.on('message', async (message) => {
    if (message !== METRICS_REQUEST) return;
    const answer: MetricsAnswer = { metrics: await registry.getMetricsAsJSON() };
    // The parent may have ended meanwhile.
    if (process.connected) process.send?.(answer, () => {});
  });
}
