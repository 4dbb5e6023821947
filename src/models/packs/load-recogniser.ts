// Opens the networks of a recogniser pack.
import type { InferenceSession } from '../onnx-runtime.ts';
import type { PackNetwork } from './manifest.ts';
import { type OpenNetwork, openNetwork } from './open-network.ts';
import type { RecogniserPack } from './read-pack.ts';

/** One network of a pack, ready to run: its outputs are embeddings. */
export interface RecogniserNetwork extends Pick<OpenNetwork, 'run'> {
  readonly spec: PackNetwork;
}

/** A pack whose networks are open. */
export interface Recogniser {
  readonly pack: RecogniserPack;
  readonly networks: readonly RecogniserNetwork[];
  /** Frees the sessions. */
  close(): Promise<void>;
}

/** Opens every network of the pack. @throws Fault as {@link openNetwork} does. */
export async function loadRecogniser(
  pack: RecogniserPack,
  options: InferenceSession.SessionOptions,
): Promise<Recogniser> {
  const open: (RecogniserNetwork & OpenNetwork)[] = [];
  const close = async () => {
    for (const network of open) await network.close();
  };
  try {
    for (const spec of pack.manifest.networks)
      open.push({ spec, ...(await openNetwork(pack.folder, spec, spec.embedding_size, options)) });
  } catch (error) {
    await close();
    throw error;
  }
  return { pack, networks: open, close };
}
