// A QR code on the screen, read as a phone's camera does.
import type { Page } from 'playwright-core';
import decodeQr from 'qr/decode.js';
import sharp from 'sharp';

/** What the hand-over's code says. */
export async function scan(page: Page): Promise<string> {
  await page.waitForSelector('.code svg');
  const picture = await page.locator('.code').screenshot();
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return decodeQr({ width: info.width, height: info.height, data });
}
