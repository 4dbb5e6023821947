// The families that browsers of today name in their `User-Agent`.
import { expect, it } from 'vitest';
import { browserFamily } from '../../src/console/browsers.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT}`;
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT}`;

it.each([
  [`${IPHONE} Version/18.4 Mobile/15E148 Safari/604.1`, 'ios_safari'],
  [`${IPHONE} CriOS/136.0.7103.56 Mobile/15E148 Safari/604.1`, 'ios_other'],
  [`${IPHONE} FxiOS/138.0 Mobile/15E148 Safari/605.1.15`, 'ios_other'],
  [`${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/400.0]`, 'in_app'],
  [`${ANDROID} Chrome/136.0.0.0 Mobile Safari/537.36`, 'android_chrome'],
  [`${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`, 'samsung'],
  [`${ANDROID} Chrome/136.0.0.0 Mobile Safari/537.36 EdgA/136.0.0.0`, 'edge'],
  [
    `Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) ${WEBKIT} Version/4.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    'in_app',
  ],
  ['Mozilla/5.0 (Android 14; Mobile; rv:138.0) Gecko/138.0 Firefox/138.0', 'firefox'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:138.0) Gecko/20100101 Firefox/138.0', 'firefox'],
  [`${WINDOWS} Chrome/136.0.0.0 Safari/537.36`, 'chrome'],
  [`${WINDOWS} Chrome/136.0.0.0 Safari/537.36 Edg/136.0.0.0`, 'edge'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15',
    'safari',
  ],
  ['curl/8.5.0', 'other'],
  ['', 'other'],
])('%s', (userAgent, family) => {
  expect(browserFamily(userAgent)).toBe(family);
});
