// Captures for the measurements: one clip of a face, and submitting it to the queue of judgements.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestApi } from '../test/support/api.ts';
import { facePath } from '../test/support/faces.ts';
import { PageClient } from '../test/support/page-client.ts';

/** States of a capture whose bytes are all stored. */
const COMPLETE = new Set(['submitted', 'judged', 'rejected']);
const ASK_EVERY_MS = 100;
const MAX_POLLS = 300;

/** Six seconds of a face, as a browser records it. */
export function makeClip(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-bench-'));
  const clip = join(folder, 'clip.webm');
  const picture = ['-vf', 'scale=480:480,pad=640:480:80:0', '-t', '6', '-c:v', 'libvpx-vp9', '-b:v', '2M'];
  const speed = ['-deadline', 'realtime', '-cpu-used', '8', '-an'];
  const source = ['-i', facePath('video/liveportrait/d19.mp4')];
  execFileSync('ffmpeg', ['-v', 'error', ...source, ...picture, ...speed, clip]);
  const bytes = readFileSync(clip);
  rmSync(folder, { recursive: true, force: true });
  return bytes;
}

/** Creates a challenge whose capture waits for judgement. */
export async function submitClip(api: TestApi, bytes: Uint8Array): Promise<PageClient> {
  const challenge = await api.create({ liveness_only: true, require_consent: false });
  const page = new PageClient(challenge.challenge_url);
  await page.start();
  const sent = await page.upload(bytes, 'video/webm');
  await untilSubmitted(page, sent.captureId, sent);
  return page;
}

/** The upload is complete, but another process is about to finish it: polls as the page does. */
async function untilSubmitted(
  page: PageClient,
  captureId: string,
  sent: { status: number; body: { state?: string } },
): Promise<void> {
  let answer = sent;
  for (let asked = 0; answer.body.state === 'committed' && asked < MAX_POLLS; asked++) {
    await delay(ASK_EVERY_MS);
    answer = await page.call('GET', `/captures/${captureId}`);
  }
  if (!COMPLETE.has(answer.body.state ?? ''))
    throw new Error(`upload: ${answer.status} ${JSON.stringify(answer.body)}`);
}
