// Many or broken upload bodies over real sockets: limits apply before the first byte is read, and places are released
// however a request ends.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Link, UploadOutcome } from '../../../src/challenge/services.ts';
import { HTTP_LIMITS } from '../../../src/http/guards/limits.ts';
import { createHttpRig, type HttpRig } from '../http-rig.ts';

const CAPTURE = `cap_${'0'.repeat(26)}`;
const LIMITS = { uploadsOfLink: 2, uploadsOfAddress: 3, uploadsAtOnce: 4, chunkBytes: 1000 };

let rig: HttpRig;
let port: number;
/** The service under test; each test sets what it does. */
let accept: (link: Link, read: () => Promise<Uint8Array>) => Promise<UploadOutcome>;

beforeAll(async () => {
  rig = await createHttpRig({ environment: { TRUST_PROXY: '127.0.0.1' }, settings: { limits: LIMITS } });
  rig.challenges.acceptBytes = (link, _capture, _offset, read) => accept(link, read);
  await rig.app.listen({ port: 0, host: '127.0.0.1' });
  port = (rig.app.server.address() as AddressInfo).port;
});
afterAll(() => rig.close());

const taken = (received_bytes: number): UploadOutcome => ({
  status: 'ok',
  received: { received_bytes, announced_slices: 1, state: 'committed' },
});

/** Sends the head of a chunk and as much of its body as given; returns the socket. */
function begin(token: string, address: string, lengthBytes: number, body = ''): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  const head = [
    `POST /c/${token}/captures/${CAPTURE}/bytes?offset=0 HTTP/1.1`,
    'Host: likeness.test',
    `X-Forwarded-For: ${address}`,
    'Connection: close',
    'Content-Type: application/octet-stream',
    `Content-Length: ${lengthBytes}`,
    '',
    '',
  ];
  socket.on('error', () => {});
  socket.write(head.join('\r\n') + body);
  return socket;
}

async function answerOf(socket: Socket): Promise<{ status: number; text: string }> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'close');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text };
}

/** Uploads whose body never ends. They hold their places until they are aborted. */
async function hold(count: number, token: (index: number) => string, address: (index: number) => string) {
  let reading = 0;
  accept = async (_link, read) => {
    reading++;
    return taken((await read()).length);
  };
  const sockets = Array.from({ length: count }, (_, index) => begin(token(index), address(index), 100, 'x'));
  await expect.poll(() => reading).toBe(count);
  return {
    release: async () => {
      for (const socket of sockets) socket.destroy();
      // A place is free again once another upload gets it.
      accept = async () => taken(0);
      await expect.poll(async () => (await answerOf(begin(token(0), address(0), 0))).status).toBe(200);
    },
  };
}

describe('upload bodies', () => {
  it('are read only when the service wants them', async () => {
    accept = async () => ({
      status: 'wrong_offset',
      received: { received_bytes: 7, announced_slices: 1, state: 'committed' },
    });
    // Nothing of the body was sent, and the answer has arrived.
    const unread = await answerOf(begin('a', '10.0.0.1', 900));
    expect(unread).toMatchObject({ status: 409, text: expect.stringContaining('"received_bytes":7') });
    accept = async (_link, read) => taken((await read()).length);
    const body = 'x'.repeat(900);
    expect(await answerOf(begin('a', '10.0.0.1', 900, body))).toMatchObject({
      text: expect.stringContaining('"received_bytes":900'),
    });
  });

  it('have a maximum length', async () => {
    accept = async (_link, read) => taken((await read()).length);
    expect((await answerOf(begin('a', '10.0.0.1', 1001))).status).toBe(413);
    const chunked = async (lengthBytes: number) => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.alloc(lengthBytes));
          controller.close();
        },
      });
      const url = `http://127.0.0.1:${port}/c/a/captures/${CAPTURE}/bytes?offset=0`;
      const headers = { 'content-type': 'application/octet-stream' };
      const answer = await fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
      return { status: answer.status, body: (await answer.json()) as object };
    };
    expect(await chunked(1000)).toMatchObject({ status: 200, body: { received_bytes: 1000 } });
    expect((await chunked(1001)).status).toBe(413);
  });

  it.each([
    ['of one link', LIMITS.uploadsOfLink, () => 'a', (n: number) => `10.0.0.${n}`, ['a', '10.0.1.1'], 429],
    [
      'of one address',
      LIMITS.uploadsOfAddress,
      (n: number) => `l${n}`,
      () => '10.0.0.1',
      ['b', '10.0.0.1'],
      429,
    ],
    [
      'of all',
      LIMITS.uploadsAtOnce,
      (n: number) => `l${n}`,
      (n: number) => `10.0.0.${n}`,
      ['b', '10.0.1.1'],
      503,
    ],
  ] as const)('are limited in number at once: %s', async (_, most, token, address, another, status) => {
    const held = await hold(most, token, address);
    const refused = await answerOf(begin(another[0], another[1], 100, 'x'));
    expect(refused).toMatchObject({ status, text: expect.stringMatching(/retry-after: 1\r\n/i) });
    await held.release();
    expect((await answerOf(begin(another[0], another[1], 0))).status).toBe(200);
  });

  it('that are aborted are no fault of the service', async () => {
    let outcome: unknown;
    accept = async (_link, read) => {
      outcome = await read().catch((error: unknown) => error);
      throw outcome;
    };
    const socket = begin('a', '10.0.0.1', 100, 'x');
    await new Promise((done) => setTimeout(done, 50));
    socket.destroy();
    await expect.poll(() => outcome).toMatchObject({ kind: 'bad-request' });
    const errors = rig.logLines.filter((line) => /"level":(50|60|"error")/.test(line));
    expect(errors).toEqual([]);
  });

  it("have limits that leave room for a page's own", () => {
    // A page sends one at a time, and again after a broken connection.
    expect(HTTP_LIMITS.uploadsOfLink).toBeGreaterThan(1);
    expect(HTTP_LIMITS.uploadsAtOnce * HTTP_LIMITS.chunkBytes).toBeLessThanOrEqual(64 * 2 ** 20);
  });
});
