// Files of each kind that phones and browsers write, uploaded to the real service and judged. They may lack answers to
// the prompts, but each is decoded upright and its face is found. A file that cannot be decoded from a pipe is decoded
// once it is complete.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { facePath, HAS_FACES } from '../../support/faces.ts';
import { TAKE_TIMEOUT_MS, useJourney } from '../../support/journey.ts';
import { PageClient } from '../../support/page-client.ts';

const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

const CLIP_S = 5;

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const FRAGMENTS = ['-movflags', 'frag_keyframe+empty_moov+default_base_moof', '-g', '15', '-f', 'mp4'];

/** By kind: ffmpeg's arguments that make the file from a clip. Each further list takes the result of the one before. */
const KINDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'fragmented MP4, H.264': [[...H264, ...FRAGMENTS]],
  'MP4 with its index at the end': [[...H264, '-f', 'mp4']],
  'MP4, HEVC': [['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', ...FRAGMENTS]],
  'turned by its header': [
    ['-vf', 'transpose=clock', ...H264, '-f', 'mp4'],
    ['-c', 'copy', '-metadata:s:v:0', 'rotate=90', '-f', 'mp4'],
  ],
  'that lies on its side, as Safari 18.4 writes it': [['-vf', 'transpose=cclock', ...H264, ...FRAGMENTS]],
  'that stands on its head': [['-vf', 'hflip,vflip', ...H264, ...FRAGMENTS]],
  'of an odd size': [['-vf', 'scale=478:466', ...H264, ...FRAGMENTS]],
  'of a variable frame rate': [['-vf', "select='gt(random(1),0.4)'", '-vsync', 'vfr', ...H264, ...FRAGMENTS]],
};

/** Reasons given for a video that was not decoded, in which no face was found, or that was not turned upright. */
const UNREAD = ['video_unreadable', 'face_missing', 'no_face', 'pad_pack'];

describe.skipIf(!HAS_FACES)(`files of each kind${why}`, () => {
  const journey = useJourney({ LIVENESS_PROMPTS: 'smile,neutral', LIVENESS_LEVEL: 'quick' });
  const folder = mkdtempSync(join(tmpdir(), 'likeness-containers-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function made(kind: string): Buffer {
    let from = facePath('video/liveportrait/d0.mp4');
    for (const [at, format] of KINDS[kind]!.entries()) {
      const to = join(folder, `${kind} ${at}`);
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', from, '-t', String(CLIP_S), '-an', ...format, to]);
      from = to;
    }
    return readFileSync(from);
  }

  // The person smiles unasked, which does not lead to a second try, so every upload comes to a verdict.
  it.each(Object.keys(KINDS))(
    '%s',
    async (kind) => {
      const bytes = made(kind);
      const challenge = await journey.api.create({ liveness_only: true, require_consent: false });
      const page = new PageClient(challenge.challenge_url);
      await page.start();
      const answer = await page.upload(bytes, 'video/mp4', CLIP_S * 1000);
      expect(answer.body.state, JSON.stringify(answer.body)).toBe('submitted');
      const outcome = await page.outcome();
      expect(outcome.status, JSON.stringify(outcome)).toBe('done');
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
      const what = JSON.stringify(result.diagnostics);
      for (const reason of UNREAD) expect(result.diagnostics.reasons, what).not.toContain(reason);
      expect(result.liveness_result.face, what).toBe(true);
    },
    TAKE_TIMEOUT_MS,
  );
});
