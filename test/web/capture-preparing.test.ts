// What the capture page waits for before its first screen. Before and after a recording: test/slow/web.
import { describe, expect, it } from 'vitest';
import { untilScreen } from './support/browser.ts';
import { visits } from './support/visit.ts';

describe('the capture page before its first screen', () => {
  const visit = visits();

  it('does not wait forever for a language file', async () => {
    const { url } = await visit.prepare();
    const { page } = await visit.tab('face', { locale: 'de-DE' });
    await page.route('**/de-*.js', () => new Promise(() => {}));
    await page.goto(url);
    await untilScreen(page, 'start');
    expect(await page.getAttribute('html', 'lang')).toBe('en');
  });
});
