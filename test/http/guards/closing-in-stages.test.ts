// Connections that close with an answer that came before the end of the body: the sender can send the rest, and reads
// the answer.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpRig, type HttpRig } from '../http-rig.ts';

const CHUNK_BYTES = 256 * 1024;
const MAX_PICTURE_BYTES = 20_000;
/** Unknown. */
const LINK = `/c/${'a'.repeat(43)}`;
const CAPTURE = `${LINK}/captures/cap_${'0'.repeat(26)}`;

let rig: HttpRig;
let port: number;
let key: string;
beforeAll(async () => {
  rig = await createHttpRig({
    limits: { maxPictureBytes: MAX_PICTURE_BYTES },
    settings: { limits: { lingerMs: 1_000 } },
  });
  await rig.app.listen({ port: 0, host: '127.0.0.1' });
  port = (rig.app.server.address() as AddressInfo).port;
  ({ key } = await rig.makeAccount('sender'));
});
afterAll(() => rig.close());

interface Begun {
  readonly socket: Socket;
  readonly errors: readonly Error[];
  heard(): string;
}

/** Sends a request's head and the beginning of its body, and waits for the first bytes of the answer. */
async function begin(path: string, headers: readonly string[], beginning = ''): Promise<Begun> {
  // Like nginx, it goes on sending after the server has ended its side.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const errors: Error[] = [];
  let heard = '';
  socket.on('error', (error) => errors.push(error));
  socket.on('data', (text) => (heard += text));
  const head = [`POST ${path} HTTP/1.1`, 'Host: likeness.test', ...headers, '', ''];
  socket.write(head.join('\r\n') + beginning);
  await once(socket, 'data');
  return { socket, errors, heard: () => heard };
}

const chunk = () => [
  'Connection: close',
  'Content-Type: application/octet-stream',
  `Content-Length: ${CHUNK_BYTES}`,
];

/** Sends the rest of a body, as long as the connection lets it. Resolves when that is closed. */
async function sendRest({ socket, errors }: Begun, bytes: number): Promise<void> {
  const block = Buffer.alloc(256 * 1024);
  for (let sent = 0; sent < bytes && errors.length === 0; sent += block.length) {
    socket.write(block);
    // What a closed connection does to a write is known only at the next one.
    await delay(5);
  }
  socket.end();
  await expect.poll(() => socket.closed).toBe(true);
}

const connections = promisify((done: (error: Error | null, count: number) => void) =>
  rig.app.server.getConnections(done),
);

describe('an answer before the end of the body', () => {
  it('does not reset the connection of whoever is still sending', async () => {
    const begun = await begin(`${CAPTURE}/bytes?offset=0`, chunk());
    await sendRest(begun, CHUNK_BYTES);
    expect(begun.errors).toEqual([]);
    expect(begun.heard()).toMatch(/^HTTP\/1\.1 404 .*"status":404/s);
  });

  it('does not reset it either where the body was read in part, and keeps no such connection', async () => {
    const bytes = 24_000_000;
    const headers = [`Authorization: Basic ${key}`, 'Content-Type: image/png', `Content-Length: ${bytes}`];
    const beginning = 'x'.repeat(MAX_PICTURE_BYTES + 1);
    const begun = await begin('/v1/featids', headers, beginning);
    await sendRest(begun, bytes - beginning.length);
    expect(begun.errors).toEqual([]);
    expect(begun.heard()).toMatch(/^HTTP\/1\.1 413 .*Connection: close.*"status":413/is);
    expect(await connections()).toBe(0);
  });

  it('is the last: what follows the body on the connection is not acted on', async () => {
    const tooLarge = 40_000;
    const json = ['Content-Type: application/json', `Content-Length: ${tooLarge}`];
    const { socket, heard } = await begin(`${CAPTURE}/slices`, json);
    let acted = false;
    rig.challenges.outcome = async () => {
      acted = true;
      return { status: 'not_found' };
    };
    socket.write(`${' '.repeat(tooLarge)}GET ${LINK}/outcome HTTP/1.1\r\nHost: likeness.test\r\n\r\n`);
    await expect.poll(connections).toBe(0);
    socket.destroy();
    expect(heard()).toMatch(/^HTTP\/1\.1 413 .*Connection: close/is);
    expect(acted).toBe(false);
  });

  it('leaves the sender a limited time', async () => {
    const { socket } = await begin(`${CAPTURE}/bytes?offset=0`, chunk());
    expect(await connections()).toBe(1);
    await expect.poll(connections).toBe(0);
    socket.destroy();
  });
});
