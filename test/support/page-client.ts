// The capture page's calls without the page, as an attacker's script or a test of uploads makes them.

import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CONSENT_TEXT_VERSION } from '../../src/challenge/capturing/consent-text.ts';
import type { AccessibleWay } from '../../src/contract/accessible-way.ts';
import type { IssuedCapture, SliceAnnouncement } from '../../src/contract/capture-page.ts';
import type { PasskeyAsk } from '../../src/contract/device.ts';
import type { DrawnScript, Script } from '../../src/contract/script.ts';
import { performedStep } from '../../src/contract/script-steps.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the tests that ask
type Wire = any;

/**
 * The script as performed by a person who took `stepMs` for each prompt, or longer where its answer had to be held longer.
 */
export function performedScript({ steps, way }: DrawnScript, stepMs: number): Script {
  const performed: Script['steps'] = [];
  for (const step of steps) {
    const from_ms = performed.at(-1)?.to_ms ?? 0;
    performed.push(performedStep(step, from_ms, from_ms + Math.max(step.hold_ms, Math.round(stepMs))));
  }
  return { steps: performed, ...(way && { way }) };
}

/** What is sent of a recording. */
interface Sent {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  readonly script: Script;
  /** When the script arrived, by performance.now(). */
  readonly issuedAtMs: number;
  readonly recordedMs: number;
}

/** Announcements of slices for the bytes: one of the first byte, then slices of equal length. */
export function slicesOf(
  bytes: Uint8Array,
  recordedMs: number,
  sliceMs: number,
): { announcement: SliceAnnouncement; from: number }[] {
  const rest = bytes.length - 1;
  const count = Math.max(1, Math.min(rest, Math.ceil(recordedMs / sliceMs)));
  const slices = Array.from({ length: count }, (_, i) => {
    const [from, to] = [1 + Math.floor((i * rest) / count), 1 + Math.floor(((i + 1) * rest) / count)];
    const announcement = sliceOf(bytes.subarray(from, to), i + 1);
    return {
      announcement: { ...announcement, to_ms: Math.max(i + 2, Math.floor(((i + 1) * recordedMs) / count)) },
      from,
    };
  });
  return [{ announcement: sliceOf(bytes.subarray(0, 1), 0), from: 0 }, ...slices];
}

function sliceOf(bytes: Uint8Array, index: number): SliceAnnouncement {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { index, sha256, size_bytes: bytes.length, to_ms: index + 1 };
}

/** A complete upload is submitted within this time. */
const FINISH_MS = 10_000;

/** Every WebM begins with these bytes. */
const WEBM = Buffer.from('1a45dfa3', 'hex');

/** Acts as one device at one challenge link. */
export class PageClient {
  readonly #url: string;
  #device: string | undefined;
  readonly #fetch: typeof fetch;

  /**
   * `device`: the token of a device that has already started. `fetchAs`: a fetch that also sends the browser's cookies.
   */
  constructor(challengeUrl: string, device?: string, fetchAs: typeof fetch = fetch) {
    this.#url = challengeUrl;
    this.#device = device;
    this.#fetch = fetchAs;
  }

  /** This device's token; undefined before the start. */
  get device(): string | undefined {
    return this.#device;
  }

