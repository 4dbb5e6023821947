// Packs that are not bundled and that an operator may fetch (`likeness packs`): where each is published, under which
// hash, with which licence, what it was trained on, and how it is used. The service itself fetches none of them.
import type { PackManifest, PackNetwork } from './manifest.ts';
import type { PadManifest, PadNetworkSpec } from './pad-pack.ts';

/** A network's file as it is published. */
interface PublishedFile<Spec> {
  readonly url: string;
  readonly bytes: number;
  readonly spec: Spec;
}

interface Known<Manifest, Spec> {
  readonly manifest: Omit<Manifest, 'networks'>;
  readonly networks: readonly PublishedFile<Spec>[];
  /** Who publishes it, in words. */
  readonly source: string;
  readonly licenceOfCode: string;
  readonly licenceOfWeights: string;
  readonly trainingData: string;
  /** Who states the file's hash, and whether the file was ever fetched here. */
  readonly hashFrom: string;
  /** What is known about it here. */
  readonly tried: string;
}

/** One entry. A recogniser that was measured here has a calibration in `calibrations/`, named like it. */
export type KnownPack =
  | ({ readonly kind: 'recogniser'; readonly isCalibrated: boolean } & Known<PackManifest, PackNetwork>)
  | ({ readonly kind: 'pad' } & Known<PadManifest, PadNetworkSpec>);

const NOT_TRIED = 'not tried here';
/** For a network that was never run here: whoever fetches it must measure it first. */
const UNMEASURED = 'Not tried here: input as its publisher gives it. Measure it before it decides anything.';

export const KNOWN_PACKS: readonly KnownPack[] = [
  {
    kind: 'recogniser',
    isCalibrated: true,
    manifest: {
      format: 1,
      name: 'foamliu-mobilefacenet',
      description:
        'MobileFaceNet, trained by foamliu: not the default one, and it confuses other people than that does.',
      licence:
        'code: Apache-2.0 (repository foamliu/MobileFaceNet); weights: in that repository, not stated apart',
      training_data: 'MS-Celeb-1M, whose use is limited to research',
    },
    networks: [
      {
        url: 'https://raw.githubusercontent.com/foamliu/MobileFaceNet/a6cc9032a659b615f477833e1a70b5e7931bcccc/weights/MobileFaceNet.onnx',
        bytes: 3_998_070,
        spec: {
          file: 'foamliu.onnx',
          sha256: 'b7120c095d60094f28a4a54ba6a8bf51b297a6273fb40ef6350dfec1f63d9507',
          ...{ input_size: 112, layout: 'nchw', channel_order: 'rgb', alignment: 'arcface-5', flip: true },
          ...{ mean: [123.675, 116.28, 103.53], scale: [58.395, 57.12, 57.375] },
          ...{ embedding_size: 128, weight: 1 },
        },
      },
    ],
    source: 'github.com/foamliu/MobileFaceNet',
    licenceOfCode: 'Apache-2.0',
    licenceOfWeights: 'not stated apart from the code',
    trainingData: 'MS-Celeb-1M, whose use is limited to research',
    hashFrom: 'computed from the file that was measured here',
    tried: 'measured here (docs/recognition.md); comes with a calibration',
  },
  {
    kind: 'recogniser',
    isCalibrated: false,
    manifest: {
      format: 1,
      name: 'auraface-v1',
      description: `AuraFace v1, a ResNet-100. ${UNMEASURED}`,
      licence: 'code and weights: Apache-2.0 (fal/AuraFace-v1)',
      training_data: 'commercially usable data, says its publisher; which data is not stated',
    },
    networks: [
      {
        url: 'https://huggingface.co/fal/AuraFace-v1/resolve/af6d057c9b0ec4071d4c49c80e3539258798b609/glintr100.onnx',
        bytes: 260_694_151,
        spec: {
          file: 'glintr100.onnx',
          sha256: 'a7933ea5330113b01c9b60351d8f4c33003f145d8470ac5f0e52ee2effe25c60',
          ...{ input_size: 112, layout: 'nchw', channel_order: 'rgb', alignment: 'arcface-5', flip: true },
          ...{ mean: 127.5, scale: 127.5, embedding_size: 512, weight: 1 },
        },
      },
    ],
    source: 'huggingface.co/fal/AuraFace-v1',
    licenceOfCode: 'Apache-2.0',
    licenceOfWeights: 'Apache-2.0',
    trainingData: 'commercially usable data, says its publisher; which data is not stated',
    hashFrom: 'the publisher’s page of the file; not fetched here',
    tried: NOT_TRIED,
  },
  miniFasNet('minifasnet-v2', 'MiniFASNetV2.onnx', {
    bytes: 1_743_581,
    sha256: 'b32929adc2d9c34b9486f8c4c7bc97c1b69bc0ea9befefc380e4faae4e463907',
    cropScale: 2.7,
  }),
  miniFasNet('minifasnet-v1se', 'MiniFASNetV1SE.onnx', {
    bytes: 1_742_335,
    sha256: 'ebab7f90c7833fbccd46d3a555410e78d969db5438e169b6524be444862b3676',
    cropScale: 4,
  }),
];

/** Minivision's two published networks, as ONNX files of another repository. */
function miniFasNet(
  name: string,
  file: string,
  { bytes, sha256, cropScale }: { bytes: number; sha256: string; cropScale: number },
): KnownPack {
  return {
    kind: 'pad',
    manifest: {
      format: 1,
      name,
      description: `Minivision's ${file.replace('.onnx', '')}. ${UNMEASURED} Its threshold is chosen, not measured.`,
      licence: 'code and weights: Apache-2.0 (minivision-ai/Silent-Face-Anti-Spoofing)',
      training_data: 'not stated',
      threshold: 0.5,
    },
    networks: [
      {
        url: `https://github.com/yakhyo/face-anti-spoofing/releases/download/weights/${file}`,
        bytes,
        spec: {
          ...{ file, sha256, input_size: 80, layout: 'nchw', channel_order: 'bgr', mean: 0, scale: 1 },
          ...{ crop_scale: cropScale, crop_shape: 'box', classes: 3, live_class: 1, activation: 'softmax' },
        },
      },
    ],
    source: 'github.com/yakhyo/face-anti-spoofing, from minivision-ai/Silent-Face-Anti-Spoofing',
    licenceOfCode: 'Apache-2.0',
    licenceOfWeights: 'Apache-2.0',
    trainingData: 'not stated',
    hashFrom: 'the publisher’s own loader (yakhyo/uniface); not fetched here',
    tried: NOT_TRIED,
  };
}

/** The entry of that name; undefined if there is none. */
export function knownPack(name: string): KnownPack | undefined {
  return KNOWN_PACKS.find(({ manifest }) => manifest.name === name);
}

/** Bytes of all its files. */
export function bytesOf({ networks }: KnownPack): number {
  return networks.reduce((sum, { bytes }) => sum + bytes, 0);
}
