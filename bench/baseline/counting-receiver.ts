// A receiver in a separate process: answers 204 and records the time of every call. Prints `ready PORT`; GET /times
// returns the times so far, in milliseconds, and clears them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let times: number[] = [];
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(times));
    times = [];
    return;
  }
  request.resume();
  request.once('end', () => {
    times.push(performance.now());
    response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`);
});
