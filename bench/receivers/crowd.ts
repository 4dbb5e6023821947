// Many webhook receivers in one process, each with its own origin. COUNTS, as JSON, says how many of each kind; prints
// `ready` and the addresses by kind. GET /arrivals on a live one returns [webhook-id, milliseconds since 1970] for all
// calls that live ones have had so far.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

const SLOW_ANSWER_MS = 12_000;
const DRIP_MS = 1_000;

const arrivals: [string, number][] = [];

const answerLive: RequestListener = (request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify(arrivals));
  request.resume();
  request.once('end', () => {
    arrivals.push([String(request.headers['webhook-id']), Date.now()]);
    response.writeHead(204).end();
  });
};

const answer500Slowly: RequestListener = (request, response) => {
  request.resume();
  setTimeout(() => response.writeHead(500).end(), SLOW_ANSWER_MS);
};

/** Writes a head, then one byte after another for ever. */
const drip = (head: string) => (socket: Socket) => {
  socket.on('error', () => {});
  socket.once('data', () => {
    socket.write(head);
    const timer = setInterval(() => socket.write('x'), DRIP_MS);
    socket.once('close', () => clearInterval(timer));
  });
};

const SERVERS: Record<string, () => Server> = {
  live: () => createServer(answerLive),
  hangs: () => createServer((request) => void request.resume()),
  refuses: () => createTcpServer(),
  answers500slowly: () => createServer(answer500Slowly),
  dripsHeaders: () => createTcpServer(drip('HTTP/1.1 200 OK\r\nx-drip: ')),
  dripsBody: () => createTcpServer(drip('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')),
};

async function listen(kind: string): Promise<string> {
  const server = SERVERS[kind]!().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // No other process is likely to get the port while this one has hundreds of them open.
  if (kind === 'refuses') server.close();
  return `http://127.0.0.1:${port}`;
}

const counts = JSON.parse(process.env.COUNTS!) as Record<string, number>;
const addresses: Record<string, string[]> = {};
for (const [kind, count] of Object.entries(counts)) {
  addresses[kind] = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      kind === 'unknownName' ? `http://dead-${index}.invalid` : listen(kind),
    ),
  );
}
process.stdout.write(`ready ${JSON.stringify(addresses)}\n`);
