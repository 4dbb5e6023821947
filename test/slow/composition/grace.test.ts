// A service that is told to stop while strangers' pictures keep its decoder busy for minutes: it ends within the grace
// period that deploy/ gives it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { TestApi } from '../../support/api.ts';
import { newDataDir, removeDataDir, startService } from '../../support/running-service.ts';

/** Each takes its decoder the five seconds of processor time that it may take, one after another. */
const BOMBS = 24;
/** The shortest of the deployments'. */
const GRACE_MS = 60_000;

const FILTER = '<filter id="f"><feTurbulence numOctaves="9"/><feGaussianBlur stdDeviation="99"/></filter>';
const BOX = '<rect width="3000" height="3000" filter="url(#f)"/>';
const BOMB = `<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="3000">${FILTER}${BOX.repeat(500)}</svg>`;

it('ends within its grace period, whatever it decodes', async () => {
  const logos = createServer((_request, answer) =>
    answer.writeHead(200, { 'content-type': 'image/svg+xml' }).end(BOMB),
  ).listen(0, '127.0.0.1');
  await once(logos, 'listening');
  const logo_public_url = `http://127.0.0.1:${(logos.address() as AddressInfo).port}/logo.svg`;
  const dataDir = newDataDir();
  const service = await startService({ dataDir, environment: { WORKER_PROCESSES: '1' } });
  try {
    const api = new TestApi(service);
    const links = await Promise.all(
      Array.from({ length: BOMBS }, () =>
        api.create({ liveness_only: true, flow_style: { logo_public_url } }),
      ),
    );
    let answered = 0;
    for (const { challenge_url } of links)
      fetch(`${challenge_url}/logo`).then(
        () => answered++,
        () => {},
      );
    await expect.poll(() => answered, { timeout: 60_000 }).toBeGreaterThan(0);
    const ended = await Promise.race([service.stop(), delay(GRACE_MS, 'still running', { ref: false })]);
    expect(answered).toBeLessThan(BOMBS);
    expect([0, 1]).toContain(ended);
  } finally {
    service.process.kill('SIGKILL');
    logos.close();
    removeDataDir(dataDir);
  }
}, 300_000);
