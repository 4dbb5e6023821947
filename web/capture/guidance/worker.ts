// The guidance Worker: finds the face in small frames of the preview with BlazeFace and FaceMesh on the wasm backend.
// Its results only help the person; the server judges from the video alone.

import { type FaceResult, Human } from '../../../node_modules/@vladmandic/human/dist/human.esm-nobundle.js';
import { answerMeasures } from '../../../src/contract/answer-measures.ts';
import { measureFace } from '../../../src/contract/face-geometry.ts';
import { LANDMARK_COUNT } from '../../../src/contract/face-landmarks.ts';
import { upperFaceOf } from '../../../src/contract/head-direction.ts';
import { lowerFaceShift } from './covered.ts';
import type { Observation, ObservedFace } from './hint.ts';
import { meanPixels, middleOf } from './luma.ts';

/** First message: the folder of the models and the wasm files (its name contains a hash). */
export interface Setup {
  readonly kind: 'setup';
  readonly assets: string;
}

/** A frame to look at, to be drawn at `size`; `scale` converts its pixels to those of the camera frame. */
export interface Look {
  readonly kind: 'look';
  readonly frame: VideoFrame | ImageBitmap;
  readonly size: { readonly width: number; readonly height: number };
  readonly scale: number;
}

export type ToWorker = Setup | Look;

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'seen'; readonly observation: Observation; readonly tookMs: number };

const DEGREES = 180 / Math.PI;

interface Eyes {
  readonly detector: Human;
  readonly canvas: OffscreenCanvas;
  readonly context: OffscreenCanvasRenderingContext2D;
}

async function open(assets: string): Promise<Eyes> {
  const detector = new Human({
    backend: 'wasm',
    wasmPath: assets,
    modelBasePath: assets,
    cacheModels: false,
    validateModels: false,
    debug: false,
    async: false,
    warmup: 'none',
    filter: { enabled: false },
    gesture: { enabled: false },
    body: { enabled: false },
    hand: { enabled: false },
    object: { enabled: false },
    segmentation: { enabled: false },
    face: {
      enabled: true,
      detector: { modelPath: 'blazeface.json', maxDetected: 2, minConfidence: 0.35, rotation: false },
      mesh: { enabled: true, modelPath: 'facemesh.json' },
      iris: { enabled: false },
      emotion: { enabled: false },
      description: { enabled: false },
      antispoof: { enabled: false },
      liveness: { enabled: false },
    },
  });
  await detector.load();
  // If wasm fails, human would fall back to plain JavaScript, which the build leaves out: seconds per frame.
  if (detector.tf.getBackend() !== 'wasm') throw new Error('no wasm backend');
  const canvas = new OffscreenCanvas(4, 4);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas in the worker');
  return { detector, canvas, context };
}

async function look(eyes: Eyes, { frame, size, scale }: Look): Promise<Observation> {
  const { canvas, context } = eyes;
  if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
  context.drawImage(frame, 0, 0, size.width, size.height);
  frame.close();
  const image = context.getImageData(0, 0, canvas.width, canvas.height);
  const result = await eyes.detector.detect(image);
  const faces: ObservedFace[] = result.face.map((face) => ({
    x: face.box[0] * scale,
    y: face.box[1] * scale,
    width: face.box[2] * scale,
    height: face.box[3] * scale,
    yaw: (face.rotation?.angle.yaw ?? 0) * DEGREES,
    pitch: (face.rotation?.angle.pitch ?? 0) * DEGREES,
    lowerFaceShift: lowerFaceShift(image, face.mesh),
    ...read(face),
  }));
  const [x, y, width, height] = result.face[0]?.box ?? [];
  const box = x === undefined ? middleOf(image) : { x, y: y!, width: width!, height: height! };
  return { faces, ...meanPixels(image, box, 2) };
}

/** Side of the crop in which the mesh is fitted, in its own units. */
const CROP = 192;

/**
 * What answers are read from; null without a mesh. human gives x and y in pixels of the frame but z in units of its
 * crop, whose side is the larger one of `size`.
 */
function read({
  mesh,
  size,
}: Pick<FaceResult, 'mesh' | 'size'>): Pick<ObservedFace, 'measures' | 'upperFace'> {
  if (mesh.length < LANDMARK_COUNT) return { measures: null, upperFace: null };
  const depth = Math.max(...size) / CROP;
  const landmarks = new Float32Array(LANDMARK_COUNT * 3);
  for (let i = 0; i < LANDMARK_COUNT; i += 1) {
    const [x, y, z = 0] = mesh[i]!;
    landmarks.set([x, y, z * depth], i * 3);
  }
  const geometry = measureFace(landmarks);
  return { measures: answerMeasures((measure) => geometry[measure]), upperFace: upperFaceOf(landmarks) };
}

function tell(message: FromWorker): void {
  postMessage(message);
}

function serve(): void {
  let eyes: Eyes | null = null;
  addEventListener('message', async (event: MessageEvent<ToWorker>) => {
    const message = event.data;
    try {
      if (message.kind === 'setup') {
        eyes = await open(message.assets);
        tell({ kind: 'ready' });
      } else if (eyes) {
        const startedAtMs = performance.now();
        const observation = await look(eyes, message);
        tell({ kind: 'seen', observation, tookMs: performance.now() - startedAtMs });
      }
    } catch (error) {
      tell({ kind: 'failed', why: String(error) });
    }
  });
}

serve();
