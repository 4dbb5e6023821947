// One process of the service, as `likeness serve` runs it, that tries webhooks again soon enough for a test and lets one
// address send as much as the load does.
import { serve } from '../../dist/composition/serve.js';

/** Half a second at first, then every two seconds, so that a receiver that fails at random is reached in the end. */
const RETRY_DELAYS_MS = [500, 500, 1_000, 1_000, ...Array(60).fill(2_000)];

await serve(process.env, { retryDelaysMs: RETRY_DELAYS_MS, pageRatePerMinute: 10_000_000 });
