// For each gate, what fails it and nothing else: a genuine capture, edited in one respect. Where the picture decides,
// the film is edited before it is encoded; elsewhere, what was gathered from it.
import type { Asked, Script } from '../../../../src/contract/script.ts';
import type { ObservedFace } from '../../../../src/evaluation/face/observation.ts';
import type { CaptureEvidence, VideoEvidence } from '../../../../src/evaluation/liveness/evidence.ts';
import type { Portrait } from '../../../../src/evaluation/quality/select.ts';
import { THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH } from '../../../../src/evaluation/video/clip.ts';
import { facePath } from '../../../support/faces.ts';
import { turnedMesh } from '../../../support/turned-mesh.ts';

/** Films an ffmpeg filter's output from the start of a clip, as a browser's recorder would, and gathers from it. */
export type Filming = (clip: string, seconds: number, filter: string) => Promise<VideoEvidence>;

export interface GateFilm {
  readonly make: (film: Filming) => Promise<CaptureEvidence>;
  /** Gates that cannot hold either when this one fails, and why. */
  readonly also?: { readonly gates: readonly string[]; readonly because: string };
}

/** Somebody who smiles from 0.75 s on. */
const D0 = facePath('video/liveportrait/d0.mp4');
/** Somebody who talks. */
const D10 = facePath('video/liveportrait/d10.mp4');
const SMILING_SECONDS = 2.6;
const CROP = 'crop=iw*0.94:ih*0.94:iw*0.01:ih*0.02';
const FIT = 'scale=480:480,pad=640:480:80:0:gray,fps=30';
/** A camera's noise. */
const NOISE = 'noise=alls=7:allf=t:all_seed=1';

const REST = { prompt: 'neutral' } as const;
const SMILE_NOW = { prompt: 'smile' } as const;
const TURN = { prompt: 'target', angle_deg: 0, amount: 'near' } as const;

/** What a script asks for, each until the time after it. */
function script(...steps: readonly (readonly [asked: Asked, toMs: number])[]): Script {
  return {
    steps: steps.map(([asked, to_ms], i) => ({ ...asked, from_ms: steps[i - 1]?.[1] ?? 0, to_ms })),
  };
}
const SMILE = script([REST, 550], [SMILE_NOW, 2400]);
/** Prompts enough for seams at most of them. */
const SMILES = script([REST, 550], [SMILE_NOW, 1200], [SMILE_NOW, 1800], [SMILE_NOW, 2400]);

/** As a page submits it: each frame is announced 0.7 s after its time, and each step revealed when it is shown. */
function submitted(video: VideoEvidence, held: Script): CaptureEvidence {
  const submission = {
    elapsedMs: video.clip.fileDurationMs + 700,
    announcements: video.clip.packets.map(({ endByte, timeMs }) => ({ endByte, announcedMs: timeMs + 700 })),
    handedOutMs: held.steps.map(({ from_ms }) => from_ms),
    justInTime: true,
    seenBefore: 0,
  };
  return { ...video, script: held, submission };
}

/** The person who smiles, unedited. */
export const genuine = async (film: Filming, held = SMILE): Promise<CaptureEvidence> =>
  submitted(await film(D0, SMILING_SECONDS, `${CROP},${FIT},${NOISE}`), held);

/** Somebody who smiles, and somebody who talks, each filmed under a lamp: `light` is a filter. */
export const UNDER_A_LAMP = {
  smiles: async (film: Filming, light: string) =>
    submitted(await film(D0, SMILING_SECONDS, `${CROP},${FIT},${NOISE},${light}`), SMILE),
  talks: async (film: Filming, light: string) =>
    submitted(await film(D10, 7, `${CROP},${FIT},${NOISE},${light}`), script([REST, 6700])),
};

/** The same, whose film was edited. */
const edited = (filter: string, held = SMILE): GateFilm => ({
  make: async (film) => submitted(await film(D0, SMILING_SECONDS, filter), held),
});

/** The same, with other evidence. */
const altered = (
  alter: (evidence: CaptureEvidence) => Partial<CaptureEvidence>,
  also?: GateFilm['also'],
): GateFilm => ({
  make: async (film) => {
    const evidence = await genuine(film);
    return { ...evidence, ...alter(evidence) };
  },
  ...(also && { also }),
});

