// Which device a tab is: by the fragment of the link that opened it, or by what it kept before a reload.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDevice } from '../../web/capture/api/device.ts';

const PATH = '/c/link';
const TOKEN = 'a'.repeat(43);

/** Opens the link with this fragment in a tab with this storage. */
async function open(hash: string, kept = new Map<string, string>()) {
  const replaceState = vi.fn();
  vi.stubGlobal('location', { hash, pathname: PATH, search: '?lang=ar' });
  vi.stubGlobal('history', { replaceState });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  return { device: await openDevice(PATH), kept, replaceState };
}

describe('a tab', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is the device that handed the check over to it, also after a reload', async () => {
    const { device, kept, replaceState } = await open(`#d=${TOKEN}&f=phone`);
    expect(device).toMatchObject({ token: TOKEN, known: true, handedOver: 'phone' });
    expect(replaceState).toHaveBeenCalledWith(null, '', `${PATH}?lang=ar`);
    expect((await open('', kept)).device).toMatchObject({ token: TOKEN, known: true, handedOver: 'phone' });
  });

  it('is a device of its own on a phone that starts anew, and the computer follows it', async () => {
    const { device, kept, replaceState } = await open('#f=phone');
    expect(device).toMatchObject({ known: false, handedOver: 'phone' });
    expect(device.token).toMatch(/^[\w-]{43}$/);
    expect(replaceState).toHaveBeenCalledWith(null, '', `${PATH}?lang=ar`);
    device.keep(device.token);
    const again = (await open('#f=phone', kept)).device;
    expect(again).toMatchObject({ token: device.token, known: true, handedOver: 'phone' });
  });

  it.each([
    '',
    '#',
    '#f=tab',
    '#f=phone&d=',
    `#f=phone&d=${TOKEN}`,
    '#d=short',
    `#d=${TOKEN}&f=desk`,
  ])('is a device of its own, which nobody follows: %s', async (hash) => {
    const { device, replaceState } = await open(hash);
    expect(device).toMatchObject({ known: false, handedOver: null });
    expect(replaceState).not.toHaveBeenCalled();
  });
});
