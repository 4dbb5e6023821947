// A talker who follows no prompt: sent back twice, failed at the third try. Cut into pieces, as none may be sent twice.
import { spawnSync } from 'node:child_process';
import { facePath } from './faces.ts';

const CLIP = 'video/liveportrait/d10.mp4';
export const PIECE_SECONDS = 4.9;

/** Piece 0, 1 or 2 of the footage, as a browser would record it: WebM. */
export function cutPiece(piece: number): Buffer {
  const from = String(piece * PIECE_SECONDS);
  const made = spawnSync(
    'ffmpeg',
    [
      ['-v', 'error', '-ss', from, '-t', String(PIECE_SECONDS), '-i', facePath(CLIP), '-an'],
      ['-c:v', 'libvpx', '-deadline', 'realtime', '-b:v', '2M', '-f', 'webm', 'pipe:1'],
    ].flat(),
    { maxBuffer: 50_000_000 },
  );
  return made.stdout;
}