/** The same under another script. */
const under = (held: Script): GateFilm => ({ make: (film) => genuine(film, held) });

const submittedOtherwise = (
  alter: (submission: NonNullable<CaptureEvidence['submission']>) => Partial<CaptureEvidence['submission']>,
): GateFilm => altered(({ submission }) => ({ submission: { ...submission!, ...alter(submission!) } }));

/** The faces with other measures; null for none. */
function faces(
  { observations }: VideoEvidence,
  change: (timeMs: number, i: number, face: ObservedFace) => Partial<ObservedFace> | null,
): Pick<CaptureEvidence, 'observations'> {
  return {
    observations: observations.map((observation, i) => {
      const { face, timeMs } = observation;
      const changed = face && change(timeMs, i, face);
      return { ...observation, face: changed && { ...face, ...changed } };
    }),
  };
}

const portraits = (changed: Partial<Portrait>): GateFilm =>
  altered(({ selection }) => ({
    selection: {
      ...selection,
      portraits: selection.portraits.map((portrait) => ({ ...portrait, ...changed })),
    },
  }));

/** The thumbnails, each frame's replaced by that of another. */
function withFrames(
  { clip }: VideoEvidence,
  frameFor: (frame: number) => number,
): Pick<VideoEvidence, 'clip'> {
  const size = THUMBNAIL_WIDTH * THUMBNAIL_HEIGHT;
  const thumbnails = new Uint8Array(clip.thumbnails.length);
  for (let frame = 0; frame < clip.sourceFrameCount; frame++) {
    const from = frameFor(frame) * size;
    thumbnails.set(clip.thumbnails.subarray(from, from + size), frame * size);
  }
  return { clip: { ...clip, thumbnails } };
}

/** The faces, each replaced by that observed nearest to another frame. */
function withFaces(
  { clip: { sourceTimesMs }, observations }: VideoEvidence,
  frameFor: (frame: number) => number,
): Pick<VideoEvidence, 'observations'> {
  const nearest = <T>(all: readonly T[], timeMs: number, timeOf: (one: T) => number) =>
    all.reduce(
      (best, one, i) => (Math.abs(timeOf(one) - timeMs) < Math.abs(timeOf(all[best]!) - timeMs) ? i : best),
      0,
    );
  return {
    observations: observations.map(({ timeMs }) => {
      const shown = sourceTimesMs[frameFor(nearest(sourceTimesMs, timeMs, (at) => at))]!;
      return { ...observations[nearest(observations, shown, (one) => one.timeMs)]!, timeMs };
    }),
  };
}

const reshown = (frameFor: (frame: number) => number): GateFilm =>
  altered((evidence) => withFrames(evidence, frameFor));

