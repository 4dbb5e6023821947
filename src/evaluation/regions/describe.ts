// Descriptors of the twelve likeness regions from local evidence of the aligned face.
import type { RegionName } from '../../contract/regions.ts';
import type { Models } from '../../models/load.ts';
import type { FaceMesh } from '../face/observation.ts';
import type { Frame } from '../video/frame.ts';

/** Unit-norm descriptor of each region that can be seen; a region that cannot is left out. */
export async function describeRegions(
  _models: Models,
  _frame: Frame,
  _mesh: FaceMesh,
): Promise<Partial<Record<RegionName, Float32Array>>> {
  throw new Error('not built yet');
}
