// The page's detector: loaded once, and given up permanently if it cannot start, is slow or dies.
import { type Eyes, openEyes } from './eyes.ts';

export interface Detector {
  /** Loads it (2 MB), once; null if it has been given up. */
  load(): Eyes | null;
  giveUp(why: unknown): void;
}

/**
 * Creates a detector; nothing is loaded yet.
 * @param givenUp called once, when hints are off for the rest of this page's life
 */
export function createDetector(givenUp: () => void): Detector {
  let eyes: Eyes | null = null;
  let failed = false;
  const giveUp = (why: unknown) => {
    if (failed) return;
    failed = true;
    console.warn('Hints for the camera are off:', why);
    eyes?.close();
    givenUp();
  };
  const load = () => {
    if (failed) return null;
    if (eyes) return eyes;
    try {
      eyes = openEyes();
      eyes.onDeath(giveUp);
      eyes.ready.catch(giveUp);
    } catch (error) {
      giveUp(error);
    }
    return failed ? null : eyes;
  };
  return { load, giveUp };
}
