// The whole judgement on real footage: a person who follows the script passes, every attack and every quality fault
// fails with its reason, and the same input gives the same judgement. The evidence of a clip is recorded once
// (recorded.ts); one test compares the recording with judgements from the bytes.
import { decode as readBmp } from 'fast-bmp';
import { describe, expect, it } from 'vitest';
import type { RegionName } from '../../src/contract/regions.ts';
import type { Script } from '../../src/contract/script.ts';
import type { Reference } from '../../src/evaluation/compare.ts';
import { trackFaces } from '../../src/evaluation/face/track.ts';
import { judge } from '../../src/evaluation/judge.ts';
import { assessFrame } from '../../src/evaluation/quality/frame-quality.ts';
import type { FaceTemplate } from '../../src/evaluation/recognition/template.ts';
import { cosineSimilarity } from '../../src/evaluation/recognition/vector.ts';
import { describeRegions } from '../../src/evaluation/regions/describe.ts';
import { FACES_DIR, facePath, HAS_FACES } from '../support/faces.ts';
import { digestOf } from './judgement-digest.ts';
import { useModels } from './picture.ts';
import { judgeRecorded } from './recorded.ts';
import { genuineCapture, photoAttack, twoPhotoAttack } from './scripted-clips.ts';
import { keptClips, testPicture } from './video/make-clip.ts';

const held = useModels();
const clips = keptClips();

