// Entry of the capture page: reads the challenge's state from the markup, joins machine, runner and shell, and starts.
import type { CaptureState } from '../../src/contract/capture-page.ts';
import { createCalls } from './api/calls.ts';
import { openDevice } from './api/device.ts';
import { applyBrand } from './brand/apply.ts';
import { initialPage } from './flow/machine.ts';
import { createRunner } from './flow/runner.ts';
import { createGuide } from './guidance/guide.ts';
import { consentPlainText, consentText } from './texts/consent.ts';
import { en } from './texts/en.ts';
import { h } from './view/dom.ts';
import { createShell } from './view/shell.ts';

/** Path of the challenge, `…/c/{token}`; null when the page was opened anywhere else. */
function challengePath(): string | null {
  return /^(.*\/c\/[^/]+)/.exec(location.pathname)?.[1] ?? null;
}

/** The state that the server wrote into the page; null when it knows no such challenge. */
function givenState(): CaptureState | null {
  try {
    const text = document.getElementById('challenge-state')?.textContent ?? '';
    const value = JSON.parse(text) as CaptureState | null;
    return value?.status ? value : null;
  } catch {
    return null;
  }
}

async function start(app: HTMLElement): Promise<void> {
  const texts = en;
  document.documentElement.lang = texts.language;
  document.documentElement.dir = texts.direction;
  const given = givenState();
  applyBrand(given?.style ?? null);
  const path = challengePath();
  // `playsinline` and `muted` as attributes: iOS reads them before any property is set.
  const video = h('video', { class: 'preview', playsinline: true, muted: true, autoplay: true });
  video.muted = true;
  const shellContext = {
    texts,
    video,
    dispatch: (event: Parameters<typeof runner.dispatch>[0]) => runner.dispatch(event),
    mirrored: () => runner.mirrored(),
  };
  const shell = createShell(app, shellContext, `${path ?? ''}/logo`);
  const still = (name: 'insecure' | 'unsupported' | 'unknown_link') =>
    shell.render({ screen: { name }, challenge: given });
  if (path === null || given === null) return still('unknown_link');
  if (!window.isSecureContext) return still('insecure');
  if (typeof MediaRecorder === 'undefined' || !navigator.mediaDevices?.getUserMedia) {
    return still('unsupported');
  }
  shell.render({ ...initialPage, challenge: given });
  const device = await openDevice(path);
  const runner = createRunner({
    calls: createCalls(path, device.token),
    device,
    guide: createGuide(),
    video,
    given,
    consentText: (challenge) => ({
      text: consentPlainText(consentText(texts, challenge)),
      language: texts.language,
    }),
    changed: (page) => shell.render(page),
  });
  runner.dispatch({ type: 'reload' });
}

const app = document.getElementById('app');
if (app) void start(app);