  get origin(): string {
    return new URL(this.#url).origin;
  }

  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Wire }> {
    const isBytes = body instanceof Uint8Array;
    const answer = await this.#fetch(`${this.#url}${path}`, {
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

  /** `text_version`: the version of the consent text that the state names. */
  consent(text_version = CONSENT_TEXT_VERSION): Promise<{ status: number; body: Wire }> {
    const text_sha256 = createHash('sha256').update('text').digest('hex');
    return this.call('POST', '/consent', {
      decision: 'given',
      text_version,
      text_sha256,
      language: 'en',
    });
  }

  /**
   * Asks for a script and sends the bytes as a recorder makes them in `recordedMs` (a video longer than its script has
   * existed is an attack). Each prompt takes an equal share of that time. Returns the answer to the last call, and what the
   * device is asked for.
   */
  async upload(
    bytes: Uint8Array,
    mimeType: string,
    recordedMs = 0,
  ): Promise<{ status: number; body: Wire; captureId: string; ask: PasskeyAsk | null }> {
    const issued = await this.issue(bytes);
    if (issued.status !== 201) return { ...issued, captureId: '', ask: null };
    const ask = issued.body.passkey;
    const issuedAtMs = performance.now();
    const script = performedScript(issued.body.script, recordedMs / issued.body.script.steps.length);
    const sent = await this.send(issued.body, { bytes, mimeType, script, issuedAtMs, recordedMs });
    return { ...sent, ask };
  }

  /**
   * Asks for a capture and at once for its whole script, as a page on a slow network does, by announcing a recording's
   * first byte, which is known before there is a recording. Returns the capture with its whole script. `way`: what the
   * person leaves out.
   */
  async issue(begins: Uint8Array = WEBM, way?: AccessibleWay): Promise<{ status: number; body: Wire }> {
    const issued = await this.call('POST', '/captures', way ? { way } : {});
    if (issued.status !== 201) return issued;
    const { capture_id, step_count, script } = issued.body as IssuedCapture;
    if (step_count === 1) return issued;
    await delay(2);
    const first = { slices: [sliceOf(begins.subarray(0, 1), 0)], steps: step_count };
    const announced = await this.call('POST', `/captures/${capture_id}/slices`, first);
    if (announced.status !== 200) return announced;
    return { ...issued, body: { ...issued.body, script: { ...script, steps: announced.body.steps } } };
  }

  /**
   * Announces the slices of a recording when they are due, sends the bytes of each, and commits. Returns the answer to
   * the last call.
   */
  async send(
    { capture_id: captureId, chunk_bytes: chunkBytes, slice_ms: sliceMs, passkey }: IssuedCapture,
    { bytes, mimeType, script, issuedAtMs, recordedMs }: Sent,
  ): Promise<{ status: number; body: Wire; captureId: string }> {
    const path = `/captures/${captureId}`;
    const slices = slicesOf(bytes, recordedMs, sliceMs);
    for (const { announcement, from } of slices) {
      // Not before it can have been recorded, like a real page.
      await delay(Math.max(0, issuedAtMs + announcement.to_ms - performance.now()));
      let answer = await this.call('POST', `${path}/slices`, { slices: [announcement] });
      const to = from + announcement.size_bytes;
      for (let offset = from; offset < to && answer.status === 200; offset += chunkBytes) {
        const chunk = bytes.subarray(offset, Math.min(offset + chunkBytes, to));
        answer = await this.call('POST', `${path}/bytes?offset=${offset}`, chunk);
      }
      if (answer.status !== 200) return { ...answer, captureId };
    }
    const committed = await this.call('POST', `${path}/commit`, {
      slices: slices.length,
      size_bytes: bytes.length,
      mime_type: mimeType,
      duration_ms: 6000,
      script,
    });
    return { ...(passkey ? committed : await this.#afterFinish(committed, path)), captureId };
  }

  /** The answer once the recording is submitted. The sweep may be about to finish a complete upload: then asks again. */
  async #afterFinish(
    committed: { status: number; body: Wire },
    path: string,
  ): Promise<{ status: number; body: Wire }> {
    let answer = committed;
    for (const until = Date.now() + FINISH_MS; answer.body.state === 'committed' && Date.now() < until; ) {
      await delay(100);
      answer = await this.call('GET', path);
    }
    return answer;
  }

  /** Waits until the judgement is over; returns the outcome. */
  async outcome(timeoutMs = 60_000): Promise<Wire> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const answer = await this.call('GET', '/outcome?wait_seconds=10');
      if (answer.body.status !== 'processing' || Date.now() > deadline) return answer.body;
    }
  }
}
