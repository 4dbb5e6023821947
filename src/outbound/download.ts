// Downloads a file that an operator asked for, through the guarded agent. Redirects are followed, each to a checked
// address.
import type { CallFailure } from '../contract/delivery.ts';
import type { GuardedAgent } from './guarded-agent.ts';

interface Download {
  readonly url: string;
  /** Largest accepted size; more is not read. */
  readonly maxBytes: number;
  /** For the whole download, redirects included. */
  readonly timeoutMs: number;
  /** Whether plain http is refused, also in redirects. */
  readonly requireHttps: boolean;
  readonly onBytes?: (received: number) => void;
}

type DownloadResult =
  | { readonly kind: 'file'; readonly bytes: Buffer }
  | {
      readonly kind: 'failed';
      readonly reason: CallFailure | `status_${number}` | 'too_large' | 'cut_off' | 'too_many_redirects';
    };

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** Lower than the limits of browsers and curl: publishers send one or two redirects. */
const MAX_REDIRECTS = 5;

/** Fetches the file. Never throws because of what the other side does. */
export async function download(agent: GuardedAgent, wanted: Download): Promise<DownloadResult> {
  const endsAt = performance.now() + wanted.timeoutMs;
  let { url } = wanted;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const answer = await agent.call({
      ...{ url, method: 'GET', requireHttps: wanted.requireHttps },
      timeoutMs: Math.max(1, endsAt - performance.now()),
      maxBodyBytes: wanted.maxBytes,
      ...(wanted.onBytes ? { onBodyBytes: wanted.onBytes } : {}),
    });
    if (answer.kind === 'failed') return { kind: 'failed', reason: answer.code };
    const { location } = answer.headers;
    if (REDIRECTS.includes(answer.status) && location && URL.canParse(location, url)) {
      url = new URL(location, url).href;
      continue;
    }
    if (answer.status !== 200) return { kind: 'failed', reason: `status_${answer.status}` };
    if (!answer.truncated) return { kind: 'file', bytes: answer.body };
    return { kind: 'failed', reason: answer.body.length >= wanted.maxBytes ? 'too_large' : 'cut_off' };
  }
  return { kind: 'failed', reason: 'too_many_redirects' };
}
