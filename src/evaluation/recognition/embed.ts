// The global embedding of an aligned face.
import type { Models } from '../../models/load.ts';
import type { FaceMesh } from '../face/observation.ts';
import type { Frame } from '../video/frame.ts';

/** Unit-norm embedding of one face by the default pack (192 values). */
export async function embed(_models: Models, _frame: Frame, _mesh: FaceMesh): Promise<Float32Array> {
  throw new Error('not built yet');
}

/** Unit-norm mean of unit-norm embeddings of one person. Throws RangeError on an empty list. */
export function averageEmbeddings(_embeddings: readonly Float32Array[]): Float32Array {
  throw new Error('not built yet');
}
