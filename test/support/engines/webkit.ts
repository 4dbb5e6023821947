// WebKitGTK as Debian ships it: MiniBrowser under WebKitWebDriver (W3C WebDriver over HTTP), on a display of its own,
// with WebKit's mock cameras. It cannot run scripts before the page's own, so whatever replaces its camera or recorder
// runs after the load, before the person's first press.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { freePort } from '../free-port.ts';
import { type EngineBrowser, type Tab, WINDOW } from './tab.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';
const DISPLAY_SERVER = '/usr/bin/Xvfb';
const BROWSER = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`)
  .find((path) => existsSync(path));
export const HAS_WEBKIT = BROWSER !== undefined && [DRIVER, DISPLAY_SERVER].every((path) => existsSync(path));

const START_TIMEOUT_MS = 30_000;
/** Key of an element's reference in the protocol (W3C WebDriver, 12.1). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** Sends a command of the session; throws the driver's error. */
// biome-ignore lint/suspicious/noExplicitAny: results of many shapes, read by the one caller of each
type Command = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<any>;

/** Starts a browser with one tab, whose mock camera is allowed. */
export async function launchWebKit(): Promise<EngineBrowser> {
  const children: ChildProcess[] = [];
  const running = () =>
    children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  // Kills the whole group: the driver's browser has processes of its own, which would be left running.
  const kill = (child: ChildProcess) => process.kill(-child.pid!, 'SIGKILL');
  const killAll = () => running().forEach(kill);
  process.once('exit', killAll);
  const close = async () => {
    process.off('exit', killAll);
    for (const child of running().reverse()) {
      const exited = once(child, 'exit');
      kill(child);
      await exited;
    }
  };
  try {
    const [display, shown] = startDisplay();
    children.push(display);
    const port = await freePort();
    const driver = spawn(DRIVER, [`--port=${port}`], {
      env: {
        ...process.env,
        DISPLAY: await shown,
        LIBGL_ALWAYS_SOFTWARE: '1',
        // Its sandbox needs user namespaces, which most containers lack. Only our page is opened.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      },
      stdio: 'ignore',
      detached: true,
    });
    children.push(driver);
    const root = `http://127.0.0.1:${port}`;
    const { sessionId, capabilities } = await newSession(root);
    const command: Command = (method, path, body) =>
      call(method, `${root}/session/${sessionId}${path}`, body);
    await command('POST', '/timeouts', { script: 120_000 });
    await command('POST', '/window/rect', WINDOW);
    return {
      version: `WebKitGTK ${capabilities.browserVersion}`,
      tab: tabOf(command),
      close: () =>
        command('DELETE', '')
          .catch(() => undefined)
          .then(close),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts a display on the first free number, and returns that. */
function startDisplay(): [process: ChildProcess, shown: Promise<string>] {
  const args = ['-displayfd', '1', '-screen', '0', '1024x1024x24', '-nolisten', 'tcp'];
  const child = spawn(DISPLAY_SERVER, args, { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  const shown = once(child.stdout, 'data').then(([number]) => `:${String(number).trim()}`);
  return [child, shown];
}

async function newSession(root: string) {
  const args = ['--automation', '--enable-mock-capture-devices=true', '--enable-media-stream=true'];
  const alwaysMatch = { 'webkitgtk:browserOptions': { binary: BROWSER, args } };
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; ) {
    try {
      return await call('POST', `${root}/session`, { capabilities: { alwaysMatch } });
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function call(method: string, url: string, body?: object) {
  const answer = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: { error?: string; message?: string } | null };
  if (value?.error) throw new Error(`${value.error}: ${value.message}`);
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return value as any;
}

function tabOf(command: Command): Tab {
  const run = async <T>(expression: string): Promise<T> => {
    const script = `const done = arguments[0];
      (async () => ({ value: await (${expression}) ?? null }))().then(done, (error) => done({ thrown: String(error) }));`;
    const { value, thrown } = await command('POST', '/execute/async', { script, args: [] });
    if (thrown !== undefined) throw new Error(thrown);
    return value;
  };
  // WebKit loses what a test has put on an object that nothing refers to: the tests' camera vanished at random.
  const keepDevices = () => run<void>('void (window.keptDevices = navigator.mediaDevices)');
  return {
    run,
    go: async (url) => {
      await command('POST', '/url', { url });
      await keepDevices();
    },
    reload: async () => {
      await command('POST', '/refresh', {});
      await keepDevices();
    },
    back: () => command('POST', '/back', {}),
    url: () => command('GET', '/url'),
    click: async (selector) => {
      const found = await command('POST', '/element', { using: 'css selector', value: selector });
      await command('POST', `/element/${found[ELEMENT]}/click`, {});
    },
    screenshot: async () => Buffer.from(await command('GET', '/screenshot'), 'base64'),
    // Under automation all of MiniBrowser's tabs count as visible, so the page is told here that it is covered.
    cover: () => run(hiddenScript(true)),
    uncover: () => run(hiddenScript(false)),
  };
}

function hiddenScript(hidden: boolean): string {
  return `(Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true }),
    document.dispatchEvent(new Event('visibilitychange')), undefined)`;
}
