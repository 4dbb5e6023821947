// Takes that pass: one person's neutral face, smile and neutral face again, at half speed, placed so that every script
// of LIVENESS_LEVEL=quick with the smile alone finds its smile inside its prompt.
import { readFileSync } from 'node:fs';
import { clipFolder } from '../evaluation/video/make-clip.ts';
import { facePath } from '../support/faces.ts';

/** Makes `count` takes, each with its own crop and noise. */
export async function makePassingVideos(count: number): Promise<Uint8Array[]> {
  const clips = await clipFolder();
  try {
    const videos: Uint8Array[] = [];
    for (let take = 1; take <= count; take += 1)
      videos.push(readFileSync(await clips.make(`${take}.webm`, takeOf(take))));
    return videos;
  } finally {
    await clips.remove();
  }
}

function takeOf(take: number): string[] {
  const picture = [
    'setpts=2*PTS',
    `crop=iw*0.94:ih*0.94:iw*0.00${take % 10}:ih*0.02`,
    'scale=480:480,pad=640:480:80:0:gray',
    `noise=alls=7:allf=t:all_seed=${take}`,
  ];
  return [
    ...['-ss', '1.9', '-t', '2.6', '-i', facePath('video/liveportrait/d19.mp4'), '-vf', picture.join(',')],
    ...['-an', '-r', '30', '-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '800k'],
  ];
}
