// What the container declares about its video, before anything is decoded: size, codec, length, and the times of its
// packets. Runs beside the decoder.

import { mediaTool } from '../../confined/program.ts';
import { inputUrl, startTool, type ToolInput } from '../../confined/tool.ts';
import type { Packet } from './clip.ts';
import { guardedInput } from './guarded-input.ts';

/** A packet as the container declares it. */
export interface DeclaredPacket extends Packet {
  /** Whether its picture is shown. An edit list may skip pictures, which are decoded all the same. */
  readonly isShown: boolean;
}

/** What the container declares. Declarations are checked against what was decoded, never trusted. */
export interface DeclaredVideo {
  readonly codec: string;
  /** Coded size, before rotation. 0 when the container does not tell. */
  readonly width: number;
  readonly height: number;
  /** Null when not declared, as in a stream of a browser's recorder. */
  readonly durationMs: number | null;
  readonly frameCount: number | null;
  /** Packets of the whole file in time order, with the file's own times, however little is decoded. */
  readonly packets: readonly DeclaredPacket[];
}

/** A packet takes about 90 bytes to describe; no accepted clip has more than a few thousand. Chosen, not measured. */
const MAX_ANSWER_BYTES = 512 * 1024;

/** The declaration of a container; `video` is null without any video stream. */
export type Probe =
  | { readonly readable: false; readonly because: 'broken' | 'timeout' | 'too_many_packets' }
  | { readonly readable: true; readonly video: DeclaredVideo | null };

interface ProbeOptions {
  readonly ffprobePath: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called as packets are found, with all of them so far in time order. */
  readonly onPackets: (packets: readonly DeclaredPacket[]) => void;
}

/**
 * Reads headers and packets; of a growing input, until the last byte has arrived. Only the first video stream counts.
 */
export async function probeVideo(input: ToolInput, demuxer: string, options: ProbeOptions): Promise<Probe> {
  const args = [
    // No packet is decoded here.
    ['-v', 'quiet', '-nofind_stream_info', ...guardedInput(demuxer, input)],
    ['-select_streams', 'v:0', '-of', 'json=compact=1'],
    [
      '-show_entries',
      'packet=pts_time,pos,size,flags:stream=codec_name,width,height,duration,nb_frames:format=duration,nb_streams',
      inputUrl(input),
    ],
  ].flat();
  const tool = await startTool(mediaTool(options.ffprobePath), args, input, { ...options, extraPipes: 0 });
  let answer = '';
  const listed: ListedPacket[] = [];
  let read = 0;
  tool.child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
    if (answer.length > MAX_ANSWER_BYTES) return tool.kill();
    const end = answer.lastIndexOf('\n');
    if (end <= read) return;
    listed.push(...listedIn(answer.slice(read, end)));
    read = end;
    options.onPackets(readPackets(listed));
  });
  tool.child.stderr!.resume();
  const { timedOut } = await tool.ended;
  if (answer.length > MAX_ANSWER_BYTES) return { readable: false, because: 'too_many_packets' };
  const unreadable = { readable: false, because: timedOut ? 'timeout' : 'broken' } as const;
  try {
    return readAnswer(JSON.parse(answer) as FfprobeAnswer) ?? unreadable;
  } catch {
    return unreadable;
  }
}

interface ListedPacket {
  pts_time?: string;
  pos?: string;
  size?: string;
  flags?: string;
}

/** A packet as the answer lists it, on a line of its own. */
const LISTED_PACKET = /^ *(\{ "pts_time": .*\}),?$/;

/** The packets among lines of an answer that is not complete yet; the complete one is read anew. */
function listedIn(lines: string): ListedPacket[] {
  return lines.split('\n').flatMap((line) => {
    const packet = LISTED_PACKET.exec(line)?.[1];
    try {
      return packet ? [JSON.parse(packet) as ListedPacket] : [];
    } catch {
      return [];
    }
  });
}

interface FfprobeAnswer {
  packets?: ListedPacket[];
  streams?: { codec_name?: string; width?: number; height?: number; duration?: string; nb_frames?: string }[];
  format?: { duration?: string; nb_streams?: number };
}

/** Null if it is not a valid answer. */
function readAnswer({ packets = [], streams, format }: FfprobeAnswer): Probe | null {
  if (!streams) return null;
  const stream = streams[0];
  if (!stream) return { readable: true, video: null };
  const listed = readPackets(packets);
  const seconds = stream.duration ? Number(stream.duration) : fileSeconds(format, listed[0]);
  const frames = Number(stream.nb_frames);
  const video: DeclaredVideo = {
    codec: stream.codec_name ?? 'unknown',
    width: stream.width ?? 0,
    height: stream.height ?? 0,
    durationMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null,
    frameCount: Number.isInteger(frames) && frames > 0 ? frames : null,
    packets: listed,
  };
  return { readable: true, video };
}

/** The file's length from its first picture on. NaN where it may be that of its sound. */
function fileSeconds(format: FfprobeAnswer['format'], first: DeclaredPacket | undefined): number {
  if (format?.nb_streams !== 1) return Number.NaN;
  return Number(format.duration) - (first?.timeMs ?? 0) / 1000;
}

/** ffprobe lists packets in decoding order. */
function readPackets(answers: readonly ListedPacket[]): DeclaredPacket[] {
  return answers
    .map(({ pts_time, pos, size, flags }) => {
      const startByte = Number(pos);
      const told = Number.isFinite(startByte + Number(size));
      return {
        timeMs: Number(pts_time) * 1000,
        startByte: told ? startByte : 0,
        endByte: told ? startByte + Number(size) : Number.POSITIVE_INFINITY,
        isShown: !flags?.includes('D'),
      };
    })
    .filter(({ timeMs }) => Number.isFinite(timeMs))
    .sort((a, b) => a.timeMs - b.timeMs);
}
