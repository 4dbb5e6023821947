// Requests are often answered before their bodies have arrived. Node then closes a connection that is not kept alive at
// once, and the system resets it because of the bytes that nobody read. A proxy that is still sending, such as nginx
// without request buffering, may then report 502 in its place. RFC 9112 §9.6 says how a server closes instead.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Closes connections with unread bodies in stages: after the answer nothing more is sent, but for `lingerMs` what still
 * arrives is taken, and thrown away.
 */
export function closeLingering(app: FastifyInstance, lingerMs: number): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.raw.complete) return done(null, payload);
    // Node discards a body that nobody began to read, and keeps the connection. With the rest of one that was begun,
    // the connection would stand still until it times out, and keep the process from stopping.
    if (request.raw.destroyed) reply.header('connection', 'close');
    // Not the request's: whoever stops reading its body takes that from it.
    const { socket } = reply.raw;
    if (socket) lingerOn(socket, lingerMs);
    done(null, payload);
  });
}

/** Node calls the method after an answer that closes the connection. */
function lingerOn(socket: Socket, lingerMs: number): void {
  socket.destroySoon = () => {
    socket.end();
    // Away from node's parser, which would stop at the first bytes that it has no reader for, and act on a request
    // that follows the body.
    socket.removeAllListeners('data').on('data', () => {});
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer));
  };
}