export const GATE_FILMS: Readonly<Record<string, GateFilm>> = {
  // After the smile has begun, every second frame shows no face.
  face_present: altered((evidence) => faces(evidence, (_, i) => (i > 15 && i % 2 === 1 ? null : {}))),
  one_face: altered(({ observations }) => ({
    observations: observations.map((seen, i) => ({ ...seen, faceCount: i % 4 === 1 ? 2 : seen.faceCount })),
  })),
  // After two looks from near by the person stands far away.
  face_size: edited(
    `fps=30,scale=w='if(lt(t,1),270,180)':h=-2:eval=frame,pad=640:480:180:90:gray:eval=frame,${NOISE}`,
  ),
  frontal: altered(
    ({ selection, embeddings }) => ({
      selection: { ...selection, portraits: selection.portraits.slice(0, 1) },
      embeddings: embeddings.slice(0, 1),
    }),
    { gates: ['same_person'], because: 'one portrait cannot be compared with another' },
  ),
  brightness: portraits({ brightness: 30 }),
  burnt_out: portraits({ burntShare: 0.5 }),
  sharpness: portraits({ sharpness: 0.05 }),
  same_person: altered(({ embeddings: [first, ...others] }) => ({
    embeddings: [first!.map((value) => -value), ...others],
  })),
  same_person_throughout: altered(({ identity }) => ({
    identity: identity.map((moment, i) => (i < identity.length - 3 ? moment : { ...moment, cosine: 0.1 })),
  })),
  face_in_view: {
    // The camera turns to a wall, of the pattern of the clothes, and back.
    make: async (film) =>
      submitted(
        await film(
          D10,
          7,
          'fps=30,scale=480:480,split[a][b];[b]crop=480:96:0:384,split=5[c][d][e][f][g];[c][d][e][f][g]vstack=5[h];' +
            `[a][h]hstack,crop=480:480:'240*(1-cos(PI*(clip(2*t-8.6,0,1)-clip(1.4*t-7,0,1))))':0,${NOISE}`,
        ),
        script([REST, 6700]),
      ),
  },
  picture_kept: edited(`${CROP},${FIT},${NOISE},gblur=sigma=20:enable='between(n,45,46)'`),
  picture_alive: reshown((frame) => (frame >= 40 && frame < 48 ? 40 : frame)),
  hard_cut: edited(`crop=iw*0.9:ih*0.9:'iw*(0.01+0.06*gte(t,1.3))':ih*0.02,${FIT},${NOISE}`),
  // One take fades into another, before a darker wall.
  cross_fade: edited(
    'fps=30,split[a][b];[a]crop=480:480:0:9,trim=end=1.8,pad=640:480:80:0:gray[c];' +
      '[b]crop=480:480:15:9,trim=1.6,setpts=PTS-STARTPTS,pad=640:480:80:0:black[d];' +
      `[c][d]xfade=duration=0.2:offset=1.6,${NOISE}`,
  ),
  cut_at_prompts: edited(`crop=iw*0.9:ih*0.9:'5+6*gte(t,1.2)-6*gte(t,1.8)':ih*0.02,${FIT},${NOISE}`, SMILES),
  detail_at_prompts: edited(
    `${CROP},${FIT},${NOISE},gblur=sigma=6:enable='between(n,38,39)+between(n,56,57)'`,
    SMILES,
  ),
  // Each picture three times.
  freeze: reshown((frame) => frame - (frame % 3)),
  loop: {
    make: async (film) => {
      const evidence = await genuine(film);
      const shown = (frame: number) => (frame < 40 ? frame : frame - 36);
      return { ...evidence, ...withFrames(evidence, shown), ...withFaces(evidence, shown) };
    },
  },
  pad_pack: altered(() => ({ pad: { live: 0.1, threshold: 0.5 } })),
  neutral: under(script([REST, 550], [SMILE_NOW, 1100], [REST, 2400])),
  smile: altered((evidence) => faces(evidence, () => ({ happy: 0 }))),
  target: under(script([REST, 550], [TURN, 2400])),
  rigid: altered((evidence) => {
    const { landmarks } = evidence.observations.find(({ face }) => face)!.face!;
    return faces(evidence, () => ({ landmarks }));
  }),
  neutral_kept: under(script([REST, 250], [REST, 2400])),
  coverage: under(script([REST, 550], [SMILE_NOW, 4000])),
  foresight: under(script([REST, 1500], [SMILE_NOW, 2400])),
  contrary: {
    // Smiles instead of turning, and turns instead of smiling.
    make: async (film) => {
      const held = script([REST, 550], [TURN, 1500], [REST, 1700], [SMILE_NOW, 2400]);
      const evidence = await genuine(film, held);
      const turned = faces(evidence, (timeMs, _, { landmarks }) => {
        if (timeMs < 1400) return {};
        const share = Math.min(1, Math.max(0, (timeMs - 1700) / 250));
        return { happy: 0, landmarks: turnedMesh(landmarks, { x: -10 * share, y: 0 }) };
      });
      return { ...evidence, ...turned };
    },
    also: { gates: ['smile', 'target'], because: 'a prompt that is followed is not opposed' },
  },
  earlier_upload: submittedOtherwise(() => ({ seenBefore: 1 })),
  elapsed: submittedOtherwise(() => ({ elapsedMs: 1000 })),
  announced: submittedOtherwise(({ announcements }) => ({
    announcements: announcements.map((slice, i) =>
      i < announcements.length - 3 ? slice : { ...slice, announcedMs: 20_000 },
    ),
  })),
  prompt_known: submittedOtherwise(() => ({ handedOutMs: [0, 3000] })),
  prompt_lead_required: submittedOtherwise(({ announcements }) => ({
    announcements: announcements.map((slice) => ({ ...slice, announcedMs: slice.announcedMs + 2500 })),
    handedOutMs: [0, 0],
  })),
};
