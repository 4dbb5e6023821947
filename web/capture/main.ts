// Entry point of the capture page: reads the challenge's state from the markup, connects machine, runner and shell, and
// starts.
import type { CaptureState } from '../../src/contract/capture-page.ts';
import type { DeadLinkState } from '../../src/contract/dead-link.ts';
import { directionOf } from '../../src/contract/languages.ts';
import { createCalls } from './api/calls.ts';
import { handOverLink, openDevice } from './api/device.ts';
import { applyBrand } from './brand/apply.ts';
import { isComputer, isInApp } from './camera/browser-family.ts';
import { hasCamera } from './camera/camera.ts';
import { createNotifier, posterToClient } from './embed/messages.ts';
import { deadPage, initialPage } from './flow/machine.ts';
import { createRunner } from './flow/runner.ts';
import type { DeadEnd, Page, Setting } from './flow/screens.ts';
import { createGuide } from './guidance/guide.ts';
import { disown } from './passkey/disown.ts';
import { passkeySupport } from './passkey/support.ts';
import { createVoice } from './speech/voice.ts';
import { consentPlainText, consentText } from './texts/consent.ts';
import { loadTexts, pageLanguage } from './texts/load.ts';
import { createPreview } from './view/oval.ts';
import { createShell } from './view/shell.ts';

/** Path of the challenge, `…/c/{token}`, without anything after it. */
function challengePath(path: string): string {
  return /^(.*\/c\/[^/]+)/.exec(path)?.[1] ?? path;
}

/** What the server wrote into the page: the challenge's state, or why the link leads nowhere. */
function givenState(): CaptureState | DeadLinkState {
  return JSON.parse(document.getElementById('challenge-state')?.textContent ?? '');
}

/** Why this browser cannot take part; null if it can. */
function obstacle(): Extract<DeadEnd, 'insecure' | 'unsupported'> | null {
  if (!window.isSecureContext) return 'insecure';
  const able = typeof MediaRecorder !== 'undefined' && navigator.mediaDevices?.getUserMedia;
  return able ? null : 'unsupported';
}

async function start(app: HTMLElement): Promise<void> {
  const root = document.documentElement;
  const given = givenState();
  const style = 'dead_link' in given ? given.owner?.style : given.style;
  applyBrand(style ?? null);
  const [texts, camera] = await Promise.all([loadTexts(pageLanguage(root)), hasCamera()]);
  root.lang = texts.language;
  root.dir = directionOf(texts.language);
  const path = challengePath(location.pathname);
  const video = createPreview();
  const setting: Setting = {
    computer: isComputer(navigator),
    inApp: isInApp(navigator),
    hasCamera: camera,
    passkeys: passkeySupport(window),
    handedOver: null,
  };
  let shell: ReturnType<typeof createShell> | null = null;
  const voice = createVoice(texts.language, () => shell?.refreshBar());
  const shellContext = {
    texts,
    video,
    voice,
    browser: navigator,
    dispatch: (event: Parameters<typeof runner.dispatch>[0]) => runner.dispatch(event),
    mirrored: () => runner.mirrored(),
    linkTo: (target: 'phone' | 'tab' | null, anew = false) =>
      handOverLink(location.origin + path, location.search, anew ? null : device.token, target),
  };
  shell = createShell(app, shellContext, `${path}/logo`);
  const show = shell.render;
  const notifyClient = createNotifier(posterToClient());
  const end = (page: Page) => {
    notifyClient(page);
    show(page);
  };
  if ('dead_link' in given) {
    end(deadPage(setting, given));
    return disownAfter(given, path);
  }
  if (!window.isSecureContext) return end({ ...initialPage(setting, given), screen: { name: 'insecure' } });
  if (self.origin === 'null') {
    console.warn('This check needs allow-same-origin in the sandbox attribute of its frame.');
    return end({ ...initialPage(setting, given), screen: { name: 'sandboxed_frame' } });
  }
  show(initialPage(setting, given));
  const device = await openDevice(path);
  const runner = createRunner({
    calls: createCalls(path, device.token),
    device,
    guide: createGuide(),
    video,
    given,
    setting: { ...setting, handedOver: device.handedOver },
    consentText: (challenge) => ({
      text: consentPlainText(consentText(texts, challenge)),
      language: texts.language,
    }),
    changed: (page) => {
      show(page);
      notifyClient(page);
    },
  });
  // The sandbox needs no camera.
  const why = given.sandbox_outcomes ? null : obstacle();
  await runner.dispatch(why === null ? { type: 'reload' } : { type: 'refused', why });
}

/** Disowns the passkey that was made in this tab, if its check ended in vain while the page was closed. */
async function disownAfter({ dead_link }: DeadLinkState, path: string): Promise<void> {
  if (!window.isSecureContext || (dead_link !== 'expired' && dead_link !== 'cancelled')) return;
  const { madeKey, keepMade } = await openDevice(path);
  if (madeKey) disown(madeKey);
  keepMade(null);
}

/** Shows what the server wrote for a page whose script does not run, unless a screen is there already. */
function fallBack(app: HTMLElement, served: readonly Node[]): void {
  if (app.querySelector('.screen:not(.screen--boot)')) return;
  app.replaceChildren(...served);
  document.documentElement.dataset.state = 'broken';
}

const app = document.getElementById('app');
if (app) {
  const served = [...app.childNodes];
  start(app).catch((error) => {
    fallBack(app, served);
    // For the console.
    throw error;
  });
}
