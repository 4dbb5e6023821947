// Starts listening on a configured address, with a fault that names its variables, and stops listening.
import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../base/errors.ts';

/**
 * Makes a server listen at an address and a port, each with the name of its variable.
 * @throws Fault LISTEN_FAILED if the address cannot be used
 */
export async function listenOn(
  server: Pick<FastifyInstance, 'listen'>,
  [hostName, host]: readonly [name: string, value: string],
  [portName, port]: readonly [name: string, value: number],
): Promise<void> {
  const listenTextResolver = (address: string) => `listening on ${address}`;
  await server.listen({ host, port, listenTextResolver }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.syscall !== 'listen') throw cause;
    throw new Fault('LISTEN_FAILED', `${hostName} ${host}, ${portName} ${port}: ${cause.code}`, { cause });
  });
}

/** Stops listening and closes open connections. Resolves when all have ended. */
export async function closeServer(server: Pick<Server, 'close' | 'closeAllConnections'>): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((done) => server.close(() => done()));
}
