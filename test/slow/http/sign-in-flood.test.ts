// Five hundred guesses of the console's password at once, over sockets, while a person's video is uploaded.
import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { verifyPassword } from '../../../src/console/password.ts';
import { createHttpRig } from '../../http/http-rig.ts';
import { PageClient } from '../../support/page-client.ts';

describe('uploads beside a flood of sign-ins', () => {
  it('are answered while 500 guesses are still waiting', async () => {
    const environment = { TRUST_PROXY: 'loopback' };
    const rig = await createHttpRig({ console: true, environment, verify: verifyPassword });
    try {
      await rig.app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = rig.app.server.address() as AddressInfo;
      const order: string[] = [];
      const flooding = Promise.all(
        Array.from({ length: 500 }, async (_, index) => {
          const status = await post(
            port,
            '/console/api/login',
            { password: 'wrong' },
            `10.5.${index % 250}.1`,
          );
          order.push(`guess ${status}`);
          return status;
        }),
      );
      const { path } = await rig.create({ liveness_only: true, require_consent: false });
      const person = new PageClient(`http://127.0.0.1:${port}${path}`);
      await person.start();
      const video = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), randomBytes(1_000_000)]);
      expect(await person.upload(video, 'video/webm')).toMatchObject({
        status: 200,
        body: { state: 'submitted' },
      });
      order.push('upload');
      const statuses = await flooding;
      expect(rig.checks.most).toBe(1);
      expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(20);
      // Most guesses are refused at once. The last of those that are checked are answered after a whole upload.
      expect(order.lastIndexOf('guess 401')).toBeGreaterThan(order.indexOf('upload'));
    } finally {
      await rig.close();
    }
  });
});

/** Sends a POST over a socket of its own; returns the status. */
function post(port: number, path: string, body: object, from: string): Promise<number> {
  return new Promise((done, refuse) => {
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'x-forwarded-for': from,
      'likeness-device': 'd'.repeat(43),
    };
    const call = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false });
    call.once('response', (answer) => {
      answer.resume();
      answer.once('end', () => done(answer.statusCode!));
    });
    call.once('error', refuse);
    call.end(text);
  });
}
