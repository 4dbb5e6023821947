// Protocol Buffers wire format, the few field kinds that an ONNX file needs. Used at set-up only.

/** Appends fields of one message. Default values are written too; ONNX readers accept both. */
export class ProtobufWriter {
  private readonly chunks: Uint8Array[] = [];
  private length = 0;

  private push(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.length += chunk.length;
  }

  private varint(value: number | bigint): void {
    // Negative int64 is written as its two's complement in ten bytes.
    let rest = BigInt.asUintN(64, BigInt(value));
    const bytes: number[] = [];
    do {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      bytes.push(rest > 0n ? low | 0x80 : low);
    } while (rest > 0n);
    this.push(Uint8Array.from(bytes));
  }

  /** int32, int64, enum. */
  integer(field: number, value: number | bigint): this {
    this.varint(field * 8);
    this.varint(value);
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    this.varint(field * 8 + 2);
    this.varint(value.length);
    this.push(value);
    return this;
  }

  string(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  message(field: number, value: ProtobufWriter): this {
    return this.bytes(field, value.finish());
  }

  /** Fields that are encoded already. */
  verbatim(fields: Uint8Array): this {
    this.push(fields);
    return this;
  }

  finish(): Uint8Array {
    const out = new Uint8Array(this.length);
    let offset = 0;
    for (const chunk of this.chunks) {
      out.set(chunk, offset);
      offset += chunk.length;
    }
    return out;
  }
}

/** A field of an encoded message. */
export interface WireField {
  readonly field: number;
  /** Value of a varint; 0 for other kinds. */
  readonly value: number;
  /** Content of a string, bytes or message; empty for other kinds. */
  readonly body: Uint8Array;
  /** All bytes of the field, including its tag. */
  readonly whole: Uint8Array;
}

const EMPTY = new Uint8Array();
const [VARINT, FIXED_64, DELIMITED, FIXED_32] = [0, 1, 2, 5];

/** The fields of a message, in their order. @throws RangeError if the bytes are not a message */
export function wireFields(bytes: Uint8Array): WireField[] {
  const fields: WireField[] = [];
  let at = 0;
  const varint = (): number => {
    for (let value = 0, factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new RangeError('the message ends within a number');
  };
  while (at < bytes.length) {
    const from = at;
    const tag = varint();
    const kind = tag % 8;
    const value = kind === VARINT || kind === DELIMITED ? varint() : 0;
    const length = kind === DELIMITED ? value : kind === FIXED_64 ? 8 : kind === FIXED_32 ? 4 : 0;
    if ((kind !== VARINT && length === 0 && kind !== DELIMITED) || at + length > bytes.length)
      throw new RangeError('the bytes are not a message');
    const body = kind === DELIMITED ? bytes.subarray(at, at + length) : EMPTY;
    at += length;
    fields.push({
      field: (tag - kind) / 8,
      value: kind === VARINT ? value : 0,
      body,
      whole: bytes.subarray(from, at),
    });
  }
  return fields;
}
