// A journey: the process of `npm start` with a data folder of its own, a browser, and people before its camera.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { TestApi } from './api.ts';
import { launchBrowser } from './browser.ts';
import type { CameraSubject } from './camera-film.ts';
import { takeChallenge, type Walk } from './capture-subject.ts';
import { newDataDir, type RunningService, removeDataDir, startService } from './running-service.ts';
import { type Behaviour, type CameraView, installCamera } from './virtual-camera.ts';
import { installWorkerCamera } from './worker-camera.ts';

/** A take on a busy machine: three tries, each judged. */
export const TAKE_TIMEOUT_MS = 180_000;

/** Only smiles, for subjects whose footage has no head turns. */
export const SMILES_ALONE = { LIVENESS_PROMPTS: 'smile,neutral', LIVENESS_LEVEL: 'quick' };

export interface Take {
  readonly who?: CameraSubject;
  readonly behaviour?: Behaviour;
  /** Time from a prompt to the start of its answer. */
  readonly reactionMs?: number;
  /** How the camera sees the person; not in a worker. */
  readonly view?: CameraView | undefined;
  /** Whether the camera runs in a worker, for pages that are slowed down. */
  readonly ownProcessor?: boolean;
  /** Called with the page before its first load. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export interface Journey {
  readonly dataDir: string;
  readonly service: RunningService;
  readonly api: TestApi;
  /** A phone whose camera sees the person; the caller closes it. */
  phone(take?: Take): Promise<BrowserContext>;
  /** The person takes the challenge on a phone, to its end. */
  take(url: string, take?: Take): Promise<Walk>;
}

/** Call once in a `describe`. The service that it starts is stopped after the tests, and must exit with 0. */
export function useJourney(environment: Readonly<Record<string, string>> = {}): Journey {
  const dataDir = newDataDir();
  let service: RunningService;
  let api: TestApi;
  let browser: Browser;

  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startService({ dataDir, environment })]);
    api = new TestApi(service);
  });
  afterAll(async () => {
    await browser?.close();
    if (service) expect(await service.stop()).toBe(0);
    removeDataDir(dataDir);
  });

  async function phone({
    who = 'd0',
    behaviour = 'follows',
    reactionMs,
    view,
    ownProcessor = false,
  }: Take = {}) {
    const viewport = { width: 390, height: 844 };
    const context = await browser.newContext({
      viewport,
      bypassCSP: ownProcessor,
      // Certificates of tests are self-signed.
      ignoreHTTPSErrors: service.url.startsWith('https:'),
    });
    if (ownProcessor) await installWorkerCamera(context, who, behaviour, reactionMs);
    else await installCamera(context, who, behaviour, reactionMs, view);
    return context;
  }
  return {
    dataDir,
    get service() {
      return service;
    },
    get api() {
      return api;
    },
    phone,
    take: async (url, take = {}) => {
      const context = await phone(take);
      try {
        const page = await context.newPage();
        await take.prepare?.(page);
        return await takeChallenge(page, url, { timeoutMs: TAKE_TIMEOUT_MS });
      } finally {
        await context.close();
      }
    },
  };
}
