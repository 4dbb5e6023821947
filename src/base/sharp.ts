// The image library, restricted to decoders of the formats that browsers show. libvips has some thirty more, and
// hostile bytes must not reach those, not even for format detection. SVG is blocked too.
import sharp from 'sharp';

/** HEIF means AVIF here: the library's package has no decoder for other HEIF formats. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: READERS.map((format) => `VipsForeignLoad${format}`) });

export { sharp };
