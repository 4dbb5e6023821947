// Hostile pictures → pixels, each in a process of its own: confined as the decoder of videos is, with limits of
// processor time, memory and output. Nothing of a client's is decoded in the process that serves others, nor in its
// threads.
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createLimit } from '../base/limit.ts';
import type { Program } from '../confined/program.ts';
import { startTool, type ToolInput } from '../confined/tool.ts';
import { type PictureAnswer, type PictureOrder, TRIAL } from './order.ts';

export type DecodedPicture =
  | { readonly status: 'decoded'; readonly width: number; readonly height: number; readonly data: Buffer }
  | Extract<PictureAnswer, { status: 'refused' }>;

/**
 * Its processor time is limited to five seconds, of which a photograph of 50 megapixels takes two; a machine may be
 * busy.
 */
const TIMEOUT_MS = 60_000;
/** How many are decoded at once by one process of the service: one takes up to 360 MB. */
const AT_ONCE = 1;
/** The most that one answer may have beyond its pixels. */
const HEAD_BYTES = 1_000;

const root = join(import.meta.dirname, '..', '..');
const SCRIPT = join(root, 'dist', 'pictures', 'decoder-process.js');
/** The image library is no JavaScript. A compiler would reserve half a gigabyte that counts as written to (Node 24). */
const V8_OPTIONS = ['--max-old-space-size=64', '--jitless'];
/** Memory is limited by what is written to, because V8 reserves far more addresses than it uses. */
export const DECODER: Program = {
  path: process.execPath,
  files: [dirname(process.execPath), dirname(SCRIPT), join(root, 'node_modules'), join(root, 'package.json')],
  limits: 'ulimit -t 5; ulimit -d 400000',
  trial: [...V8_OPTIONS, SCRIPT, TRIAL],
};

const inTurn = createLimit(AT_ONCE);

/**
 * Decodes JPEG, PNG, WebP, GIF (its first picture) or AVIF, and drawings if the order says so.
 * @param owner whose picture it is: owners take turns
 */
export function decodePicture(
  picture: Uint8Array | ToolInput,
  order: PictureOrder,
  owner: string,
): Promise<DecodedPicture> {
  return inTurn(async () => {
    const input = picture instanceof Uint8Array ? Readable.from([picture]) : picture;
    const args = [...V8_OPTIONS, SCRIPT, JSON.stringify(order)];
    const tool = await startTool(DECODER, args, input, { extraPipes: 0, timeoutMs: TIMEOUT_MS });
    tool.child.stderr!.resume();
    const most = HEAD_BYTES + order.maxSidePx ** 2 * 4;
    const parts: Buffer[] = [];
    let bytes = 0;
    tool.child.stdout!.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > most) tool.kill();
      else parts.push(part);
    });
    const { code } = await tool.ended;
    return code === 0 ? readAnswer(Buffer.concat(parts)) : FAILED;
  }, owner);
}

const FAILED = { status: 'refused', because: 'decode_failed' } as const;

/** A process that was taken over may answer anything. */
function readAnswer(answer: Buffer): DecodedPicture {
  const end = answer.indexOf('\n');
  const told = parse(answer.toString('utf8', 0, Math.max(0, end)));
  if (told?.status === 'refused' && told.because === 'too_large_dimensions')
    return { status: 'refused', because: told.because };
  if (told?.status !== 'decoded') return FAILED;
  const { width, height } = told;
  if (!Number.isSafeInteger(width) || !Number.isSafeInteger(height)) return FAILED;
  return { status: 'decoded', width, height, data: answer.subarray(end + 1) };
}

function parse(text: string): PictureAnswer | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
