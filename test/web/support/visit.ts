// One visit of the capture page per test: a browser for the file, a double of the server and tabs for the test.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { sampleState } from '../../../web/capture/gallery/sample.ts';
import { launchBrowser } from '../../support/browser.ts';
import { type Camera, ensureBuild, type OpenedPage, openPage } from './browser.ts';
import { type Behaviour, type PageServer, startPageServer } from './page-server.ts';

export const withoutConsent = { ...sampleState().consent, required: false };
/** A challenge whose page starts with one tap. */
export const plainState = (change: Parameters<typeof sampleState>[0] = {}) =>
  sampleState({ consent: withoutConsent, ...change });

export interface Visit {
  readonly server: PageServer;
  /** The tab opened first. */
  readonly opened: OpenedPage;
  /** Starts the server alone; tabs follow by `tab`. */
  serve(behaviour?: Partial<Behaviour>): Promise<PageServer>;
  /** Another tab, in a context of its own; closed with the test. */
  tab(camera: Camera, options?: BrowserContextOptions): Promise<OpenedPage>;
  /** Server, tab and link in one. */
  arrive(camera: Camera, behaviour?: Partial<Behaviour>, options?: BrowserContextOptions): Promise<Page>;
  /** Text of the first tab's screen. */
  text(): Promise<string | null>;
  /** States of every camera track that the first tab has opened since its last load. */
  tracks(): Promise<unknown>;
}

/** To be called once in a file's `describe`. */
export function visits(): Visit {
  let browser: Browser;
  let server: PageServer | null = null;
  let tabs: OpenedPage[] = [];
  beforeAll(async () => {
    await ensureBuild();
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await Promise.all(tabs.map(({ context }) => context.close()));
    tabs = [];
    await server?.close();
    server = null;
  });
  const visit: Visit = {
    get server() {
      return server!;
    },
    get opened() {
      return tabs[0]!;
    },
    serve: async (behaviour) => {
      server = await startPageServer(behaviour);
      return server;
    },
    tab: async (camera, options) => {
      const opened = await openPage(browser, camera, options);
      tabs.push(opened);
      return opened;
    },
    arrive: async (camera, behaviour, options) => {
      await visit.serve(behaviour);
      const { page } = await visit.tab(camera, options);
      await page.goto(server!.url);
      return page;
    },
    text: () => tabs[0]!.page.textContent('main'),
    tracks: () => tabs[0]!.page.evaluate('window.cameraTracks.map((track) => track.readyState)'),
  };
  return visit;
}
