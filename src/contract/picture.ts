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
  picture_empty: 'has no bytes',
  picture_not_supported: 'is not a JPEG, PNG, WebP or BMP picture',
  picture_too_large: 'has more than 50 megapixels',
  picture_damaged: 'cannot be decoded to its end',
  no_face: 'shows no human face',
  several_faces: 'shows more than one face',
  face_too_small: 'shows the face too small: its eyes are less than 37 pixels apart',
  face_turned: 'shows the face turned or nodded away: it must look ahead',
  face_cut_off: 'shows only a part of the face, or something covers it',
  blurred: 'is not sharp',
} as const;
export type PictureFault = keyof typeof PICTURE_FAULTS;
export const PICTURE_FAULT_CODES = Object.keys(PICTURE_FAULTS) as readonly PictureFault[];

/** Weaknesses of a picture that do not lead to refusal. */
export const PICTURE_FLAWS = ['dark', 'burnt_out', 'blurred', 'turned', 'occluded'] as const;

const PictureQuality = Type.Object({
  flaws: Type.Array(Type.Enum([...PICTURE_FLAWS]), {
    description:
      'What may make its person be rejected more often: `dark`, `burnt_out` (part of the face has no detail), `blurred` ' +
      '(somewhat), `turned` (somewhat), `occluded` (something covers the lower face). Empty when nothing does.',
  }),
  eye_distance_px: Type.Integer({
    description: 'Between the eyes, in pixels of the picture, at most 1,600 a side.',
  }),
});
export type PictureQuality = Static<typeof PictureQuality>;

export const PictureFeatid = Type.Object(
  {
    featid: Type.String({ description: 'Keep it: it is given out once, and nobody can make it again.' }),
    source: Type.Literal('image', {
      description: 'It was made of a picture: nobody has shown that a living person stood behind it.',
    }),
    quality: PictureQuality,
    sandbox: Type.Optional(
      Type.Literal(true, {
        description: 'There, and true, for a sandbox key only: the picture was not looked at.',
      }),
    ),
  },
  { $id: 'PictureFeatid' },
);
export type PictureFeatid = Static<typeof PictureFeatid>;
