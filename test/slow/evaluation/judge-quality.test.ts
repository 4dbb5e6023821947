// Faults of quality in the whole judgement, on real footage: each may be tried again, with its reason.
import { describe, expect, it } from 'vitest';
import { backLit } from '../../../bench/attacks/genuine.ts';
import type { Script } from '../../../src/contract/script.ts';
import { MIN_LIGHT } from '../../../src/evaluation/liveness/visibility.ts';
import { useModels } from '../../evaluation/picture.ts';
import { judgedBy } from '../../evaluation/recorded.ts';
import { keptClips } from '../../evaluation/video/make-clip.ts';
import { FACES_DIR, facePath, HAS_FACES } from '../../support/faces.ts';

/** The output of a browser's recorder. */
const RECORDED = ['-an', '-c:v', 'libvpx', '-b:v', '2M', '-deadline', 'realtime'];

const clips = keptClips();
const judged = judgedBy(useModels());

describe.skipIf(!HAS_FACES)(`faces that are too small (FACES_DIR: ${FACES_DIR})`, () => {
  it('eyes closer than 25 pixels: nothing is read from the frames, and the person is asked to come nearer', async () => {
    const path = await clips.make(
      'tiny.webm',
      [
        ['-t', '1.2', '-i', facePath('video/liveportrait/d0.mp4')],
        ['-vf', 'scale=72:72,pad=640:480:280:200:gray', '-an', '-c:v', 'libvpx', '-b:v', '2000k'],
      ].flat(),
    );
    const judgement = await judged(path, null);
    const small = judgement.timeline.filter(({ flaws }) => flaws.includes('too_small'));
    expect(small.length).toBeGreaterThan(0);
    expect(small).toHaveLength(judgement.timeline.filter(({ face }) => face !== null).length);
    expect(judgement).toMatchObject({
      template: null,
      noTemplate: 'too_far',
      bestFrame: null,
      comparisons: [],
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

  it.each([
    // Evenly dark, but for the forehead.
    ['video/sadtalker/WDA_AlexandriaOcasioCortez_000.mp4', false],
    // Before a bright wall.
    ['spoof/video/open/real/ZubairCracksCode_real.mov', true],
  ])('%s in back light is not covered; backlit: %s', async (clip, isBacklit) => {
    const source = ['-t', '2', '-i', facePath(clip)];
    const { filters } = backLit(0.5);
    const film = await clips.make('backlit.webm', [...source, '-vf', filters!.join(','), ...RECORDED]);
    const { cues, timeline } = await judged(film, null);
    const ahead = timeline.filter(({ face, flaws }) => face && !flaws.includes('turned'));
    expect(ahead.length).toBeGreaterThan(10);
    expect(ahead.filter(({ flaws }) => flaws.includes('occluded'))).toEqual([]);
    expect(ahead.every(({ flaws }) => flaws.includes('backlit'))).toBe(isBacklit);
    // Its colours cannot be compared, which says nothing of the mouth.
    expect(cues.find(({ cue }) => cue === 'mouth_visible')).toMatchObject({
      status: 'notEvaluated',
      reason: 'not_applicable',
    });
  });

  // A luma of 68 would be enough; the contrast of 10 is not.
  const flat = "curves=all='0/0 0.45/0.25 0.65/0.375 0.85/1 1/1',noise=alls=3:allf=t";
  it('a smile that is lost in flat light is told as the light', async () => {
    const source = ['-ss', '2', '-t', '1.32', '-i', facePath('video/liveportrait/d19.mp4')];
    const steps: Script['steps'] = [
      { prompt: 'neutral', from_ms: 0, to_ms: 471 },
      { prompt: 'smile', from_ms: 471, to_ms: 1320 },
    ];
    const judgement = await judged(await clips.make('flat.webm', [...source, '-vf', flat, ...RECORDED]), {
      steps,
    });
    expect(judgement.reasons).toEqual(['too_dark', 'smile_missing']);
    expect(judgement.cues.find(({ cue }) => cue === 'brightness')!.value).toBeGreaterThan(MIN_LIGHT);
  });

  it('a face that the PAD network refuses in flat light, and without colours, is told first as the light', async () => {
    const source = ['-t', '1.5', '-i', facePath('video/liveportrait/d0.mp4')];
    const film = await clips.make('flat_grey.webm', [...source, '-vf', `hue=s=0,${flat}`, ...RECORDED]);
    const { cues, reasons, retryable } = await judged(film, null);
    expect(cues.find(({ cue }) => cue === 'brightness')!.value).toBeGreaterThan(MIN_LIGHT);
    expect(reasons).toEqual(['too_dark', 'no_colour', 'pad_pack', 'no_script']);
    expect(retryable).toEqual({ reason: 'too_dark' });
  });

  // The network refuses the one; the other lies at its threshold.
  it.each(['d19', 'd0'])('%s without colours is told so where the PAD network refuses it', async (clip) => {
    const source = ['-i', facePath(`video/liveportrait/${clip}.mp4`)];
    const grey = ['-vf', 'hue=s=0', '-an', '-c:v', 'libvpx', '-b:v', '2M', '-deadline', 'realtime'];
    const { cues, reasons } = await judged(await clips.make(`grey_${clip}.webm`, [...source, ...grey]), null);
    expect(cues.find(({ cue }) => cue === 'colour')).toMatchObject({ status: 'failed', value: 0 });
    const isRefused = cues.find(({ cue }) => cue === 'pad_pack')!.status === 'failed';
    if (clip === 'd19') expect(isRefused).toBe(true);
    expect(reasons).toEqual(isRefused ? ['no_colour', 'pad_pack', 'no_script'] : ['no_script']);
    const coloured = await judged(facePath(`video/liveportrait/${clip}.mp4`), null);
    expect(coloured.cues.find(({ cue }) => cue === 'colour')).toMatchObject({ status: 'passed' });
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
