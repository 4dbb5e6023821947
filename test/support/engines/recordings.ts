// What a browser recorded: the bytes as its recorder gave them, and what ffprobe says about them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tab } from './tab.ts';

/** Keeps what the page's recorder gives in `window.recorded`; runs before the page's scripts. */
export const KEEP_RECORDING = `
  window.recorded = [];
  const start = MediaRecorder.prototype.start;
  MediaRecorder.prototype.start = function (...given) {
    window.recorded = [];
    this.addEventListener('dataavailable', ({ data }) => window.recorded.push(data));
    return start.apply(this, given);
  };`;

export interface Recorded {
  readonly container: string;
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Averaged between the first frame and the last. */
  readonly framesPerSecond: number;
  /** The longest time between two frames. */
  readonly longestGapMs: number;
  readonly bytes: number;
}

/** The last recording of a tab with KEEP_RECORDING. */
export async function recordingOf(tab: Pick<Tab, 'run'>): Promise<Buffer> {
  const text = await tab.run<string>(`new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(',')[1]);
    reader.readAsDataURL(new Blob(window.recorded));
  })`);
  return Buffer.from(text, 'base64');
}

/** Saves a recording as a file in RECORDINGS_DIR for people to look at; does nothing if that is not set. */
export function leaveRecording(bytes: Buffer, name: string): void {
  const folder = process.env.RECORDINGS_DIR;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), bytes);
}

/** Describes a video file. */
export function describeRecording(bytes: Buffer): Recorded {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-recorded-'));
  try {
    const file = join(folder, 'video');
    writeFileSync(file, bytes);
    const entries = 'format=format_name:stream=codec_name,width,height:packet=pts_time';
    const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', entries, '-of', 'json', file];
    const { format, streams, packets } = JSON.parse(
      execFileSync('ffprobe', args, { encoding: 'utf8', maxBuffer: 64e6 }),
    );
    const timesS: number[] = packets.map((packet: { pts_time: string }) => Number(packet.pts_time));
    timesS.sort((a, b) => a - b);
    const gaps = timesS.slice(1).map((time, at) => time - timesS[at]!);
    const { codec_name: codec, width, height } = streams[0];
    return {
      container: format.format_name.split(',')[0],
      codec,
      width,
      height,
      frames: timesS.length,
      framesPerSecond: round(gaps.length / (timesS.at(-1)! - timesS[0]!)),
      longestGapMs: Math.round(1000 * Math.max(...gaps)),
      bytes: bytes.length,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
