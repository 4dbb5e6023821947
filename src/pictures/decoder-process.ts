// The program that decodes one hostile picture. decode-picture.ts starts it, confined and limited; it reads the picture
// from a descriptor, answers on stdout and ends.
import { readFileSync } from 'node:fs';
import { INPUT_DESCRIPTOR, type PictureAnswer, type PictureOrder, TRIAL } from './order.ts';
import { pictureChunks } from './png.ts';
import { allowDrawings, sharp } from './sharp.ts';

const GREY = '#808080';

const [argument = TRIAL] = process.argv.slice(2);
if (argument === TRIAL) {
  await sharp({ create: { width: 8, height: 8, channels: 3, background: GREY } })
    .png()
    .toBuffer();
} else await answer(JSON.parse(argument));

async function answer(order: PictureOrder): Promise<void> {
  if (order.drawings) allowDrawings();
  const { told, bytes } = await decode(pictureChunks(readFileSync(INPUT_DESCRIPTOR)), order);
  process.stdout.write(`${JSON.stringify(told)}\n`);
  process.stdout.write(bytes);
}

async function decode(
  file: Uint8Array,
  order: PictureOrder,
): Promise<{ told: PictureAnswer; bytes: Uint8Array }> {
  try {
    const { width, height } = await sharp(file, { limitInputPixels: false }).metadata();
    if (width * height > order.maxPixels) return refused('too_large_dimensions');
    const { data, info } = await made(file, order).toBuffer({ resolveWithObject: true });
    if (order.form !== 'png' && info.channels !== order.form.length) return refused('decode_failed');
    return { told: { status: 'decoded', width: info.width, height: info.height }, bytes: data };
  } catch {
    return refused('decode_failed');
  }
}

function refused(because: 'too_large_dimensions' | 'decode_failed') {
  return { told: { status: 'refused', because } as const, bytes: Buffer.alloc(0) };
}

/** EXIF orientation is honoured; of an animation the first picture is taken. */
function made(file: Uint8Array, { form, maxPixels, maxSidePx: side }: PictureOrder) {
  const upright = sharp(file, { limitInputPixels: maxPixels, failOn: 'error', animated: false })
    .rotate()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
  if (form === 'png') return upright.png();
  if (form === 'rgba') return upright.toColourspace('srgb').ensureAlpha().raw();
  return upright.flatten({ background: GREY }).toColourspace('srgb').removeAlpha().raw();
}
