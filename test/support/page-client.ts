// The capture page's calls without the page: what an attacker's script, or a test of uploads, sends.
import { createHash } from 'node:crypto';
import { PATH } from '../../src/contract/path.ts';
import type { DrawnScript, Script } from '../../src/contract/script.ts';
import { livedStep } from '../../src/contract/script-steps.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the tests that ask
type Wire = any;

/** The script as somebody lived it who took so long for each prompt, or for as long as its answer had to be held. */
export function livedScript({ steps, accessible }: DrawnScript, stepMs: number): Script {
  const lived: Script['steps'] = [];
  for (const step of steps) {
    const from_ms = lived.at(-1)?.to_ms ?? 0;
    const lastsMs = step.prompt === PATH ? step.hold_ms : Math.max(step.hold_ms, Math.round(stepMs));
    lived.push(livedStep(step, from_ms, from_ms + lastsMs));
  }
  return { steps: lived, ...(accessible && { accessible }) };
}

/** Speaks for one device at one challenge link. */
export class PageClient {
  readonly #url: string;
  #device: string | undefined;

  /** `device`: the token of a device that has started already. */
  constructor(challengeUrl: string, device?: string) {
    this.#url = challengeUrl;
    this.#device = device;
  }

  /** This device's token; undefined before the start. */
  get device(): string | undefined {
    return this.#device;
  }

  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Wire }> {
    const isBytes = body instanceof Uint8Array;
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        ...(this.#device ? { 'likeness-device': this.#device } : {}),
        ...(body === undefined
          ? {}
          : { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  }

  async start(): Promise<void> {
    const started = await this.call('POST', '/start', {});
    if (started.status !== 200) throw new Error(`start: ${started.status} ${JSON.stringify(started.body)}`);
    this.#device = started.body.device_token;
  }

  consent(): Promise<{ status: number; body: Wire }> {
    const text_sha256 = createHash('sha256').update('text').digest('hex');
    return this.call('POST', '/consent', {
      decision: 'given',
      text_version: '2026-11',
      text_sha256,
      language: 'en',
    });
  }

  /**
   * Asks for a script, commits to the bytes after `recordedMs` (a video longer than its script exists is an attack) and
   * sends them all; each prompt was shown for an equal part of that time. Answers what the last call answered.
   */
  async upload(
    bytes: Uint8Array,
    mimeType: string,
    recordedMs = 0,
  ): Promise<{ status: number; body: Wire; captureId: string }> {
    const issued = await this.call('POST', '/captures', {});
    if (issued.status !== 201) return { ...issued, captureId: '' };
    const lived = livedScript(issued.body.script, recordedMs / issued.body.script.steps.length);
    await new Promise((done) => setTimeout(done, recordedMs));
    return this.send(issued.body, { bytes, mimeType, script: lived });
  }

  /** Commits to the bytes, with the script as it was lived, and sends them all. Answers what the last call answered. */
  async send(
    { capture_id: captureId, chunk_bytes: chunkBytes }: { capture_id: string; chunk_bytes: number },
    { bytes, mimeType, script }: { bytes: Uint8Array; mimeType: string; script: Script },
  ): Promise<{ status: number; body: Wire; captureId: string }> {
    const committed = await this.call('POST', `/captures/${captureId}/commit`, {
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size_bytes: bytes.length,
      mime_type: mimeType,
      duration_ms: 6000,
      script,
    });
    if (committed.status !== 200) return { ...committed, captureId };
    let answer = committed;
    for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
      const chunk = bytes.subarray(offset, offset + chunkBytes);
      answer = await this.call('PATCH', `/captures/${captureId}?offset=${offset}`, chunk);
      if (answer.status !== 200) break;
    }
    return { ...answer, captureId };
  }

  /** Waits until the judgement is over; answers the outcome. */
  async outcome(timeoutMs = 60_000): Promise<Wire> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const answer = await this.call('GET', '/outcome?wait_seconds=10');
      if (answer.body.status !== 'processing' || Date.now() > deadline) return answer.body;
    }
  }
}
