// A WebDriver BiDi client for a browser that listens on a WebSocket: commands out, answers in. A dozen commands need no
// package: maintained clients require Node.js 22 by now, and Playwright's uses commands that stable Firefox still
// lacks.
import { WebSocket } from 'undici';

/** Parameters and results as in the specification, W3C WebDriver BiDi. */
// biome-ignore lint/suspicious/noExplicitAny: results of many shapes, read by the one caller of each
type Wire = any;

export interface Bidi {
  /** Sends a command; rejects with the browser's error. */
  send(method: string, params: object): Promise<Wire>;
  close(): void;
}

/** Connects and starts a session. */
export async function connectBidi(url: string): Promise<Bidi> {
  const socket = new WebSocket(`${url}/session`);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('error', () => reject(new Error(`no BiDi at ${url}`)), { once: true });
  });
  const waiting = new Map<number, { resolve(value: Wire): void; reject(error: Error): void }>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data));
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'error') asked?.reject(new Error(`${message.error}: ${message.message}`));
    else asked?.resolve(message.result);
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser has closed'));
  });
  const send = (method: string, params: object) =>
    new Promise<Wire>((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  await send('session.new', { capabilities: {} });
  return { send, close: () => socket.close() };
}
