// An integrator and a capture page that keep trying: a broken connection or a 5xx is retried at the next API.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DrawnStep } from '../../src/contract/script.ts';
import { TestApi } from '../support/api.ts';
import { PageClient, performedScript, slicesOf } from '../support/page-client.ts';

const PAUSE_MS = 150;
/** Longer than the database's crash recovery and the start of every process together. */
const GIVE_UP_MS = 60_000;

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field
type Wire = any;
type Answer = { status: number; body: Wire };

/** Retries until an API gives a real answer; null if none did in time. */
async function persist(
  apis: readonly string[],
  ask: (api: string) => Promise<Answer>,
): Promise<Answer | null> {
  const deadline = Date.now() + GIVE_UP_MS;
  for (let turn = Math.floor(Math.random() * apis.length); Date.now() < deadline; turn += 1) {
    try {
      const answer = await ask(apis[turn % apis.length]!);
      if (answer.status < 500 && answer.status !== 429) return answer;
    } catch {
      // It is unknown whether the API was killed before or after it acted, so retry.
    }
    await delay(PAUSE_MS);
  }
  return null;
}

/** The API for one account. */
export function integrator(apis: readonly string[], apiKey: string) {
  return {
    call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
      persist(apis, (url) =>
        new TestApi({ url, credentials: { api_key: apiKey } as never }).call(method, path, body, headers),
      ),
  };
}

/** The capture page of one challenge, on one device. */
export interface Page {
  /**
   * Records one capture; true when its last byte was acknowledged. One that `grows` sends the bytes of each slice once
   * it is announced, so that it is judged while it is recorded. Others send everything after the commit.
   */
  submit(video: Uint8Array, lengthMs: number, grows: boolean): Promise<boolean>;
  /** The outcome that the page gets in the end: `done`, `retry`, `expired`; null if nobody answered. */
  outcome(): Promise<string | null>;
}

/**
 * Opens a link; null when it is dead.
 * @param path of the challenge URL
 */
export async function openPage(apis: readonly string[], path: string): Promise<Page | null> {
  // Created by the page, as the real page does: if an answer is lost, the repeated request is the same start.
  const device = randomBytes(32).toString('base64url');
  const call = (method: string, step: string, body?: unknown) =>
    persist(apis, (api) => new PageClient(`${api}${path}`, device).call(method, step, body));
  const started = await call('POST', '/start', {});
  if (started?.status !== 200) return null;
  return {
    async submit(video, lengthMs, grows) {
      const issued = await call('POST', '/captures', {});
      if (issued?.status !== 201) return false;
      const issuedAtMs = performance.now();
      const { capture_id: captureId, chunk_bytes: chunkBytes, slice_ms: sliceMs, script } = issued.body;
      const stepCount: number = issued.body.step_count;
      let steps: DrawnStep[] = [];
      const slices = slicesOf(video, lengthMs, sliceMs);
      let sending: Promise<Answer | null> = Promise.resolve(null);
      for (const { announcement, from } of slices) {
        await delay(Math.max(0, issuedAtMs + announcement.to_ms - performance.now()));
        const asking = { slices: [announcement], ...(announcement.index === 0 && { steps: stepCount }) };
        const announced = await call('POST', `/captures/${captureId}/slices`, asking);
        // Nobody answered for too long, and the person would record again.
        if (announced?.status !== 200) return false;
        steps = announced.body.steps ?? steps;
        // Sent independently and in order, as the page does: no announcement waits for bytes. What does not arrive is
        // sent after the commit.
        const bytes = video.subarray(from, from + announcement.size_bytes);
        if (grows)
          sending = sending.then(() => call('POST', `/captures/${captureId}/bytes?offset=${from}`, bytes));
      }
      const committed = await call('POST', `/captures/${captureId}/commit`, {
        slices: slices.length,
        size_bytes: video.length,
        mime_type: 'video/webm',
        duration_ms: lengthMs,
        script: performedScript({ ...script, steps }, lengthMs / stepCount),
      });
      if (committed?.status !== 200) return false;
      const last = await sending;
      if ([committed, last].some((answer) => answer?.body?.state === 'submitted')) return true;
      return sendBytes(call, captureId, video, chunkBytes);
    },
    async outcome() {
      for (;;) {
        const answer = await call('GET', '/outcome?wait_seconds=10');
        if (answer?.status !== 200) return null;
        if (answer.body.status !== 'processing') return answer.body.status;
      }
    },
  };
}

async function sendBytes(
  call: (method: string, step: string, body?: unknown) => Promise<Answer | null>,
  captureId: string,
  video: Uint8Array,
  chunkBytes: number,
): Promise<boolean> {
  let offset = 0;
  for (;;) {
    const chunk = video.subarray(offset, offset + chunkBytes);
    const answer = await call('POST', `/captures/${captureId}/bytes?offset=${offset}`, chunk);
    if (answer?.body?.state === 'submitted') return true;
    // A chunk was accepted although its answer was lost: continue from the server's offset.
    const received = answer?.body?.received_bytes;
    if (answer === null || typeof received !== 'number' || received === offset) return false;
    offset = received;
  }
}
