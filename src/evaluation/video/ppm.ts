// A stream of binary PPM pictures (what the decoder writes) → pictures, wherever the chunks end.

/** One picture: packed RGB. */
export interface PpmPicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Longest header that the decoder writes: "P6\n" + two sizes + "\n255\n". */
const MAX_HEADER_BYTES = 32;
const NEWLINE = 10;

/**
 * Cuts PPM pictures out of chunks. Throws RangeError on bytes that are not PPM and on pictures larger than `maxBytes`.
 */
export class PpmReader {
  readonly #maxBytes: number;
  #header = '';
  #picture: { width: number; height: number; rgb: Uint8Array } | null = null;
  #filled = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next chunk; returns the pictures that it completes. */
  push(chunk: Uint8Array): PpmPicture[] {
    const done: PpmPicture[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (!this.#picture) {
        at = this.#readHeader(chunk, at);
        continue;
      }
      const { rgb } = this.#picture;
      const part = chunk.subarray(at, at + rgb.length - this.#filled);
      rgb.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled < rgb.length) break;
      done.push(this.#picture);
      this.#picture = null;
      this.#filled = 0;
    }
    return done;
  }

  /** Whether a picture was begun and not completed. */
  get midPicture(): boolean {
    return this.#picture !== null || this.#header !== '';
  }

  #readHeader(chunk: Uint8Array, from: number): number {
    let at = from;
    while (at < chunk.length) {
      const byte = chunk[at]!;
      this.#header += String.fromCharCode(byte);
      at++;
      if (this.#header.length > MAX_HEADER_BYTES) throw new RangeError('not a PPM picture');
      if (byte !== NEWLINE) continue;
      const match = /^P6\n(\d{1,5}) (\d{1,5})\n255\n$/.exec(this.#header);
      if (match) {
        const width = Number(match[1]);
        const height = Number(match[2]);
        const bytes = width * height * 3;
        if (bytes === 0 || bytes > this.#maxBytes) throw new RangeError(`picture of ${width} × ${height}`);
        // Left uninitialised: a picture is handed out only when it is complete.
        this.#picture = { width, height, rgb: new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer) };
        this.#header = '';
        return at;
      }
    }
    return at;
  }
}
