// Takes of one person's neutral face, smile and neutral face again, at half speed: in thirds, as the shorter scripts of
// LIVENESS_LEVEL=quick with only the smile ask for. The longer scripts ask for a second smile, so their takes are sent
// back.
import { readFile, rm } from 'node:fs/promises';
import { clipFolder } from '../evaluation/video/make-clip.ts';
import { facePath } from '../support/faces.ts';

export interface Takes {
  /** Another take, with its own crop and noise, because footage that was sent before is refused. */
  next(): Promise<Uint8Array>;
  /** Length of each take, because a video that is longer than its script has existed is refused. */
  readonly lengthMs: number;
  remove(): Promise<void>;
}

const TAKE_MS = 5_200;

export async function openTakes(): Promise<Takes> {
  const clips = await clipFolder();
  const makeOne = async () => {
    const seed = Math.floor(Math.random() * 1e9);
    const path = await clips.make(`${seed}.webm`, takeOf(seed));
    const video = await readFile(path);
    await rm(path);
    return video;
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    next() {
      // One after the other: a hundred encoders at once would leave nothing to those who judge.
      const made = last.then(makeOne);
      last = made.catch(() => {});
      return made;
    },
    lengthMs: TAKE_MS,
    remove: clips.remove,
  };
}

function takeOf(seed: number): string[] {
  const picture = [
    'setpts=2*PTS',
    `crop=iw*0.94:ih*0.94:iw*0.00${seed % 10}:ih*0.02`,
    // Small, because the takes are made while everything else runs. The eyes are still 69 pixels apart.
    'scale=288:288,pad=384:288:48:0:gray',
    `noise=alls=7:allf=t:all_seed=${seed}`,
  ];
  const half = String(TAKE_MS / 2000);
  return [
    ['-ss', '1.9', '-t', half, '-i', facePath('video/liveportrait/d19.mp4'), '-vf', picture.join(',')],
    ['-an', '-r', '12', '-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '400k'],
  ].flat();
}
