// Debian's firefox-esr, headless, with a fresh profile, driven by WebDriver BiDi.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bidi, connectBidi } from './bidi.ts';
import { addAuthenticator } from './marionette.ts';
import { type EngineBrowser, type OwnCamera, type Tab, WINDOW } from './tab.ts';

const PROGRAM = process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr';
export const HAS_FIREFOX = existsSync(PROGRAM);

/** Each camera as Firefox's own preferences: 1 allows, 2 refuses. */
const CAMERAS: Readonly<Record<OwnCamera, Readonly<Record<string, unknown>>>> = {
  allowed: { 'media.navigator.streams.fake': true, 'permissions.default.camera': 1 },
  refused: { 'media.navigator.streams.fake': true, 'permissions.default.camera': 2 },
  none: { 'media.navigator.streams.fake': false, 'permissions.default.camera': 1 },
};

/** Passkeys come from a virtual authenticator, which is added through Marionette at a port of its own choice. */
const AUTHENTICATOR = {
  'security.webauth.webauthn_enable_softtoken': true,
  'security.webauth.webauthn_enable_usbtoken': false,
  'marionette.port': 0,
};

const START_TIMEOUT_MS = 60_000;

/**
 * Starts a browser with one tab.
 * @param init runs in every page before its own scripts
 * @param hasAuthenticator whether the device can make passkeys
 */
export async function launchFirefox(
  camera: OwnCamera,
  init = '',
  hasAuthenticator = false,
): Promise<EngineBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'likeness-firefox-'));
  const preferences = Object.entries({ ...CAMERAS[camera], ...(hasAuthenticator && AUTHENTICATOR) }).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), preferences.join('\n'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'];
  if (hasAuthenticator) args.push('--marionette');
  const child = spawn(PROGRAM, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const close = async () => {
    process.off('exit', kill);
    kill();
    await exited;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const address = await addressOf(child);
    if (hasAuthenticator) await addAuthenticator(profile);
    const bidi = await connectBidi(address);
    if (init) await bidi.send('script.addPreloadScript', { functionDeclaration: `() => {${init}}` });
    const { contexts } = await bidi.send('browsingContext.getTree', {});
    const context: string = contexts[0].context;
    await bidi.send('browsingContext.setViewport', { context, viewport: WINDOW });
    const tab = tabOf(bidi, context);
    const version = await tab.run<string>('navigator.userAgent');
    return {
      version,
      tab,
      close: () =>
        bidi
          .send('browser.close', {})
          .catch(() => undefined)
          .then(close),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => reject(new Error(`no BiDi from Firefox:\n${printed}`)), START_TIMEOUT_MS);
    child.stderr!.on('data', (text) => {
      printed += text;
      const listening = /WebDriver BiDi listening on (\S+)/.exec(printed);
      if (!listening) return;
      clearTimeout(timer);
      resolve(listening[1]!);
    });
  });
}

function tabOf(bidi: Bidi, context: string): Tab {
  let front: string | null = null;
  const run = async <T>(expression: string): Promise<T> => {
    // As JSON, so that values need not be rebuilt from the protocol's own types.
    const { result, exceptionDetails } = await bidi.send('script.evaluate', {
      expression: `(async () => JSON.stringify(await (${expression}) ?? null))()`,
      target: { context },
      awaitPromise: true,
      userActivation: false,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return JSON.parse(result.value);
  };
  return {
    run,
    go: (url) => bidi.send('browsingContext.navigate', { context, url, wait: 'complete' }),
    reload: () => bidi.send('browsingContext.reload', { context, wait: 'complete' }),
    back: () => bidi.send('browsingContext.traverseHistory', { context, delta: -1 }),
    url: async () => (await bidi.send('browsingContext.getTree', { root: context })).contexts[0].url,
    click: async (selector) => {
      const { nodes } = await bidi.send('browsingContext.locateNodes', {
        context,
        locator: { type: 'css', value: selector },
        maxNodeCount: 1,
      });
      if (nodes.length === 0) throw new Error(`nothing to click: ${selector}`);
      await run(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: 'center' })`);
      const element = { type: 'element', element: { sharedId: nodes[0].sharedId } };
      await bidi.send('input.performActions', {
        context,
        actions: [
          {
            type: 'pointer',
            id: 'mouse',
            actions: [
              { type: 'pointerMove', x: 0, y: 0, origin: element },
              { type: 'pointerDown', button: 0 },
              { type: 'pointerUp', button: 0 },
            ],
          },
        ],
      });
    },
    screenshot: async () => {
      const { data } = await bidi.send('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
    cover: async () => {
      ({ context: front } = await bidi.send('browsingContext.create', { type: 'tab', background: false }));
      await run(`new Promise((seen) => {
        const look = () => document.hidden ? seen() : setTimeout(look, 50);
        look();
      })`);
    },
    uncover: async () => {
      await bidi.send('browsingContext.activate', { context });
      if (front) await bidi.send('browsingContext.close', { context: front });
    },
  };
}
