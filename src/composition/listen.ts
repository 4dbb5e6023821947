// Starts listening on a configured address, with a fault that names its variables, and stops listening.
import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../base/errors.ts';

/**
 * Makes a server listen.
 * @param prefix of the two variables: '' for HOST and PORT, 'CONSOLE_' for CONSOLE_HOST and CONSOLE_PORT
 * @throws Fault LISTEN_FAILED if the address cannot be used
 */
export async function listenOn(
  server: Pick<FastifyInstance, 'listen'>,
  { host, port, prefix }: { host: string; port: number; prefix: string },
): Promise<void> {
  const listenTextResolver = (address: string) => `listening on ${address}`;
  await server.listen({ host, port, listenTextResolver }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.syscall !== 'listen') throw cause;
    throw new Fault('LISTEN_FAILED', `${prefix}HOST ${host}, ${prefix}PORT ${port}: ${cause.code}`, {
      cause,
    });
  });
}

/** Stops listening and closes open connections. Resolves when all have ended. */
export async function closeServer(server: Pick<Server, 'close' | 'closeAllConnections'>): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((done) => server.close(() => done()));
}
