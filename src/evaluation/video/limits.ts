// Why a video is refused by what its container declares: its size, its length, and its packets. Of a growing video the
// same is asked of the packets that have arrived.
import type { VideoSettings } from '../settings.ts';
import type { UndecodableReason } from './clip.ts';
import type { DeclaredPacket, DeclaredVideo, Probe } from './probe.ts';

/** What is known of a video: its packets in time order, and the pixels of one picture (0 if that is not known yet). */
interface KnownVideo {
  readonly packets: readonly DeclaredPacket[];
  readonly pixels: number;
}

/** Why a file is refused by its declaration alone; null if it is not. */
export function refusal(probe: Probe, settings: VideoSettings): UndecodableReason | null {
  if (!probe.readable) return UNREADABLE[probe.because];
  const declared = probe.video;
  if (!declared) return 'not_a_video';
  if (pixelsOf(declared) > settings.maxPixels) return 'too_large_dimensions';
  const declaredMs = Math.max(declared.durationMs ?? 0, packetsMs(declared.packets));
  return declaredMs > settings.maxDurationMs ? 'too_long' : null;
}

/** Pixels of one picture, as declared. */
export const pixelsOf = ({ width, height }: DeclaredVideo): number => width * height;

/** Why the packets alone are too much; null if they are not. More packets never make it less. */
export function overLimit(
  { packets, pixels }: KnownVideo,
  settings: VideoSettings,
): UndecodableReason | null {
  if (packetsMs(packets) > settings.maxDurationMs) return 'too_long';
  const most = mostPackets(packets, settings);
  if (most * pixels > settings.maxDecodedPixels) return 'too_many_pixels';
  return judgedPackets(packets, settings) > settings.maxSourceFrames ? 'too_long' : null;
}

const UNREADABLE = {
  broken: 'decode_failed',
  timeout: 'decode_timeout',
  too_many_packets: 'too_long',
} as const satisfies Record<string, UndecodableReason>;

/** Time from the first to the last, plus one mean interval; 0 for fewer than two. */
export function lengthOf(timesMs: readonly number[]): number {
  const count = timesMs.length;
  return count < 2 ? 0 : ((timesMs[count - 1]! - timesMs[0]!) * count) / (count - 1);
}

/** Length of a video by its packets. */
export const packetsMs = (packets: readonly DeclaredPacket[]): number =>
  lengthOf(packets.map(({ timeMs }) => timeMs));

/** Number of pictures that the container declares as shown in the judged part. */
export function judgedPackets(packets: readonly DeclaredPacket[], settings: VideoSettings): number {
  const shown = packets.filter(({ isShown }) => isShown);
  return shown.filter(({ timeMs }) => timeMs - shown[0]!.timeMs < settings.judgedMs).length;
}

/** Most packets of any stretch as long as the judged part, which begins with whichever frame is decoded first. */
function mostPackets(packets: readonly DeclaredPacket[], settings: VideoSettings): number {
  let most = 0;
  let from = 0;
  for (const [i, { timeMs }] of packets.entries()) {
    while (timeMs - packets[from]!.timeMs >= settings.judgedMs) from++;
    most = Math.max(most, i - from + 1);
  }
  return most;
}
