// Captures for the measurements: one clip of a face, and its way to the queue of judgements.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestApi } from '../test/support/api.ts';
import { facePath } from '../test/support/faces.ts';
import { PageClient } from '../test/support/page-client.ts';

/** Six seconds of a face, as a browser records them. */
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

/** A challenge whose capture waits for judgement. */
export async function submitClip(api: TestApi, bytes: Uint8Array): Promise<PageClient> {
  const challenge = await api.create({ liveness_only: true, require_consent: false });
  const page = new PageClient(challenge.challenge_url);
  await page.start();
  const sent = await page.upload(bytes, 'video/webm');
  if (sent.body.state !== 'submitted') throw new Error(`upload: ${sent.status} ${JSON.stringify(sent.body)}`);
  return page;
}
