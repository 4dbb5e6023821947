// Fairness among receivers: no endpoint holds more than its share of the calls under way, so that a slow or dead one
// delays only its own deliveries.

/** Longest deferral: the length of an attempt. */
const MAX_DEFERRAL_MS = 15_000;
const MIN_DEFERRAL_MS = 100;
/** Weight of the newest call in the running mean of an endpoint's durations. */
const NEWEST_SHARE = 0.3;

/** Admission, or for how long to put the delivery off. */
export type Admission =
  | { readonly kind: 'admitted'; readonly leave: () => void }
  | { readonly kind: 'full'; readonly deferMs: number };

export interface EndpointGate {
  /** Asks for one call to an endpoint; `leave` must be called when it is over. Never waits. */
  enter(endpoint: string): Admission;
}

interface Endpoint {
  calls: number;
  /** Refused since a place was last free: they will all come back. */
  deferred: number;
  meanDurationMs: number;
}

/**
 * Makes the gate of one process. An endpoint may have at most as many calls under way as places are still free
 * ("dynamic threshold", Choudhury and Hahne 1998): one endpoint alone gets half of the capacity, n slow ones leave
 * 1/(n+1) of it to the others. An endpoint without calls under way is forgotten: memory follows the calls.
 * @param capacity deliver jobs that this process runs at once
 * @param random in [0, 1): spreads the deferred
 */
export function createEndpointGate(capacity: number, random: () => number = Math.random): EndpointGate {
  const endpoints = new Map<string, Endpoint>();
  let underWay = 0;

  function leave(name: string, endpoint: Endpoint, startedAt: number): void {
    const durationMs = performance.now() - startedAt;
    const mean = endpoint.meanDurationMs || durationMs;
    endpoint.meanDurationMs = mean + NEWEST_SHARE * (durationMs - mean);
    endpoint.deferred = Math.max(0, endpoint.deferred - 1);
    endpoint.calls -= 1;
    underWay -= 1;
    if (endpoint.calls === 0) endpoints.delete(name);
  }

  return {
    enter(name) {
      const endpoint = endpoints.get(name) ?? { calls: 0, deferred: 0, meanDurationMs: 0 };
      if (endpoint.calls > 0 && endpoint.calls >= capacity - underWay) {
        endpoint.deferred += 1;
        return { kind: 'full', deferMs: deferral(endpoint, random()) };
      }
      endpoints.set(name, endpoint);
      endpoint.calls += 1;
      underWay += 1;
      const startedAt = performance.now();
      return { kind: 'admitted', leave: () => leave(name, endpoint, startedAt) };
    },
  };
}

/** About when a place comes free for the last of those in line; unknown durations count as slow. */
function deferral(endpoint: Endpoint, random: number): number {
  const perCallMs = endpoint.meanDurationMs || MAX_DEFERRAL_MS / 10;
  const lineMs = (perCallMs * endpoint.deferred) / endpoint.calls;
  const boundedMs = Math.min(MAX_DEFERRAL_MS, Math.max(MIN_DEFERRAL_MS, lineMs));
  return Math.round(boundedMs * (0.5 + random));
}
