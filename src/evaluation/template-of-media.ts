// Makes a template from a photograph or a video of one person, for `compare` and for references given as files.
import type { Models } from '../models/load.ts';
import { trackFaces } from './face/track.ts';
import { isHumanFace, readBest } from './human-face.ts';
import { judge } from './judge.ts';
import { embedPortraits, makeProbe } from './probe.ts';
import { assessFrame } from './quality/frame-quality.ts';
import { MIN_EYE_DISTANCE_PX } from './quality/pose.ts';
import { selectPortraits } from './quality/select.ts';
import type { ReasonCode } from './reasons.ts';
import { embed } from './recognition/embed.ts';
import { templatePackId } from './recognition/operating-point.ts';
import type { FaceTemplate } from './recognition/template.ts';
import { describeRegions } from './regions/describe.ts';
import { DEFAULT_SETTINGS, type EvaluationSettings } from './settings.ts';
import type { UndecodableReason } from './video/clip.ts';
import { SNIFF_BYTES, sniffMedia } from './video/container.ts';
import type { Frame } from './video/frame.ts';
import { openSource, readHead } from './video/source.ts';
import { decodeStill, type StillReason } from './video/still.ts';

export type MediaTemplate =
  | { readonly status: 'made'; readonly template: FaceTemplate }
  | {
      readonly status: 'unusable';
      readonly reason: UndecodableReason | StillReason | ReasonCode;
    };

export interface MediaOptions {
  readonly settings?: EvaluationSettings;
  /**
   * Which face of a photograph is meant. `only` (default): the photograph must show one person, facing the camera.
   * `central`: the face nearest the middle is used, in any pose; for labelled photographs, in which bystanders do not
   * matter and whose refusal would hide an error. Videos must show one person in either case.
   */
  readonly subject?: 'only' | 'central';
}

/** Makes a template from the file at `path`. Rejects with the file system's error if it cannot be read. */
export async function templateOfMedia(
  path: string,
  models: Models,
  options: MediaOptions = {},
): Promise<MediaTemplate> {
  const { settings = DEFAULT_SETTINGS, subject = 'only' } = options;
  const source = await openSource(path, settings.video.tempDir);
  try {
    const kind = sniffMedia(await readHead(source, SNIFF_BYTES))?.kind;
    if (kind === 'video') return await templateOfVideo(path, models, settings);
    const still = await decodeStill(source, settings.video);
    if (still.status === 'undecodable') return { status: 'unusable', reason: still.reason };
    return await (subject === 'central'
      ? templateOfCentralFace(still.frame, models)
      : templateOfFrame(still.frame, models));
  } finally {
    await source.handle.close();
  }
}

async function templateOfVideo(
  path: string,
  models: Models,
  settings: EvaluationSettings,
): Promise<MediaTemplate> {
  const judgement = await judge({ video: path, script: null, references: [], settings }, models);
  if (judgement.status === 'notJudged') return { status: 'unusable', reason: judgement.reason };
  const several = judgement.cues.some(({ cue, status }) => cue === 'one_face' && status === 'failed');
  if (several) return { status: 'unusable', reason: 'several_faces' };
  const { template, noTemplate } = judgement;
  return template
    ? { status: 'made', template }
    : { status: 'unusable', reason: noTemplate ?? 'face_missing' };
}

async function templateOfFrame(frame: Frame, models: Models): Promise<MediaTemplate> {
  const [observation] = await trackFaces(models, [frame]);
  if (!observation?.face) return { status: 'unusable', reason: 'face_missing' };
  if (observation.faceCount > 1) return { status: 'unusable', reason: 'several_faces' };
  const quality = assessFrame(frame, observation.face);
  const read = await readBest(models, selectPortraits([{ frame, observation, quality }], 1));
  const [recogniser] = models.recognisers;
  const embeddings = await embedPortraits(recogniser, read.selection.portraits);
  const probe = makeProbe(recogniser, read, embeddings, MIN_EYE_DISTANCE_PX);
  return probe.status === 'made'
    ? { status: 'made', template: probe.template }
    : { status: 'unusable', reason: probe.reason };
}

async function templateOfCentralFace(frame: Frame, models: Models): Promise<MediaTemplate> {
  const [observation] = await trackFaces(models, [frame], { prefer: 'central' });
  const face = observation?.face;
  if (!face) return { status: 'unusable', reason: 'face_missing' };
  if (face.eyeDistancePx < MIN_EYE_DISTANCE_PX) return { status: 'unusable', reason: 'too_far' };
  const { descriptors, typicality } = await describeRegions(models, frame, face);
  if (!(await isHumanFace(models, frame, face, typicality)))
    return { status: 'unusable', reason: 'face_missing' };
  const [recogniser] = models.recognisers;
  const template = {
    packId: templatePackId(recogniser.pack),
    embedding: await embed(recogniser, frame, face),
    regions: descriptors,
    frames: 1,
  };
  return { status: 'made', template };
}
