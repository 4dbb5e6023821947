// Runs the page: feeds events into the machine, carries out its effects, and feeds the browser's own events back in.

import { createCameraVisit } from './camera-visit.ts';
import { createEffects, type EffectParts } from './effects.ts';
import { createEntry, type EntryParts } from './entry.ts';
import { watchLateness } from './lateness.ts';
import { CAMERA_SCREENS, initialPage, transition } from './machine.ts';
import type { Page, PageEvent, Setting } from './screens.ts';
import { createUnsent } from './unsent.ts';

export interface Surroundings
  extends Pick<EffectParts, 'calls' | 'device' | 'guide' | 'video'>,
    Pick<EntryParts, 'given' | 'consentText'> {
  readonly setting: Setting;
  changed(page: Page): void;
}

export interface Runner {
  /** Settles with what the event leads to at once; rejects with its fault. */
  dispatch(event: PageEvent): Promise<unknown>;
  /** Whether to mirror the preview. */
  mirrored(): boolean;
}

/** Creates the page as it opens; nothing happens before the first event. */
export function createRunner(around: Surroundings): Runner {
  const { calls, device, guide, video } = around;
  let page: Page = { ...initialPage(around.setting, around.given), madeKey: device.madeKey };

  const dispatch = (event: PageEvent): Promise<unknown> => {
    const before = page;
    const next = transition(page, event);
    page = next.page;
    if (page !== before) {
      around.changed(page);
    }
    if (page.madeKey !== before.madeKey) device.keepMade(page.madeKey);
    // The detector loads while the person reads; if they save data, only once the camera is open.
    const reading = page.screen.name === 'privacy' || page.screen.name === 'start';
    if (reading && !page.challenge?.sandbox_outcomes && !savesData(navigator)) guide.load();
    return Promise.all(next.effects.map(carryOut));
  };

  const visit = createCameraVisit(video, guide, dispatch);
  const unsent = createUnsent(calls, dispatch);
  const entry = createEntry({ ...around, unsent, dispatch });
  const carryOut = createEffects({ ...around, entry, visit, unsent, page: () => page, dispatch });

  watchLateness((type) => dispatch({ type }));
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) dispatch({ type: 'returned' });
    // A hidden page gets no frames, so anything recorded meanwhile is worthless.
    if (document.hidden && page.screen.name !== 'camera_asking') {
      dispatch({ type: 'recording_failed', why: 'interrupted' });
    }
  });
  addEventListener('offline', () => dispatch({ type: 'offline' }));
  addEventListener('pagehide', visit.end);
  addEventListener('pageshow', (event) => {
    // Ending the visit also ended what it would have produced: the camera's frames, the end of a pause.
    const visited = page.screen.name === 'waiting' || CAMERA_SCREENS.includes(page.screen.name);
    if (event.persisted && visited) dispatch({ type: 'reload' });
  });

  return { dispatch, mirrored: () => visit.camera()?.mirrored ?? true };
}

/** Whether the person has asked the browser to save data (Network Information API; only Chromium has it). */
function savesData(browser: Navigator & { readonly connection?: { readonly saveData?: boolean } }): boolean {
  return browser.connection?.saveData === true;
}
