// What the capture page reports of the camera: POST /c/{token}/events.
import { type Static, Type } from 'typebox';
import { closed } from './field-types.ts';

/**
 * What denies the camera: the person or their browser's settings (`blocked` for good, `dismissed` for now), the device's
 * own settings, the page around this one, or the headers with which this page arrived.
 */
export const CAMERA_REFUSALS = ['blocked', 'dismissed', 'by_device', 'by_frame', 'by_site'] as const;
export type CameraRefusal = (typeof CAMERA_REFUSALS)[number];

/** Body of POST /c/:token/events. `cause` is recorded for `camera_denied` alone. */
export const PageEventRequest = Type.Object(
  {
    name: Type.Enum(['camera_granted', 'camera_denied']),
    cause: Type.Optional(Type.Enum([...CAMERA_REFUSALS])),
  },
  closed,
);
export type PageEventRequest = Static<typeof PageEventRequest>;
