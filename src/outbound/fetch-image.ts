// Fetches client-given pictures (a logo) through the guarded agent.
import type { GuardedAgent } from './guarded-agent.ts';

/** Makes the fetcher. It resolves with the complete body of a 200, or null. */
export function createImageFetcher(agent: GuardedAgent) {
  return async (
    url: string,
    { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
  ): Promise<Buffer | null> => {
    const answer = await agent.call({ url, method: 'GET', timeoutMs, maxBodyBytes: maxBytes });
    const isComplete = answer.kind === 'response' && answer.status === 200 && !answer.truncated;
    return isComplete ? answer.body : null;
  };
}
