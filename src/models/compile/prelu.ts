// PRelu in an ONNX file → max(x, slope · x): the same to the last bit, but for the sign of a zero, where no slope exceeds 1; and the runtime's kernels for these
// two are several times as fast as its PRelu, which was half of MiniFASNet's time. Used at set-up only.
import { ProtobufWriter, wireFields } from './protobuf.ts';

// Field numbers of onnx.proto3.
const MODEL_GRAPH = 7;
const MODEL_OPSET = 8;
const OPSET_VERSION = 2;
const GRAPH_NODE = 1;
const GRAPH_INITIALIZER = 5;
const NODE = { input: 1, output: 2, opType: 4 } as const;
const TENSOR = { dataType: 2, name: 8, raw: 9 } as const;
const FLOAT = 1;
/** From this version of the operators on Max broadcasts, and Mul as numpy does. */
const LEAST_OPSET = 8;

/**
 * The model with each PRelu whose slopes are all at most 1 as Mul and Max. Other bytes stay as they are.
 * @throws RangeError if the model is of operators that do not broadcast so, or no ONNX file
 */
export function withoutPRelu(model: Uint8Array): Uint8Array {
  const versions = wireFields(model)
    .filter(({ field }) => field === MODEL_OPSET)
    .flatMap(({ body }) => wireFields(body).filter(({ field }) => field === OPSET_VERSION));
  if (versions.length === 0 || versions.some(({ value }) => value < LEAST_OPSET))
    throw new RangeError('a network of operators that do not broadcast');
  const out = new ProtobufWriter();
  for (const { field, body, whole } of wireFields(model))
    if (field === MODEL_GRAPH) out.bytes(MODEL_GRAPH, withoutPReluInGraph(body));
    else out.verbatim(whole);
  return out.finish();
}

function withoutPReluInGraph(graph: Uint8Array): Uint8Array {
  const fields = wireFields(graph);
  const gentle = new Set<string>();
  for (const { field, body } of fields)
    if (field === GRAPH_INITIALIZER) {
      const name = gentleSlopes(body);
      if (name !== null) gentle.add(name);
    }
  const out = new ProtobufWriter();
  for (const { field, body, whole } of fields) {
    const replaced = field === GRAPH_NODE ? mulAndMax(body, gentle) : null;
    if (replaced) for (const node of replaced) out.message(GRAPH_NODE, node);
    else out.verbatim(whole);
  }
  return out.finish();
}

/** The name of a constant whose values are all at most 1; null of any other. */
function gentleSlopes(tensor: Uint8Array): string | null {
  const fields = wireFields(tensor);
  const raw = fields.find(({ field }) => field === TENSOR.raw)?.body;
  const type = fields.find(({ field }) => field === TENSOR.dataType)?.value;
  if (!raw || type !== FLOAT) return null;
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  for (let at = 0; at < raw.byteLength; at += 4) if (!(view.getFloat32(at, true) <= 1)) return null;
  return textOf(fields.find(({ field }) => field === TENSOR.name)?.body);
}

/** The two nodes in place of a PRelu; null for any other node, and where the slopes are not known to be at most 1. */
function mulAndMax(node: Uint8Array, gentle: ReadonlySet<string>): ProtobufWriter[] | null {
  const fields = wireFields(node);
  const texts = (wanted: number) =>
    fields.filter(({ field }) => field === wanted).map(({ body }) => textOf(body));
  const [input, slope] = texts(NODE.input);
  const [output] = texts(NODE.output);
  if (texts(NODE.opType)[0] !== 'PRelu' || !input || !slope || !output || !gentle.has(slope)) return null;
  const scaled = `${output}/scaled`;
  const nodeOf = (type: string, one: string, other: string, to: string) =>
    new ProtobufWriter()
      .string(NODE.input, one)
      .string(NODE.input, other)
      .string(NODE.output, to)
      .string(NODE.opType, type);
  return [nodeOf('Mul', input, slope, scaled), nodeOf('Max', input, scaled, output)];
}

const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
