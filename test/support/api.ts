// The smallest client that tests need: fetch with the development key.
import type { RunningService } from './running-service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the tests that ask
type Wire = any;

/** Calls the API of a running service as its development account. */
export class TestApi {
  readonly #service: Pick<RunningService, 'url' | 'credentials'>;

  constructor(service: Pick<RunningService, 'url' | 'credentials'>) {
    this.#service = service;
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; headers: Headers; body: Wire }> {
    const answer = await fetch(`${this.#service.url}${path}`, {
      method,
      headers: {
        authorization: `Basic ${this.#service.credentials.api_key}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null };
  }

  /** Creates a challenge or throws with the problem that came back. */
  async create(
    body: Record<string, unknown>,
  ): Promise<{ challenge_id: string; challenge_url: string; expires_at: string }> {
    const answer = await this.call('POST', '/v1/create-challenge', body);
    if (answer.status !== 201) throw new Error(`create: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Reads the result until its status is one of `statuses`. */
  async waitFor(challengeId: string, statuses: readonly string[], timeoutMs = 60_000): Promise<Wire> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const answer = await this.call('GET', `/v1/challenges/${challengeId}`);
      if (statuses.includes(answer.body?.status)) return answer.body;
      if (Date.now() > deadline)
        throw new Error(`${challengeId} is ${answer.body?.status} after ${timeoutMs} ms`);
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}
