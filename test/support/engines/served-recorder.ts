// Replaces the recorder of an engine whose own gives no data. It records what the page's preview shows, and ffmpeg
// makes the bytes meanwhile, as Safari writes them. Everything else is the page's and the engine's own.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Tab } from './tab.ts';

/** How the bytes are made. */
export interface Made {
  /** Filters over the pictures. */
  readonly filter?: string;
  /** Whether the file's header rotates them by a quarter turn counter-clockwise. */
  readonly turnsBack?: boolean;
}

/** Range of the random time between two pictures, for a variable frame rate, in milliseconds. */
const PICTURE_MS = { least: 33, most: 60 };
/**
 * Pictures reach the encoder this long after they were taken, so that the way there does not change their intervals.
 */
const DELAY_MS = 300;
/** Fragments as long as a slice. */
const FRAGMENT_US = 400_000;

/** Replaces the page's recorder; run before the recording. */
export const SERVED_RECORDER = `(() => {
  const Own = MediaRecorder;
  let count = 0;
  class ServedRecorder extends EventTarget {
    static isTypeSupported(type) { return Own.isTypeSupported(type); }
    state = 'inactive';
    constructor(stream, { mimeType }) {
      super();
      Object.assign(this, { stream, mimeType });
    }
    tell(type, given = {}) {
      const event = Object.assign(new Event(type), given);
      this['on' + type]?.(event);
      this.dispatchEvent(event);
    }
    start() {
      this.state = 'recording';
      const video = document.querySelector('video');
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
      const pen = canvas.getContext('2d');
      const recording = { id: ++count, pictures: [], over: false, recorder: this };
      window.servedRecording = recording;
      const take = () => {
        if (recording.over) return;
        pen.drawImage(video, 0, 0, 640, 480);
        recording.pictures.push({ atMs: Date.now(), jpeg: canvas.toDataURL('image/jpeg', 0.88).split(',')[1] });
        setTimeout(take, ${PICTURE_MS.least} + Math.random() * ${PICTURE_MS.most - PICTURE_MS.least});
      };
      take();
      setTimeout(() => this.tell('start'));
    }
    stop() {
      this.state = 'inactive';
      if (window.servedRecording?.recorder === this) window.servedRecording.over = true;
    }
  }
  // Gives the pictures since the last call, and takes the bytes that were made meanwhile.
  window.exchange = (made) => {
    const recording = window.servedRecording;
    if (!recording) return null;
    if (made?.id === recording.id) {
      const bytes = Uint8Array.from(atob(made.bytes), (letter) => letter.charCodeAt(0));
      const { recorder } = recording;
      if (bytes.length) recorder.tell('dataavailable', { data: new Blob([bytes], { type: recorder.mimeType }) });
      if (made.ended) {
        window.servedRecording = null;
        recorder.tell('stop');
      }
    }
    const { id, over } = recording;
    return { id, over, pictures: recording.pictures.splice(0) };
  };
  window.MediaRecorder = ServedRecorder;
})()`;

interface Taken {
  readonly id: number;
  readonly over: boolean;
  readonly pictures: readonly { readonly atMs: number; readonly jpeg: string }[];
}

/** Makes the bytes for a tab with SERVED_RECORDER. */
export interface Encoders {
  /** Takes what the page has recorded and gives it the bytes made from it; call repeatedly. */
  exchange(): Promise<void>;
  /** All bytes of the last recording. */
  last(): Buffer;
  close(): void;
}

export function serveRecordings(tab: Tab, made: Made = {}): Encoders {
  let encoder: Encoder | null = null;
  return {
    exchange: async () => {
      const given = encoder && { id: encoder.id, ...encoder.take() };
      const taken = await tab.run<Taken | null>(`window.exchange?.(${JSON.stringify(given)})`);
      if (!taken) return;
      if (taken.id !== encoder?.id) {
        encoder?.close();
        encoder = startEncoder(taken.id, made);
      }
      encoder.add(taken);
    },
    last: () => encoder?.all() ?? Buffer.alloc(0),
    close: () => encoder?.close(),
  };
}

interface Encoder {
  readonly id: number;
  add(taken: Taken): void;
  take(): { bytes: string; ended: boolean };
  all(): Buffer;
  close(): void;
}

/** Encodes one file: fragments of H.264 (baseline, like Safari's), timed as the pictures arrive. */
function startEncoder(id: number, { filter, turnsBack = false }: Made): Encoder {
  const child: ChildProcess = spawn(
    'ffmpeg',
    [
      ['-v', 'error', '-use_wallclock_as_timestamps', '1', '-probesize', '32', '-analyzeduration', '0'],
      ['-f', 'mjpeg', '-i', 'pipe:0', ...(filter ? ['-vf', filter] : []), '-vsync', 'vfr'],
      ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-profile:v', 'baseline'],
      ['-pix_fmt', 'yuv420p', '-crf', '20', '-g', '30'],
      [
        '-movflags',
        'frag_every_frame+empty_moov+default_base_moof',
        '-min_frag_duration',
        String(FRAGMENT_US),
      ],
      // Leaves the encoder's name out of the file, as Safari writes none.
      ['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flush_packets', '1', '-f', 'mp4', 'pipe:1'],
    ].flat(),
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const stdin = child.stdin!;
  stdin.on('error', () => undefined);
  const chunks: Buffer[] = [];
  let given = 0;
  let ended = false;
  let closing = false;
  child.stdout!.on('data', (chunk: Buffer) => chunks.push(turnsBack ? turned(chunk) : chunk));
  child.stdout!.on('end', () => {
    ended = true;
  });
  return {
    id,
    add: ({ pictures, over }) => {
      for (const { atMs, jpeg } of pictures) {
        setTimeout(() => stdin.write(Buffer.from(jpeg, 'base64')), Math.max(0, atMs + DELAY_MS - Date.now()));
      }
      if (over && !closing) setTimeout(() => stdin.end(), DELAY_MS + 100);
      closing ||= over;
    },
    take: () => {
      const fresh = Buffer.concat(chunks.slice(given));
      given = chunks.length;
      return { bytes: fresh.toString('base64'), ended };
    },
    all: () => Buffer.concat(chunks),
    close: () => void child.kill('SIGKILL'),
  };
}

/** A quarter turn counter-clockwise, 16.16 fixed point (ISO/IEC 14496-12, 6.2.2). */
const QUARTER_BACK = [0, -0x10000, 0, 0x10000, 0];
/** Offset of the matrix from the name of a track header (version 0). */
const MATRIX_AT = 44;

/** Rotates the matrix in the track header, if these bytes contain one, because ffmpeg writes none when it encodes. */
function turned(chunk: Buffer): Buffer {
  const header = chunk.indexOf('tkhd');
  if (header < 0) return chunk;
  const bytes = Buffer.from(chunk);
  for (const [i, value] of QUARTER_BACK.entries()) bytes.writeInt32BE(value, header + MATRIX_AT + i * 4);
  return bytes;
}
