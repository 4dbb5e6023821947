// Makes a template from the one face in a hostile picture, or tells what is wrong with the picture. For FeatureIDs
// without a liveness check behind them. `templateOfMedia` reads files that an operator chose, and accepts smaller
// faces.
import { PICTURE_FLAWS, type PictureFault, type PictureQuality } from '../contract/picture.ts';
import type { Models } from '../models/load.ts';
import type { ObservedFace } from './face/observation.ts';
import { trackFaces } from './face/track.ts';
import { readBest } from './human-face.ts';
import { embedPortraits, makeProbe } from './probe.ts';
import { assessFrame, type FrameQuality } from './quality/frame-quality.ts';
import { isPitched, MIN_PRESENCE } from './quality/pose.ts';
import type { FaceTemplate } from './recognition/template.ts';
import { DEFAULT_SETTINGS, type EvaluationSettings } from './settings.ts';
import { SNIFF_BYTES, sniffMedia } from './video/container.ts';
import type { Frame } from './video/frame.ts';
import { openSource, readHead } from './video/source.ts';
import { decodeStill, type StillReason } from './video/still.ts';

/**
 * Apparent yaw up to which a picture is accepted. LFW photographs at 0.3 to 0.5 are rejected no more often than others
 * (8 % and 11 %); beyond, half of the regions cannot be seen (docs/recognition.md, Pictures).
 */
const MAX_YAW = 0.5;
/**
 * Least eye distance. Chosen: 12 % of the LFW photographs just below it are rejected, 10 % of those above it
 * (docs/recognition.md).
 */
const MIN_EYE_DISTANCE_PX = 37;
/**
 * Least fine detail: 19 % of the LFW photographs below it are rejected, 11 % of those up to 0.075, 9 % of sharper ones.
 */
const MIN_SHARPNESS = 0.06;

export type PictureTemplate =
  | { readonly status: 'made'; readonly template: FaceTemplate; readonly quality: PictureQuality }
  | { readonly status: 'refused'; readonly fault: PictureFault };

const STILL_FAULTS: Readonly<Record<StillReason, PictureFault>> = {
  empty_file: 'picture_empty',
  too_many_bytes: 'picture_too_large',
  not_an_image: 'picture_not_supported',
  too_large_dimensions: 'picture_too_large',
  decode_failed: 'picture_damaged',
};

/**
 * Reads a picture given as bytes or as the path of a file. Rejects with the file system's error if the file cannot be
 * read.
 */
export async function templateOfPicture(
  picture: Uint8Array | string,
  models: Models,
  { video }: Pick<EvaluationSettings, 'video'> = DEFAULT_SETTINGS,
): Promise<PictureTemplate> {
  const source = await openSource(picture, video.tempDir);
  try {
    const media = sniffMedia(await readHead(source, SNIFF_BYTES));
    if (media?.kind === 'image' && media.format === 'gif') return refused('picture_not_supported');
    const still = await decodeStill(source, video);
    if (still.status === 'undecodable') return refused(STILL_FAULTS[still.reason]);
    return await templateOfFrame(still.frame, models);
  } finally {
    await source.handle.close();
  }
}

const refused = (fault: PictureFault): PictureTemplate => ({ status: 'refused', fault });

async function templateOfFrame(frame: Frame, models: Models): Promise<PictureTemplate> {
  const [observation] = await trackFaces(models, [frame]);
  if (!observation?.face) return refused('no_face');
  if (observation.faceCount > 1) return refused('several_faces');
  const { face } = observation;
  const measured = assessFrame(frame, face);
  const fault = faultOf(face, measured);
  if (fault) return refused(fault);
  const portrait = { frame, face, ...measured, score: 0 };
  const selection = { portraits: [portrait], best: portrait, missing: null, quality: [measured] };
  const read = await readBest(models, selection);
  if (!read.selection.best) return refused('no_face');
  const [recogniser] = models.recognisers;
  const embeddings = await embedPortraits(recogniser, [portrait]);
  const probe = makeProbe(recogniser, read, embeddings, MIN_EYE_DISTANCE_PX);
  if (probe.status === 'none') return refused('face_too_small');
  const quality = {
    flaws: PICTURE_FLAWS.filter((flaw) => measured.flaws.includes(flaw)),
    eye_distance_px: Math.round(face.eyeDistancePx),
  };
  return { status: 'made', template: probe.template, quality };
}

/** Why a picture is refused, judged by mesh and pixels before the template networks run; null if it is not. */
function faultOf(face: ObservedFace, { sharpness }: FrameQuality): PictureFault | null {
  if (face.eyeDistancePx < MIN_EYE_DISTANCE_PX) return 'face_too_small';
  if (Math.abs(face.yaw) > MAX_YAW || isPitched(face)) return 'face_turned';
  if (sharpness < MIN_SHARPNESS) return 'blurred';
  return face.presence < MIN_PRESENCE ? 'face_cut_off' : null;
}
