// In which browser a challenge is begun, for the overview: the family alone, as the browser says, never believed.

/** The first that matches names the family; every browser also claims to be some of the later ones. */
const FAMILIES = [
  ['in_app', /FBAN|FBAV|Instagram|Line\/|MicroMessenger|; wv\)/],
  ['ios_other', /CriOS|FxiOS|EdgiOS|GSA\//],
  ['ios_safari', /iPhone|iPad|iPod/],
  ['firefox', /Firefox\//],
  ['samsung', /SamsungBrowser\//],
  ['edge', /Edg(A)?\//],
  ['android_chrome', /Android.*Chrome\//],
  ['chrome', /Chrome\//],
  ['safari', /Macintosh.*Safari\//],
] as const;

export type BrowserFamily = (typeof FAMILIES)[number][0] | 'other';

/** The family that a `User-Agent` names. */
export function browserFamily(userAgent: string): BrowserFamily {
  return FAMILIES.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'other';
}
