// What a recogniser pack declares about itself: manifest.json in its folder, next to its ONNX files. It is
// read first, and contains everything that decides how pixels become an embedding.
import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';

export const PACK_MANIFEST_FILE = 'manifest.json';

const Point = Type.Tuple([Type.Number(), Type.Number()]);
const PerChannel = Type.Union([Type.Number(), Type.Tuple([Type.Number(), Type.Number(), Type.Number()])]);
/** A divisor is never 0. */
const Divisor = Type.Number({ exclusiveMinimum: 0 });
const Scale = Type.Union([Divisor, Type.Tuple([Divisor, Divisor, Divisor])]);

/** One network of a pack. */
export const PackNetwork = Type.Object(
  {
    file: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\\.onnx$',
      description: 'Name of the ONNX file in the same folder. It has one input; weights lie inside the file.',
    }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of that file, lower-case hex.' }),
    input_size: Type.Integer({
      minimum: 16,
      maximum: 1024,
      description: 'Side of the square input in pixels.',
    }),
    layout: Type.Enum(['nchw', 'nhwc'], { description: 'Order of batch, channels, height and width.' }),
    channel_order: Type.Enum(['rgb', 'bgr']),
    mean: Type.Union(PerChannel.anyOf, {
      description:
        'Input value = (pixel 0–255 − mean) / scale; one number, or one per channel in channel_order.',
    }),
    scale: Scale,
    alignment: Type.Union([Type.Literal('arcface-5'), Type.Tuple([Point, Point, Point, Point, Point])], {
      description:
        "arcface-5 (insightface's template, scaled to the input), or five points [x, y] in input pixels counted from " +
        "pixel centres: the person's right eye, left eye, nose tip, right and left corner of the mouth.",
    }),
    flip: Type.Boolean({ description: 'Whether the mirror image is embedded too, and the mean taken.' }),
    output: Type.Optional(
      Type.String({ description: 'Name of the output that holds the embedding, where there are several.' }),
    ),
    embedding_size: Type.Integer({ minimum: 8, maximum: 2048 }),
    weight: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1000,
      description:
        'The unit-norm embeddings of several networks are concatenated, each times its weight. 1 for a single network.',
    }),
  },
  { additionalProperties: false },
);
export type PackNetwork = Static<typeof PackNetwork>;

/** What every kind of pack declares. */
export const PACK_HEAD = {
  format: Type.Literal(1),
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$' }),
  description: Type.Optional(Type.String({ maxLength: 1000 })),
  licence: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Of code and weights.',
  }),
  training_data: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'What the networks were trained on, as published.',
    }),
  ),
};

/** manifest.json of a pack. */
export const PackManifest = Type.Object(
  {
    ...PACK_HEAD,
    networks: Type.Array(PackNetwork, { minItems: 1, maxItems: 4 }),
  },
  { additionalProperties: false },
);
export type PackManifest = Static<typeof PackManifest>;

/**
 * Id of a pack: its name and a hash of everything that decides an embedding. It follows from the content, not from a
 * version that somebody raises: if an operator changed a file or a mean and forgot the number, faces would be compared
 * across two recognisers. Description, licence and training data may be reworded without retiring a FeatureID.
 */
export function packIdOf(manifest: PackManifest): string {
  const decisive = manifest.networks.map((network) => [
    network.sha256,
    network.input_size,
    network.layout,
    network.channel_order,
    [network.mean].flat(),
    [network.scale].flat(),
    network.alignment,
    network.flip,
    network.output ?? null,
    network.embedding_size,
    network.weight,
  ]);
  const hash = createHash('sha256').update(JSON.stringify(decisive)).digest('hex');
  return `${manifest.name}-${hash.slice(0, 12)}`;
}

/** Number of values in the pack's whole embedding. */
export function embeddingSizeOf(manifest: PackManifest): number {
  return manifest.networks.reduce((size, network) => size + network.embedding_size, 0);
}
