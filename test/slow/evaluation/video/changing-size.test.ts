// A recording whose pictures change their size amidst, as when the browser takes smaller ones from a camera on a busy
// machine, or a phone is turned: judged as what it shows.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Script } from '../../../../src/contract/script.ts';
import { useModels } from '../../../evaluation/picture.ts';
import { judgedBy } from '../../../evaluation/recorded.ts';
import { useDecoder } from '../../../evaluation/video/decoder.ts';
import { keptClips } from '../../../evaluation/video/make-clip.ts';
import { FACES_DIR, facePath, HAS_FACES } from '../../../support/faces.ts';

const clips = keptClips();
const decoder = useDecoder();
const judged = judgedBy(useModels());

/** Neutral and a smile, before and after the change. */
const script: Script = {
  steps: [
    { prompt: 'neutral', from_ms: 0, to_ms: 600 },
    { prompt: 'smile', from_ms: 600, to_ms: 2_500 },
  ],
};
const FROM = facePath('video/liveportrait/d0.mp4');
const CUT_S = '1.0';

describe.skipIf(!HAS_FACES)(`a film that changes its size amidst (FACES_DIR: ${FACES_DIR})`, () => {
  /** One track, whose pictures have one size before the cut and another after it. */
  async function film(codec: readonly string[], [before, after]: readonly [string, string]): Promise<string> {
    const part = (cut: readonly string[], filter: string) =>
      clips.make('part.webm', [...cut, '-i', FROM, '-vf', filter, '-an', ...codec, '-b:v', '2M']);
    const parts = [await part(['-t', CUT_S], before), await part(['-ss', CUT_S], after)];
    const list = join(decoder.tempDir, 'parts.txt');
    await writeFile(list, parts.map((path) => `file ${path}\n`).join(''));
    return clips.make('changes.webm', ['-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy']);
  }

  const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'];
  const VP9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'];
  it.each<[string, readonly string[], readonly [string, string]]>([
    ['becomes smaller', VP8, ['scale=640:640', 'scale=320:320']],
    ['becomes larger', VP8, ['scale=320:320', 'scale=640:640']],
    ['becomes smaller, in VP9', VP9, ['scale=640:640', 'scale=320:320']],
    ['becomes larger, in VP9', VP9, ['scale=320:320', 'scale=640:640']],
  ])('%s: passes, as the same film of one size does', async (_, codec, sizes) => {
    const path = await film(codec, sizes);
    expect(await decoder.decode(path)).toMatchObject({ clip: { sourceFrameCount: 78 } });
    const judgement = await judged(path, script);
    expect(judgement.reasons).toEqual([]);
    expect(judgement.liveness.overall).toBe(true);
  });

  it('is turned by a quarter: another try, because the face cannot be followed across the turn', async () => {
    const [wide, high] = ['pad=640:480:80:0:gray', 'pad=480:640:0:80:gray'];
    const path = await film(VP8, [`scale=480:480,${wide}`, `scale=480:480,${high}`]);
    const judgement = await judged(path, script);
    expect(judgement.reasons).toEqual(['picture_broken']);
    expect(judgement.retryable).toEqual({ reason: 'picture_broken' });
  });
});
