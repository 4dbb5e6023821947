// The position of the oval in the camera's frame. Guidance measures against it and the stage shows exactly it, so the
// hints refer to what the person sees inside the outline.

/** An axis-aligned ellipse in pixels of the camera frame. */
export interface Oval {
  readonly centreX: number;
  readonly centreY: number;
  readonly width: number;
  readonly height: number;
}

/** Width over height of the oval: a face with some room around it. */
export const OVAL_ASPECT = 3 / 4;

/**
 * Share of the frame that the oval takes in its limiting direction. At arm's length (45 cm) a phone's front camera
 * shows a face at 0.31 of the portrait frame's height (vertical field of view 65°, chin to forehead 18 cm), so the oval
 * takes less of that frame; a laptop's camera (40°) shows 0.45 at 55 cm.
 */
const LANDSCAPE_SHARE = 0.96;
const PORTRAIT_SHARE = 0.78;

/** The oval for a frame of the given size in pixels. */
export function ovalOf(frameWidth: number, frameHeight: number): Oval {
  const height =
    frameWidth >= frameHeight
      ? frameHeight * LANDSCAPE_SHARE
      : Math.min(frameHeight * PORTRAIT_SHARE, frameWidth / OVAL_ASPECT);
  return { centreX: frameWidth / 2, centreY: frameHeight / 2, width: height * OVAL_ASPECT, height };
}
