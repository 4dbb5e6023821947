// Thumbnails of the worst pairs for the report, so that people can see what a recogniser confuses.

import { DEFAULT_SETTINGS } from '../../evaluation/settings.ts';
import { openSource } from '../../evaluation/video/source.ts';
import { decodeStill } from '../../evaluation/video/still.ts';
import { sharp } from '../../pictures/sharp.ts';
import { pathBelow } from './pairs-file.ts';

const THUMBNAIL_PX = 112;

/** A picture as a data URL; null for a video and for files that cannot be decoded. */
export async function thumbnail(root: string, file: string): Promise<string | null> {
  const source = await openSource(pathBelow(root, file), DEFAULT_SETTINGS.video.tempDir);
  try {
    const still = await decodeStill(source, DEFAULT_SETTINGS.video);
    if (still.status === 'undecodable') return null;
    const { width, height, rgb } = still.frame;
    const jpeg = await sharp(rgb, { raw: { width, height, channels: 3 } })
      .resize({ width: THUMBNAIL_PX, height: THUMBNAIL_PX, fit: 'cover' })
      .jpeg({ quality: 80 })
      .toBuffer();
    return `data:image/jpeg;base64,${jpeg.toString('base64')}`;
  } finally {
    await source.handle.close();
  }
}
