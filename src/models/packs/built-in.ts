// The recogniser packs that set-up compiles: manifests without their files' hashes, which the compiler fills in.
import { dlibEmbedding } from '../dlib-embedding.ts';
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

/** dlib's own chip has its eyes 35 % of 150 pixels apart and 31 % below the top; the ArcFace points, scaled to that. */
const DLIB_POINTS: PackNetwork['alignment'] = [
  [46.5, 46.25],
  [99.05, 45.96],
  [72.94, 76.13],
  [51.35, 106.9],
  [94.87, 106.66],
];

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
  {
    manifest: {
      format: 1,
      name: 'dlib',
      description: "dlib's ResNet, for comparison: its errors are several times the default's.",
      licence: dlibEmbedding.licence,
    },
    networks: [
      {
        source: dlibEmbedding,
        spec: {
          input_size: 150,
          layout: 'nchw',
          channel_order: 'rgb',
          mean: 0,
          scale: 1,
          alignment: DLIB_POINTS,
          flip: true,
          embedding_size: 128,
          weight: 1,
        },
      },
    ],
  },
];
