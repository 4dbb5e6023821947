// Attacks on the whole judgement, on real footage: each fails, with its reason.
import { describe, expect, it } from 'vitest';
import type { Script } from '../../../src/contract/script.ts';
import { useModels } from '../../evaluation/picture.ts';
import { judgedBy } from '../../evaluation/recorded.ts';
import { photoAttack, twoPhotoAttack } from '../../evaluation/scripted-clips.ts';
import { keptClips } from '../../evaluation/video/make-clip.ts';
import { FACES_DIR, facePath, HAS_FACES } from '../../support/faces.ts';

const clips = keptClips();
const judged = judgedBy(useModels());

describe.skipIf(!HAS_FACES)(`attacks (FACES_DIR: ${FACES_DIR})`, () => {
  const script: Script = {
    steps: [
      { prompt: 'neutral', from_ms: 0, to_ms: 900 },
      { prompt: 'smile', from_ms: 900, to_ms: 2900 },
    ],
  };

  it.each([
    ['neutral', 'd0', 0.3, 'lying still'],
    ['smiling', 'd0', 1.5, 'held by hand'],
    ['neutral', 'd19', 1.1, 'waved'],
  ] as const)('a %s photograph of %s at %f s, %s, under fresh noise', async (_, person, atS, move) => {
    const { liveness } = await judged(await photoAttack(clips, person, atS, move), script);
    // A photograph shows a face: that it does not move is told by `spoof_result`.
    expect(liveness).toEqual({ face: true, smile: false, spoof_result: false, overall: false });
  });

  it('two photographs, swapped at the prompt', async () => {
    const { path, script: swapped } = await twoPhotoAttack(clips);
    const judgement = await judged(path, swapped);
    expect(judgement.liveness).toMatchObject({ spoof_result: false, overall: false });
    expect(judgement.retryable).toBeNull();
  });

  it.each([
    ['still_loop_d0.mp4', 'frozen', { face: true, spoof_result: false }],
    ['two_stills_d0.mp4', 'frozen', { face: true, spoof_result: false }],
    ['swap_d0_then_d19.mp4', 'identity_changed', { face: false }],
  ])('%s fails finally: %s, %j', async (file, reason, results) => {
    const judgement = await judged(facePath(`video/derived/${file}`), script);
    expect(judgement.liveness).toMatchObject({ ...results, overall: false });
    expect(judgement.reasons).toContain(reason);
    expect(judgement.retryable).toBeNull();
  });

  it('pan_zoom_still_d0.mp4 may be tried again without a script: a person without prompts may keep still', async () => {
    const judgement = await judged(facePath('video/derived/pan_zoom_still_d0.mp4'), null);
    expect(judgement.liveness).toMatchObject({ spoof_result: false, overall: false });
    expect(judgement.retryable).toEqual({ reason: 'too_still' });
  });

  it.each(['d10', 'd3', 'd20'])('%s talks and grimaces, which is no smile', async (clip) => {
    const judgement = await judged(facePath(`video/liveportrait/${clip}.mp4`), script);
    expect(judgement.liveness).toMatchObject({ smile: false, overall: false });
  });
});
