// The image library, with the readers of what browsers show and nothing else: libvips has some thirty more, and no hostile bytes
// are to reach those, be it only to be told what they are. SVG is closed too.
import sharp from 'sharp';

/** HEIF stands for AVIF: the library's package has no decoder of others. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: READERS.map((format) => `VipsForeignLoad${format}`) });

export { sharp };
