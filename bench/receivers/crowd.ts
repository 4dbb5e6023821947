// Many webhook receivers in one process, each an origin of its own. COUNTS says how many of which kind, as JSON; prints
// `ready` and the addresses, kind by kind. GET /arrivals at a live one answers [webhook-id, milliseconds since 1970] of
// all calls that live ones have had so far.
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
  // Nobody else gets the port while this process has hundreds of them open.
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
