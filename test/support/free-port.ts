// A port that nothing listens on at the moment, for processes that must be given one; and whether they listen there.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** A free port of the loopback address. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether something accepts connections at a port of the loopback address. */
export function listensAt(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    const end = (is: boolean) => {
      socket.destroy();
      done(is);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
