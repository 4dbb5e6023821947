import { mkdtemp, rm } from 'node:fs/promises';
import { get as httpsGet } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenByTls, localBaseUrl, withDevTls } from '../../../src/composition/development/dev-tls.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import { freePort } from '../../support/free-port.ts';

describe('DEV_TLS', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'likeness-tls-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('serves the same routes by https at the address of its links, with one certificate for all starts', async () => {
    const app = fastify();
    app.get('/c/x', async () => 'the page');
    await app.ready();
    const environment = { DEV_TLS: '1', DATA_DIR: dataDir, PORT: String((await freePort()) - 1) };
    const config = withDevTls(readConfig(environment), environment);
    expect(config.baseUrl).toMatch(/^https:\/\/[\d.]+:\d+$/);
    expect(localBaseUrl(config)).toBe(`http://127.0.0.1:${environment.PORT}`);
    const answers: Answer[] = [];
    for (let start = 1; start <= 2; start += 1) {
      const listener = await listenByTls(app, config);
      answers.push(await get(`${config.baseUrl}/c/x`));
      await listener.stop();
    }
    const [first, second] = answers;
    expect(first?.text).toBe('the page');
    expect(first?.names).toBe(`IP Address:${new URL(config.baseUrl).hostname}`);
    expect(second).toEqual(first);
    await app.close();
  });

  it('leaves addresses unchanged where it is off or BASE_URL is given, and is refused in production', () => {
    const given = { DEV_TLS: '1', BASE_URL: 'https://check.example' };
    expect(withDevTls(readConfig(given), given).baseUrl).toBe('https://check.example');
    expect(withDevTls(readConfig({}), {}).baseUrl).toBe('http://127.0.0.1:8080');
    const production = { ...given, MODE: 'production', MASTER_KEY: 'A'.repeat(43) };
    expect(() => readConfig(production)).toThrow(/DEV_TLS/);
  });
});

interface Answer {
  readonly text: string;
  readonly fingerprint: string;
  readonly names: string | undefined;
}

function get(url: string): Promise<Answer> {
  return new Promise((done, refuse) => {
    const asking = httpsGet(url, { rejectUnauthorized: false, agent: false }, async (response) => {
      const { fingerprint256, subjectaltname } = (response.socket as TLSSocket).getPeerCertificate();
      const parts = await response.toArray();
      done({ text: Buffer.concat(parts).toString(), fingerprint: fingerprint256, names: subjectaltname });
    });
    asking.on('error', refuse);
  });
}
