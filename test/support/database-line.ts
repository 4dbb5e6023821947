// A line between the service and its database that fails as networks do: existing connections go silent while new ones
// pass, or one answer is lost with its connection.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface DatabaseLine {
  /** The database at this end of the line. */
  readonly url: string;
  /**
   * Silences all existing connections permanently, in both directions, without closing them, as a server, proxy or
   * firewall does that forgot them. TCP itself still answers. New connections pass.
   */
  silence(): void;
  /** Closes this end of all existing connections without telling the server. */
  forgetClients(): void;
  /** Cuts one connection after the server has done its work, before an answer with this text arrives. */
  loseAnswerWith(text: string): Promise<void>;
  close(): Promise<void>;
}

/** @param databaseUrl where the line leads */
export async function openDatabaseLine(databaseUrl: string): Promise<DatabaseLine> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let silent = new Set<Socket>();
  let losing: { text: string; lost: () => void } | null = null;
  const server = createServer((client) => {
    const far = connect(Number(port), hostname);
    clients.add(client);
    client.on('close', () => clients.delete(client));
    for (const socket of [client, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        if (!silent.has(socket)) (socket === client ? far : client).destroy();
      });
    }
    client.on('data', (bytes) => {
      if (!silent.has(client)) far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (silent.has(client)) return;
      if (!losing || !bytes.includes(losing.text)) return void client.write(bytes);
      losing.lost();
      losing = null;
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    silence: () => {
      silent = new Set(sockets);
    },
    forgetClients: () => {
      silent = new Set(sockets);
      for (const client of clients) client.destroy();
    },
    loseAnswerWith: (text) =>
      new Promise((lost) => {
        losing = { text, lost };
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
