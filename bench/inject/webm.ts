// Changes a WebM file as a forger might: other frame times, and another name for the writing tool. Sizes stay the same,
// so that nothing else has to be rewritten.

const BROWSER = 'Chrome';

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const CLUSTER_TIME = 0xe7;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const SIMPLE_BLOCK = 0xa3;
/** Elements that are entered; all others are skipped. */
const OPENED: ReadonlySet<number> = new Set([SEGMENT, CLUSTER, BLOCK_GROUP]);

/** Position of a frame's time: relative to its cluster's, 16 bits, signed. */
interface FramePlace {
  readonly at: number;
  readonly clusterMs: number;
  readonly timeMs: number;
  /** Its block's body. */
  readonly begin: number;
  readonly end: number;
}

/**
 * Returns the file with other frame times.
 * @param lie receives the true times, ms, in the order of the file; returns as many
 */
export function atOtherTimes(
  bytes: Uint8Array,
  lie: (timesMs: readonly number[]) => readonly number[],
): Buffer {
  const out = Buffer.from(bytes);
  const places = placesOf(out);
  const told = lie(places.map(({ timeMs }) => timeMs));
  for (const [i, { at, clusterMs }] of places.entries()) {
    const relative = Math.round(told[i]!) - clusterMs;
    out.writeInt16BE(Math.max(-32_768, Math.min(32_767, relative)), at);
  }
  return out;
}

/**
 * The names of ffmpeg's muxer and encoders. Matches nothing after the version, because the next element may follow
 * directly.
 */
const TOOL = /Lav[fc][0-9.]+/g;

/** Returns the file with ffmpeg's name replaced by a browser's wherever it occurs. */
export function signedAsBrowser(bytes: Uint8Array): Buffer {
  const out = Buffer.from(bytes);
  for (const { 0: name, index } of out.toString('latin1').matchAll(TOOL))
    if (name.length >= BROWSER.length)
      out.fill(0, index, index + name.length).write(BROWSER, index, 'latin1');
  return out;
}

/** A frame of a file, to insert into another one. */
export interface Frame {
  readonly timeMs: number;
  /** Body of its block: track, time, flags, frame data. */
  readonly block: Buffer;
  /** Offset of the time in it. */
  readonly timeAt: number;
}

/**
 * Splits a file written to a pipe (ffmpeg's `-live 1`: no length, no index) into the part before its first cluster,
 * signed as a browser's, and its frames.
 */
export function demux(bytes: Buffer): { readonly head: Buffer; readonly frames: readonly Frame[] } {
  const first = bytes.indexOf(Buffer.from('1f43b675', 'hex'));
  const frames = placesOf(bytes).map(({ at, end, begin, timeMs }) => ({
    timeMs,
    block: bytes.subarray(begin, end),
    timeAt: at - begin,
  }));
  return { head: signedAsBrowser(bytes.subarray(0, first)), frames };
}

/** Puts frames into a separate cluster, each at its time; they may span 32 s at most. */
export function clusterOf(frames: readonly Frame[]): Buffer {
  const beginsMs = Math.round(frames[0]!.timeMs);
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(beginsMs));
  const blocks = frames.map(({ timeMs, block, timeAt }) => {
    const own = Buffer.from(block);
    own.writeInt16BE(Math.round(timeMs) - beginsMs, timeAt);
    return element(SIMPLE_BLOCK, own);
  });
  return element(CLUSTER, Buffer.concat([element(CLUSTER_TIME, time), ...blocks]));
}

function element(id: number, body: Buffer): Buffer {
  const name = Buffer.from(id.toString(16), 'hex');
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length));
  // Always eight bytes; the first byte says so.
  size[0] = 1;
  return Buffer.concat([name, size, body]);
}

function placesOf(bytes: Buffer): FramePlace[] {
  const places: FramePlace[] = [];
  let clusterMs = 0;
  for (let at = 0; at < bytes.length; ) {
    const id = readId(bytes, at);
    const size = readSize(bytes, at + id.length);
    const body = at + id.length + size.length;
    if (id.value === CLUSTER_TIME) clusterMs = readUnsigned(bytes, body, size.value);
    if (id.value === SIMPLE_BLOCK || id.value === BLOCK) {
      const time = body + readSize(bytes, body).length;
      const timeMs = clusterMs + bytes.readInt16BE(time);
      places.push({ at: time, clusterMs, timeMs, begin: body, end: body + size.value });
    }
    at = OPENED.has(id.value) ? body : body + size.value;
  }
  return places;
}

interface Variable {
  readonly value: number;
  readonly length: number;
}

function lengthOf(first: number): number {
  if (first === 0) throw new RangeError('not an EBML element');
  return Math.clz32(first) - 23;
}

function readId(bytes: Buffer, at: number): Variable {
  const length = lengthOf(bytes[at]!);
  return { value: readUnsigned(bytes, at, length), length };
}

/** An unknown size, all ones, occurs only for elements that are entered. */
function readSize(bytes: Buffer, at: number): Variable {
  const length = lengthOf(bytes[at]!);
  let value = bytes[at]! & (0xff >> length);
  for (let i = 1; i < length; i++) value = value * 256 + bytes[at + i]!;
  return { value, length };
}

function readUnsigned(bytes: Buffer, at: number, length: number): number {
  let value = 0;
  for (let i = 0; i < length; i++) value = value * 256 + bytes[at + i]!;
  return value;
}
