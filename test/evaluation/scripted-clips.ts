// Clips cut to a script from footage of one person, with new crop, noise and compression; and attacks made from them.
import type { Script } from '../../src/contract/script.ts';
import { facePath } from '../support/faces.ts';
import type { ClipFolder } from './video/make-clip.ts';

/** The output of a browser's recorder: VP9 at 30 frames a second, 640 × 480. */
const RECORDED = [
  '-an',
  '-r',
  '30',
  '-c:v',
  'libvpx-vp9',
  '-deadline',
  'realtime',
  '-cpu-used',
  '8',
  '-b:v',
  '2500k',
];
/** A different crop and different noise for each take. */
const take = (seed: number) =>
  `crop=iw*0.94:ih*0.94:iw*0.0${seed}:ih*0.02,scale=480:480,pad=640:480:80:0:gray,noise=alls=7:allf=t:all_seed=${seed}`;

/** A genuine capture and the script that it follows. */
export interface Capture {
  readonly path: string;
  readonly script: Script;
}

const neutralThenSmile = (smileAtMs: number, endMs: number): Script => ({
  steps: [
    { prompt: 'neutral', from_ms: 0, to_ms: smileAtMs },
    { prompt: 'smile', from_ms: smileAtMs, to_ms: endMs },
  ],
});

/** d0 smiles from 0.75 s of his clip on; d19 from 2.7 to 3.25 s, played at half speed. */
export const GENUINE = {
  d0: { cut: ['-ss', '0', '-t', '2.6'], slow: 1, script: neutralThenSmile(550, 2400) },
  d19: { cut: ['-ss', '2.0', '-t', '1.25'], slow: 2, script: neutralThenSmile(1100, 2400) },
} as const;

/** One take of a person following the script. */
export async function genuineCapture(
  clips: ClipFolder,
  person: keyof typeof GENUINE,
  seed: number,
): Promise<Capture> {
  const { cut, slow, script } = GENUINE[person];
  const path = await clips.make(
    `${person}-${seed}.webm`,
    [
      [...cut, '-i', facePath(`video/liveportrait/${person}.mp4`)],
      ['-vf', `setpts=${slow}*PTS,${take(seed)}`, ...RECORDED],
    ].flat(),
  );
  return { path, script };
}

/** Movements of a photograph in front of a camera. */
export const PHOTO_MOVES = {
  'lying still': '',
  'held by hand':
    'crop=iw*0.9:ih*0.9:(iw-ow)*(0.5+0.3*sin(t*2.1)+0.15*sin(t*5.3)):(ih-oh)*(0.5+0.3*cos(t*1.7)+0.15*sin(t*6.1)),',
  waved:
    "perspective=eval=frame:x0='W*(0.04+0.04*sin(on/13))':y0='H*(0.03+0.03*sin(on/17))'" +
    ":x1='W*(0.96-0.04*sin(on/11))':y1='H*(0.03+0.03*cos(on/15))':x2='W*(0.04+0.04*cos(on/19))'" +
    ":y2='H*(0.97-0.03*sin(on/14))':x3='W*(0.96-0.04*cos(on/16))':y3='H*(0.97-0.03*sin(on/12))',",
} as const;

/** A photograph of the person, taken at `atS` of the footage, in front of a noisy camera for `seconds`. */
export async function photoAttack(
  clips: ClipFolder,
  person: keyof typeof GENUINE,
  atS: number,
  move: keyof typeof PHOTO_MOVES,
  seconds = 3,
): Promise<string> {
  const photo = await clips.make(`${person}-${atS}.png`, [
    '-ss',
    String(atS),
    '-i',
    facePath(`video/liveportrait/${person}.mp4`),
    '-frames:v',
    '1',
  ]);
  return clips.make(
    `${person}-${atS}-${move.replaceAll(' ', '-')}.webm`,
    [
      ['-loop', '1', '-framerate', '30', '-t', String(seconds), '-i', photo],
      ['-vf', `${PHOTO_MOVES[move]}${take(3)}`, ...RECORDED],
    ].flat(),
  );
}

/** Two photographs, one neutral and one smiling, swapped at the prompt. */
export async function twoPhotoAttack(clips: ClipFolder): Promise<Capture> {
  const photos: string[] = [];
  for (const atS of [0.3, 1.5])
    photos.push(
      await clips.make(`two-${atS}.png`, [
        '-ss',
        String(atS),
        '-i',
        facePath('video/liveportrait/d0.mp4'),
        '-frames:v',
        '1',
      ]),
    );
  const [neutral, smiling] = photos;
  const path = await clips.make(
    'two-photos.webm',
    [
      ['-loop', '1', '-framerate', '30', '-t', '1.4', '-i', neutral!],
      ['-loop', '1', '-framerate', '30', '-t', '1.6', '-i', smiling!],
      ['-filter_complex', `[0:v][1:v]concat=n=2,${PHOTO_MOVES['held by hand']}${take(4)}`, ...RECORDED],
    ].flat(),
  );
  return { path, script: neutralThenSmile(1000, 2900) };
}
