// A PAD pack: networks that tell a face from a picture of one. Opens the networks in a folder with manifest.json and
// ONNX files.
import { join } from 'node:path';
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
    file,
    sha256,
    input_size,
    layout,
    channel_order,
    mean,
    scale,
    output,
    crop_scale: Type.Number({
      minimum: 0.5,
      maximum: 10,
      description:
        "Size of the crop over the face's box (forehead to chin), of a square over its longer side. Where it does not fit " +
        'into the picture it is moved, then shrunk.',
    }),
    crop_shape: Type.Optional(
      Type.Enum(['square', 'box'], {
        description:
          "square (default): a square about the face. box: the face's box with its aspect, stretched to the input, as the " +
          'published MiniFASNets are trained.',
      }),
    ),
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
        'Bona fide from here on: probability of the live class, its mean over the networks, its median over two faces ' +
        'a second. Measure it with `likeness bench pad`.',
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
 * Reads the manifest of the pack in `folder`.
 * @throws Fault PACK_MISSING, PACK_INVALID (also if the live class is not one of the classes).
 */
function readPad(folder: string): PadManifest {
  const path = join(folder, PACK_MANIFEST_FILE);
  const manifest = readJson(PadManifest, path, 'PACK_INVALID');
  if (manifest === null) throw new Fault('PACK_MISSING', `no ${path}`);
  for (const { live_class, classes } of manifest.networks)
    if (live_class >= classes)
      throw new Fault('PACK_INVALID', `${path}: live_class ${live_class} of ${classes} classes`);
  return manifest;
}

/**
 * Reads and opens the pack in `folder`.
 * @throws Fault as {@link readPad} and {@link openNetwork} do.
 */
export async function loadPad(folder: string, options: InferenceSession.SessionOptions): Promise<PadModel> {
  const manifest = readPad(folder);
  const networks: ({ spec: PadNetworkSpec } & OpenNetwork)[] = [];
  const close = async () => {
    for (const network of networks) await network.close();
  };
  try {
    for (const spec of manifest.networks)
      networks.push({ spec, ...(await openNetwork(folder, spec, spec.classes, options)) });
  } catch (error) {
    await close();
    throw error;
  }
  return { manifest, networks, close };
}
