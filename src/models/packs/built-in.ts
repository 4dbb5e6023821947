// The recogniser packs that set-up compiles: manifests without their files' hashes, which the compiler fills in.
import { mobilefacenet } from '../mobilefacenet.ts';
import type { ModelSource } from '../source.ts';
import type { PackManifest, PackNetwork } from './manifest.ts';

/** A pack before it is compiled. Each network's file is named after its source. */
export interface BuiltInPack {
  readonly manifest: Omit<PackManifest, 'networks'>;
  readonly networks: readonly {
    readonly source: ModelSource;
    readonly spec: Omit<PackNetwork, 'file' | 'sha256'>;
  }[];
}

export const BUILT_IN_PACKS: readonly BuiltInPack[] = [
  {
    manifest: {
      format: 1,
      name: 'mobilefacenet',
      description: 'MobileFaceNet, its published graph repaired (src/models/mobilefacenet.ts). The default.',
      licence: mobilefacenet.licence,
    },
    networks: [
      {
        source: mobilefacenet,
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
];
