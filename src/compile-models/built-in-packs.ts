// The packs that set-up compiles: manifests without their files' hashes, which the compiler fills in.

import type { PackManifest, PackNetwork } from '../models/packs/manifest.ts';
import type { PadManifest, PadNetworkSpec } from '../models/packs/pad-pack.ts';
import { DEFAULT_PACK, DEFAULT_PAD_PACK } from '../models/packs/read-pack.ts';
import type { Provenance } from '../models/source.ts';
import { type BuiltInModel, MINIFASNET, MOBILEFACENET } from './built-in-models.ts';

/** A pack before it is compiled. Each network's file is named after its source. */
interface Uncompiled<Manifest, Network> {
  readonly manifest: Omit<Manifest, 'networks'>;
  readonly networks: readonly {
    readonly model: BuiltInModel;
    readonly spec: Omit<Network, 'file' | 'sha256'>;
  }[];
}

export type BuiltInPack =
  | ({ readonly kind: 'recogniser' } & Uncompiled<PackManifest, PackNetwork>)
  | ({ readonly kind: 'pad' } & Uncompiled<PadManifest, PadNetworkSpec>);

export const BUILT_IN_PACKS: readonly BuiltInPack[] = [
  {
    kind: 'recogniser',
    manifest: {
      format: 1,
      name: DEFAULT_PACK,
      description: 'MobileFaceNet, its published graph repaired (src/models/mobilefacenet.ts). The default.',
      ...published(MOBILEFACENET.source.provenance),
    },
    networks: [
      {
        model: MOBILEFACENET,
        spec: {
          input_size: 112,
          layout: 'nchw',
          channel_order: 'rgb',
          mean: 127.5,
          scale: 128,
          alignment: 'arcface-5',
          flip: true,
          embedding_size: 192,
          weight: 1,
        },
      },
    ],
  },
  {
    kind: 'pad',
    manifest: {
      format: 1,
      name: DEFAULT_PAD_PACK,
      description: 'MiniFASNet, input as measured (src/models/minifasnet.ts). The default.',
      ...published(MINIFASNET.source.provenance),
      // docs/liveness.md, *The PAD network*.
      threshold: 0.5,
    },
    networks: [
      {
        model: MINIFASNET,
        spec: {
          input_size: 128,
          layout: 'nchw',
          channel_order: 'bgr',
          mean: 0,
          scale: 1,
          crop_scale: 2.7,
          classes: 3,
          live_class: 0,
          activation: 'softmax',
        },
      },
    ],
  },
];

function published({ codeLicence, weightsLicence, trainingData }: Provenance) {
  return { licence: `code: ${codeLicence}; weights: ${weightsLicence}`, training_data: trainingData };
}
