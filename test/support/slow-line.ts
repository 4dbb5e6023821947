// A line between a browser and a service that is as bad as a test wants: its bandwidth, its latency, its packet loss,
// and outages. A loss has the effect that TCP gives it: everything behind the packet waits until it is sent again.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface LineQuality {
  readonly upBitsPerSecond: number;
  readonly downBitsPerSecond: number;
  readonly roundTripMs: number;
  /** Share of the packets that are lost, 0–1. */
  readonly loss: number;
}

export interface SlowLine {
  /** The service at this end of the line. */
  readonly url: string;
  /** From now on nothing goes through, and neither end is told, as in a lift. */
  cut(): void;
  /** Lets through what was held back. */
  mend(): void;
  close(): Promise<void>;
}

const PACKET_BYTES = 1_460;
/** How much of an upload a device's own buffers take before it must wait. */
const BUFFER_BYTES = 64 * 1024;

/** One direction of the line, shared by its connections. */
interface Lane {
  readonly bitsPerSecond: number;
  /** When the last waiting bit will have been sent. */
  freeAtMs: number;
}

/** @param serviceUrl where the line leads */
export async function openSlowLine(serviceUrl: string, quality: LineQuality): Promise<SlowLine> {
  const { hostname, port } = new URL(serviceUrl);
  const up: Lane = { bitsPerSecond: quality.upBitsPerSecond, freeAtMs: 0 };
  const down: Lane = { bitsPerSecond: quality.downBitsPerSecond, freeAtMs: 0 };
  const sockets = new Set<Socket>();
  let whole = Promise.resolve();
  let mend = () => {};
  const carry = (from: Socket, to: Socket, lane: Lane, connectedAtMs: number) => {
    let arrived: Promise<unknown> = Promise.resolve();
    let lastMs = connectedAtMs;
    let waitingBytes = 0;
    from.on('data', (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
        const packet = bytes.subarray(at, at + PACKET_BYTES);
        const sentAtMs = Math.max(Date.now(), lane.freeAtMs) + (packet.length * 8_000) / lane.bitsPerSecond;
        lane.freeAtMs = sentAtMs;
        const againMs = Math.random() < quality.loss ? quality.roundTripMs : 0;
        lastMs = Math.max(lastMs, sentAtMs + quality.roundTripMs / 2 + againMs);
        const dueAtMs = lastMs;
        waitingBytes += packet.length;
        arrived = arrived.then(async () => {
          await delay(dueAtMs - Date.now());
          await whole;
          waitingBytes -= packet.length;
          if (waitingBytes < BUFFER_BYTES) from.resume();
          if (!to.destroyed) to.write(packet);
        });
      }
      if (waitingBytes >= BUFFER_BYTES) from.pause();
    });
    from.on('end', () => void arrived.then(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => void arrived.then(() => to.destroy()));
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    // The handshake of a connection takes one round trip.
    const connectedAtMs = Date.now() + quality.roundTripMs;
    carry(near, far, up, connectedAtMs);
    carry(far, near, down, 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      whole = new Promise((resolve) => {
        mend = resolve;
      });
    },
    mend: () => mend(),
    close: () => {
      mend();
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function delay(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
}
