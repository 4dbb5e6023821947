// Firefox's own remote protocol, for the one thing that WebDriver BiDi lacks: a virtual authenticator. A message is its
// length, a colon and JSON; a command [0, id, name, parameters], its answer [1, id, error, result].
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

/** Where Firefox writes the port that it has chosen (preference `marionette.port` 0). */
const PORT_FILE = 'MarionetteActivePort';

/** Gives a browser with this profile, started with `--marionette`, an authenticator that recognises the person. */
export async function addAuthenticator(profile: string): Promise<void> {
  const port = Number(await readFile(join(profile, PORT_FILE), 'utf8'));
  const socket = connect(port, '127.0.0.1');
  const messages = messagesOf(socket);
  // It says who it is first.
  await messages.next();
  const send = async (id: number, name: string, parameters: object) => {
    const text = JSON.stringify([0, id, name, parameters]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
    const [, , error] = (await messages.next()).value as [1, number, object | null, unknown];
    if (error) throw new Error(`${name}: ${JSON.stringify(error)}`);
  };
  await send(1, 'WebDriver:NewSession', {});
  await send(2, 'WebAuthn:AddVirtualAuthenticator', {
    protocol: 'ctap2_1',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserConsenting: true,
    isUserVerified: true,
  });
  // There is one session at a time, and the authenticator outlasts it.
  await send(3, 'WebDriver:DeleteSession', {});
  socket.destroy();
}

async function* messagesOf(socket: Socket): AsyncGenerator<unknown> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    for (let colon = bytes.indexOf(':'); colon > 0; colon = bytes.indexOf(':')) {
      const end = colon + 1 + Number(bytes.subarray(0, colon).toString());
      if (bytes.length < end) break;
      yield JSON.parse(bytes.subarray(colon + 1, end).toString());
      bytes = bytes.subarray(end);
    }
  }
}