async function judged(video: string, script: Script | null, references: Reference[] = []) {
  const judgement = await judgeRecorded({ video, script, references }, held);
  if (judgement.status !== 'judged') throw new Error(judgement.reason);
  return judgement;
}

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
      ...{ template: null, bestFrame: null, comparisons: [] },
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
  it.each(['d0', 'd19'] as const)('%s passes twice, and matches only himself', async (person) => {
    const other = person === 'd0' ? 'd19' : 'd0';
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
        { id: person, result: 'pass', mayRenew: true },
        { id: other, result: 'fail', mayRenew: false },
      ]);
      const [own, strange] = judgement.comparisons.map((each) => mean(Object.values(each.regionStrengths)));
      expect(own).toBeGreaterThan(strange!);
      expect(Object.keys(judgement.comparisons[0]!.likeness_features).length).toBeGreaterThan(8);
    }
  });

  it('gives the same judgement for the same bytes, recorded and fresh', async () => {
    const { path, script } = await genuineCapture(clips, 'd0', 5);
    const here = await judged(path, script);
    const fresh = await judge({ video: path, script, references: [] }, held.models);
    expect(digestOf(fresh)).toBe(digestOf(here));

    // The best frame can be read and shows what was judged: a flawless face whose regions are the template's.
    const { width, height, data } = readBmp(here.bestFrame!.bmp);
    expect({ width, height }).toEqual({ width: 640, height: 480 });
    const frame = { timeMs: 0, width, height, rgb: new Uint8Array(data as Uint8Array) };
    const [seen] = await trackFaces(held.models, [frame]);
    expect(assessFrame(frame, seen!.face!).flaws).toEqual([]);
    const { descriptors } = await describeRegions(held.models, frame, seen!.face!);
    for (const [name, descriptor] of Object.entries(here.template!.regions))
      expect(cosineSimilarity(descriptor, descriptors[name as RegionName]!)).toBeGreaterThan(0.9);
    const moment = here.timeline.find(({ timeMs }) => timeMs === here.bestFrame!.timeMs);
    expect(moment!.flaws).toEqual([]);
  });

  it('reports a network that is switched off, and judges by the rest', async () => {
    const { path, script } = await genuineCapture(clips, 'd0', 5);
    const models = { ...held.models, pad: null };
    const judgement = await judge({ video: path, script, references: [] }, models);
    expect(judgement).toMatchObject({ liveness: { overall: true }, reasons: ['no_pad_pack'] });
  });

  it('compares even if liveness failed', async () => {
    const { path, script } = await genuineCapture(clips, 'd0', 1);
    const late = { steps: script.steps.map((step) => ({ ...step, to_ms: step.to_ms + 5000 })) };
    const judgement = await judged(path, late, [{ id: 'self', template: await templateOf(path) }]);
    expect(judgement.liveness.overall).toBe(false);
    expect(judgement.comparisons).toMatchObject([{ id: 'self', result: 'pass' }]);
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

  it('requires the turn in the script', async () => {
    const { path, script } = await genuineCapture(clips, 'd0', 1);
    const [neutral, smile] = script.steps;
    const turning: Script = {
      steps: [neutral!, { ...smile!, to_ms: 1500 }, { prompt: 'turn_left', from_ms: 1500, to_ms: 2400 }],
    };
    const judgement = await judged(path, turning);
    expect(judgement).toMatchObject({
      liveness: { smile: true, spoof_result: true, overall: false },
      retryable: { reason: 'turn_missing' },
    });
  });
});

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
    expect(liveness).toMatchObject({ smile: false, spoof_result: false, overall: false });
  });

  it('two photographs, swapped at the prompt', async () => {
    const { path, script: swapped } = await twoPhotoAttack(clips);
    const judgement = await judged(path, swapped);
    expect(judgement.liveness).toMatchObject({ spoof_result: false, overall: false });
    expect(judgement.retryable).toBeNull();
  });

  it.each([
    ['still_loop_d0.mp4', 'frozen'],
    ['two_stills_d0.mp4', 'frozen'],
    ['swap_d0_then_d19.mp4', 'identity_changed'],
  ])('%s fails finally, without any script: %s', async (file, reason) => {
    const judgement = await judged(facePath(`video/derived/${file}`), null);
    expect(judgement.liveness.overall).toBe(false);
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

describe.skipIf(!HAS_FACES)(`faces that are too small (FACES_DIR: ${FACES_DIR})`, () => {
  it('eyes closer than 25 pixels: nothing is read from the frames, and the person is asked to come nearer', async () => {
    const path = await clips.make('tiny.webm', [
      ...['-t', '1.2', '-i', facePath('video/liveportrait/d0.mp4')],
      ...['-vf', 'scale=72:72,pad=640:480:280:200:gray', '-an', '-c:v', 'libvpx', '-b:v', '2000k'],
    ]);
    const judgement = await judged(path, null);
    const small = judgement.timeline.filter(({ flaws }) => flaws.includes('too_small'));
    expect(small.length).toBeGreaterThan(0);
    expect(small).toHaveLength(judgement.timeline.filter(({ face }) => face !== null).length);
    expect(judgement).toMatchObject({
      ...{ template: null, noTemplate: 'too_far', bestFrame: null, comparisons: [] },
      liveness: { face: false, overall: false },
      retryable: { reason: 'too_far' },
      reasons: expect.not.arrayContaining(['not_frontal']),
    });
  });
});

describe.skipIf(!HAS_FACES)(`quality (FACES_DIR: ${FACES_DIR})`, () => {
  const script: Script = {
    steps: [
      { prompt: 'neutral', from_ms: 0, to_ms: 600 },
      { prompt: 'smile', from_ms: 600, to_ms: 2500 },
    ],
  };

  it.each([
    ['dark_d0.mp4', 'too_dark'],
    ['blur_d0.mp4', 'blurred'],
    ['two_faces_d0_d19.mp4', 'several_faces'],
    ['face_leaves_d19.mp4', 'face_missing'],
    ['small_face_d0.mp4', 'too_far'],
    ['occluded_mouth_d0.mp4', 'mouth_covered'],
  ])('%s may be tried again: %s', async (file, reason) => {
    const judgement = await judged(facePath(`video/derived/${file}`), script);
    expect(judgement.liveness.overall).toBe(false);
    expect(judgement.retryable).toEqual({ reason });
  });

  it('an overexposed video may be tried again', async () => {
    const light = [
      '-vf',
      "lutyuv=y='min(255,2.2*val+40)'",
      '-c:v',
      'libvpx',
      '-b:v',
      '2M',
      '-deadline',
      'realtime',
    ];
    const source = ['-i', facePath('video/liveportrait/d0.mp4')];
    const judgement = await judged(await clips.make('bright.webm', [...source, ...light]), script);
    expect(judgement.retryable).toEqual({ reason: 'too_bright' });
  });

  it.each(['mirror_d0.mp4', 'webm_d0.webm', 'rot90_d0.mp4'])('%s passes', async (file) => {
    const judgement = await judged(facePath(`video/derived/${file}`), script);
    expect(judgement.reasons).toEqual([]);
    expect(judgement.liveness.overall).toBe(true);
  });
});
