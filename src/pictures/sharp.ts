// The image library, restricted to decoders of the formats that browsers show. libvips has some thirty more, and
// hostile bytes must not reach those, not even for format detection. One picture at a time, on one thread, nothing
// cached.
import sharp from 'sharp';

/** HEIF means AVIF here: the library's package has no decoder for other HEIF formats. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: READERS.map((format) => `VipsForeignLoad${format}`) });
sharp.concurrency(1);
sharp.cache(false);

/**
 * Drawings (SVG) are read too. The reader itself opens no file and no address that a drawing names; what else the
 * process could reach depends on its confinement (docs/operations/decoder.md).
 */
export const allowDrawings = (): void => sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

export { sharp };
