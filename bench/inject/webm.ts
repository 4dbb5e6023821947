// A WebM file as whoever forges it may have it: frames at other times, another name for who wrote it. Sizes stay as they
// are, so that nothing else has to be written anew.

const BROWSER = 'Chrome';

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const CLUSTER_TIME = 0xe7;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const SIMPLE_BLOCK = 0xa3;
/** Elements that are gone into; all others are passed over. */
const OPENED: ReadonlySet<number> = new Set([SEGMENT, CLUSTER, BLOCK_GROUP]);

/** Where a frame's time stands: relative to its cluster's, 16 bits, signed. */
interface FramePlace {
  readonly at: number;
  readonly clusterMs: number;
  readonly timeMs: number;
}

/**
 * The file with its frames at other times.
 * @param lie the times as they are, ms, in the order of the file; answers as many
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

/** What ffmpeg's muxer and encoders call themselves: nothing behind the version, which the next element may follow at once. */
const TOOL = /Lav[fc][0-9.]+/g;

/** The file with a browser's name in place of ffmpeg's, wherever it stands. */
export function signedAsBrowser(bytes: Uint8Array): Buffer {
  const out = Buffer.from(bytes);
  for (const { 0: name, index } of out.toString('latin1').matchAll(TOOL))
    if (name.length >= BROWSER.length)
      out.fill(0, index, index + name.length).write(BROWSER, index, 'latin1');
  return out;
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
      places.push({ at: time, clusterMs, timeMs: clusterMs + bytes.readInt16BE(time) });
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
  if (first === 0) throw new RangeError('no element of EBML');
  return Math.clz32(first) - 23;
}

function readId(bytes: Buffer, at: number): Variable {
  const length = lengthOf(bytes[at]!);
  return { value: readUnsigned(bytes, at, length), length };
}

/** An unknown size, all ones, comes only of elements that are gone into. */
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
