// The global embedding of an aligned face, and the mean of several of one person.
import type { Models } from '../../models/load.ts';
import { alignFace } from '../face/align.ts';
import type { FaceMesh } from '../face/observation.ts';
import type { Frame } from '../video/frame.ts';
import { RECOGNISER_PACK } from './pack.ts';
import { normalise } from './vector.ts';

/** Unit-norm embedding of one face by the default pack: the mean of the face's and its mirror image's. */
export async function embed(models: Models, frame: Frame, mesh: FaceMesh): Promise<Float32Array> {
  const { inputSize, mean, scale, embeddingSize } = RECOGNISER_PACK;
  const face = alignFace(frame, mesh.landmarks, inputSize, { gain: 1 / scale, offset: -mean / scale });
  const both = new Float32Array(2 * face.length);
  both.set(face);
  mirror(face, inputSize, both.subarray(face.length));
  const { embedding } = await models.recogniser.run(both, 2);
  return averageEmbeddings([embedding.subarray(0, embeddingSize), embedding.subarray(embeddingSize)]);
}

/** Unit-norm mean of unit-norm embeddings of one person. Throws RangeError on an empty list. */
export function averageEmbeddings(embeddings: readonly Float32Array[]): Float32Array {
  const first = embeddings[0];
  if (!first) throw new RangeError('no embedding to average');
  const sum = new Float32Array(first.length);
  for (const embedding of embeddings) for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + embedding[i]!;
  return normalise(sum);
}

/** Writes each row of the planar picture from right to left. */
function mirror(planes: Float32Array, width: number, out: Float32Array): void {
  for (let row = 0; row < planes.length; row += width)
    for (let x = 0; x < width; x++) out[row + x] = planes[row + width - 1 - x]!;
}
