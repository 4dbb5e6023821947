// FeatureIDs made from one picture (POST /v1/featids): the response, and why a picture is refused.
import { type Static, Type } from 'typebox';

/** What a FeatureID was made from. */
export const FEATID_SOURCES = ['liveness_video', 'image'] as const;
export type FeatidSource = (typeof FEATID_SOURCES)[number];

/** Supported media types. The bytes decide, not the header. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/bmp'] as const;

/**
 * Why no FeatureID can be made from a picture. Integrators switch on the codes, so they are stable; the texts are for
 * people.
 */
export const PICTURE_FAULTS = {
  picture_empty: 'is empty',
  picture_not_supported: 'is not a JPEG, PNG, WebP or BMP picture',
  picture_too_large: 'has more than 50 megapixels',
  picture_damaged: 'cannot be decoded completely',
  no_face: 'shows no human face',
  several_faces: 'shows more than one face',
  face_too_small: 'shows a face that is too small: its eyes are less than 37 pixels apart',
  face_turned: 'shows a face that is turned to the side, up or down: it must look straight ahead',
  face_cut_off: 'shows only part of the face, or something covers it',
  blurred: 'is not sharp',
} as const;
export type PictureFault = keyof typeof PICTURE_FAULTS;
export const PICTURE_FAULT_CODES = Object.keys(PICTURE_FAULTS) as readonly PictureFault[];

/** Weaknesses of a picture that do not lead to refusal. */
export const PICTURE_FLAWS = ['dark', 'burnt_out', 'blurred', 'turned', 'occluded'] as const;

const PictureQuality = Type.Object({
  flaws: Type.Array(Type.Enum([...PICTURE_FLAWS]), {
    description:
      'What may make false rejections of this person more likely: `dark`, `burnt_out` (part of the face has no detail), `blurred` ' +
      '(somewhat), `turned` (somewhat), `occluded` (something covers the lower face). Empty if there is nothing of the kind.',
  }),
  eye_distance_px: Type.Integer({
    description:
      'Distance between the eyes in pixels, with the longer side of the picture reduced to at most 1,600.',
  }),
});
export type PictureQuality = Static<typeof PictureQuality>;

export const PictureFeatid = Type.Object(
  {
    featid: Type.String({ description: 'Store it: it is returned only once and cannot be recreated.' }),
    source: Type.Literal('image', {
      description: 'It was made from a picture: there is no proof that a living person was present.',
    }),
    quality: PictureQuality,
    sandbox: Type.Optional(
      Type.Literal(true, {
        description: 'Present, and true, only for a sandbox key: the picture was not examined.',
      }),
    ),
  },
  { $id: 'PictureFeatid' },
);
export type PictureFeatid = Static<typeof PictureFeatid>;
