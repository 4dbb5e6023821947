// The whole judgement on real footage: a person who follows the script passes. The evidence of a clip is recorded once
// (recorded.ts); that a judgement of it equals one of the bytes, attacks and quality faults are in test/slow/evaluation.
import { describe, expect, it } from 'vitest';
import type { Script } from '../../src/contract/script.ts';
import type { Reference } from '../../src/evaluation/compare.ts';
import { judge } from '../../src/evaluation/judge.ts';
import type { FaceTemplate } from '../../src/evaluation/recognition/template.ts';
import { FACES_DIR, facePath, HAS_FACES } from '../support/faces.ts';
import { useModels } from './picture.ts';
import { judgedBy } from './recorded.ts';
import { genuineCapture } from './scripted-clips.ts';
import { keptClips, testPicture } from './video/make-clip.ts';

const held = useModels();
const clips = keptClips();
const judged = judgedBy(held);

async function templateOf(video: string): Promise<FaceTemplate> {
  const { template } = await judged(video, null);
  return template!;
}

describe('judge', () => {
  it('does not judge bytes that are no video', async () => {
    const judgement = await judge(
      { video: Buffer.from('nothing'), script: null, references: [] },
      held.models,
    );
    expect(judgement).toEqual({ status: 'notJudged', reason: 'not_a_video' });
  });

  it('sends back a video without a face', async () => {
    const path = await clips.make('picture.webm', [...testPicture('320x240', 15, 2), '-c:v', 'libvpx']);
    const judgement = await judged(path, null);
    expect(judgement).toMatchObject({
      liveness: { face: false, smile: false, overall: false },
      retryable: { reason: 'face_missing' },
      template: null,
      bestFrame: null,
      comparisons: [],
    });
  });

  it('ends when aborted', async () => {
    const path = await clips.make('aborted.webm', [...testPicture('320x240', 15, 2), '-c:v', 'libvpx']);
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(judge({ video: path, script: null, references: [], signal }, held.models)).rejects.toThrow(
      'stop',
    );
  });
});

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;

describe.skipIf(!HAS_FACES)(`captures that follow the script (FACES_DIR: ${FACES_DIR})`, () => {
  it('one person passes twice, and matches only himself', async () => {
    const [person, other] = ['d0', 'd19'] as const;
    const references: Reference[] = [];
    for (const id of [person, other])
      references.push({ id, template: await templateOf(facePath(`video/liveportrait/${id}.mp4`)) });
    for (const seed of [1, 3]) {
      const { path, script } = await genuineCapture(clips, person, seed);
      const judgement = await judged(path, script, references);
      expect(judgement.reasons).toEqual([]);
      expect(judgement.liveness).toEqual({ face: true, smile: true, spoof_result: true, overall: true });
      expect(judgement.cues.find(({ cue }) => cue === 'pad_pack')).toMatchObject({ status: 'passed' });
      expect(judgement.retryable).toBeNull();
      expect(judgement.comparisons).toMatchObject([
        { id: person, result: 'pass' },
        { id: other, result: 'fail' },
      ]);
      const [own, strange] = judgement.comparisons.map((each) => mean(Object.values(each.regionStrengths)));
      expect(own).toBeGreaterThan(strange!);
      expect(Object.keys(judgement.comparisons[0]!.likeness_features).length).toBeGreaterThan(8);
    }
  });

  it('reports a network that is switched off, and judges by the rest', async () => {
    const { path, script } = await genuineCapture(clips, 'd0', 5);
    const models = { ...held.models, pad: null };
    const judgement = await judge({ video: path, script, references: [] }, models);
    expect(judgement).toMatchObject({ liveness: { overall: true }, reasons: ['no_pad_pack'] });
  });

  it('fails a recording of another script', async () => {
    const { path } = await genuineCapture(clips, 'd0', 2);
    const smileFirst: Script = {
      steps: [
        { prompt: 'neutral', from_ms: 0, to_ms: 1600 },
        { prompt: 'smile', from_ms: 1600, to_ms: 2500 },
      ],
    };
    const judgement = await judged(path, smileFirst);
    expect(judgement.liveness.overall).toBe(false);
    expect(judgement.reasons).toContain('foreseen');
  });
});
