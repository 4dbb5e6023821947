// The whole judgement on real footage: what is recorded equals what is judged anew, comparisons do not depend on
// liveness, and a turn that the script requires is required.
import { decode as readBmp } from 'fast-bmp';
import { describe, expect, it } from 'vitest';
import type { RegionName } from '../../../src/contract/regions.ts';
import type { Script } from '../../../src/contract/script.ts';
import { trackFaces } from '../../../src/evaluation/face/track.ts';
import { judge } from '../../../src/evaluation/judge.ts';
import { assessFrame } from '../../../src/evaluation/quality/frame-quality.ts';
import type { FaceTemplate } from '../../../src/evaluation/recognition/template.ts';
import { cosineSimilarity } from '../../../src/evaluation/recognition/vector.ts';
import { describeRegions } from '../../../src/evaluation/regions/describe.ts';
import { digestOf } from '../../evaluation/judgement-digest.ts';
import { useModels } from '../../evaluation/picture.ts';
import { judgedBy } from '../../evaluation/recorded.ts';
import { genuineCapture } from '../../evaluation/scripted-clips.ts';
import { keptClips } from '../../evaluation/video/make-clip.ts';
import { FACES_DIR, HAS_FACES } from '../../support/faces.ts';

const held = useModels();
const clips = keptClips();
const judged = judgedBy(held);

async function templateOf(video: string): Promise<FaceTemplate> {
  const { template } = await judged(video, null);
  return template!;
}

describe.skipIf(!HAS_FACES)(`captures that follow the script (FACES_DIR: ${FACES_DIR})`, () => {
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

  it('compares even if liveness failed', async () => {
    const { path, script } = await genuineCapture(clips, 'd0', 1);
    const late = { steps: script.steps.map((step) => ({ ...step, to_ms: step.to_ms + 5000 })) };
    const judgement = await judged(path, late, [{ id: 'self', template: await templateOf(path) }]);
    expect(judgement.liveness.overall).toBe(false);
    expect(judgement.comparisons).toMatchObject([{ id: 'self', result: 'pass' }]);
  });

  it('requires the target in the script', async () => {
    const { path, script } = await genuineCapture(clips, 'd0', 1);
    const [neutral, smile] = script.steps;
    const turning: Script = {
      steps: [
        neutral!,
        { ...smile!, to_ms: 1500 },
        { prompt: 'target', angle_deg: 0, amount: 'near', from_ms: 1500, to_ms: 2400 },
      ],
    };
    const judgement = await judged(path, turning);
    expect(judgement).toMatchObject({
      liveness: { smile: true, spoof_result: true, overall: false },
      retryable: { reason: 'target_missing' },
    });
  });
});
