// Random bytes in small pieces, as keys, salts and secrets need them: drawn from the operating system for many at once, since a call of
// its own costs as much as a hash (1.9 µs against .3 µs for 32 bytes), and every request needs several.
import { randomBytes, randomFillSync } from 'node:crypto';

const DRAWN_BYTES = 4096;
/** More at once is drawn by itself. */
const MOST_BYTES = 256;

const drawn = new Uint8Array(DRAWN_BYTES);
let used = DRAWN_BYTES;

/** Fresh bytes of the operating system's generator, in memory of their own. Nothing else keeps a copy of them. */
export function fewRandomBytes(bytes: number): Buffer {
  if (bytes > MOST_BYTES) return randomBytes(bytes);
  if (used + bytes > DRAWN_BYTES) {
    randomFillSync(drawn);
    used = 0;
  }
  const end = used + bytes;
  const piece = Buffer.from(drawn.slice(used, end).buffer);
  drawn.fill(0, used, end);
  used = end;
  return piece;
}
