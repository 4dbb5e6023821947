// A PAD pack: networks that an operator supplies to tell a face from its picture. Folder with manifest.json and ONNX
// files → open networks. None ships with the service.
import { join, resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { Fault } from '../../base/errors.ts';
import type { InferenceSession } from '../onnx-runtime.ts';
import { PACK_HEAD, PACK_MANIFEST_FILE, PackNetwork } from './manifest.ts';
import { type OpenNetwork, openNetwork } from './open-network.ts';
import { readJson } from './read-json.ts';

const { file, sha256, input_size, layout, channel_order, mean, scale, output } = PackNetwork.properties;

/** One network of a PAD pack. */
export const PadNetworkSpec = Type.Object(
  {
    ...{ file, sha256, input_size, layout, channel_order, mean, scale, output },
    crop_scale: Type.Number({
      minimum: 0.5,
      maximum: 10,
      description:
        "Side of the square crop over the longer side of the face's box (forehead to chin). Where it does not fit " +
        'into the picture it is moved, then shrunk.',
    }),
    classes: Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Values of the output for one picture.',
    }),
    live_class: Type.Integer({ minimum: 0, maximum: 999, description: 'Index of the bona fide class.' }),
    activation: Type.Enum(['softmax', 'sigmoid', 'none'], {
      description: 'What turns the output into probabilities; none where the network does it itself.',
    }),
  },
  { additionalProperties: false },
);
export type PadNetworkSpec = Static<typeof PadNetworkSpec>;

/** manifest.json of a PAD pack. */
export const PadManifest = Type.Object(
  {
    ...PACK_HEAD,
    networks: Type.Array(PadNetworkSpec, { minItems: 1, maxItems: 4 }),
    threshold: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Bona fide from here on: mean probability of the live class over networks and portraits. Measure it with ' +
        '`likeness bench pad`.',
    }),
  },
  { additionalProperties: false },
);
export type PadManifest = Static<typeof PadManifest>;

/** A pack whose networks are open. */
export interface PadModel {
  readonly manifest: PadManifest;
  readonly networks: readonly { readonly spec: PadNetworkSpec; readonly run: OpenNetwork['run'] }[];
  /** Frees the sessions. */
  close(): Promise<void>;
}

/**
 * Reads and opens the pack in `folder`.
 * @throws Fault PACK_MISSING, PACK_CORRUPT, PACK_INVALID (also where the live class is none of the classes).
 */
export async function loadPad(folder: string, options: InferenceSession.SessionOptions): Promise<PadModel> {
  const path = join(resolve(folder), PACK_MANIFEST_FILE);
  const manifest = readJson(PadManifest, path, 'PACK_INVALID');
  if (manifest === null) throw new Fault('PACK_MISSING', `no ${path}`);
  const networks: ({ spec: PadNetworkSpec } & OpenNetwork)[] = [];
  const close = async () => {
    for (const network of networks) await network.close();
  };
  try {
    for (const spec of manifest.networks) {
      if (spec.live_class >= spec.classes)
        throw new Fault('PACK_INVALID', `${path}: live_class ${spec.live_class} of ${spec.classes} classes`);
      networks.push({ spec, ...(await openNetwork(resolve(folder), spec, spec.classes, options)) });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { manifest, networks, close };
}
