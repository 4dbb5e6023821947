// What a delivery writes while everything that it calls repeats its secrets.
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Receiver } from '../../support/receiver.ts';
import { dumpDatabase, findSecrets } from '../../support/secret-search.ts';
import { type DeliveryRig, notification, useDeliveryRig } from '../../webhook/delivery-rig.ts';

let rig: DeliveryRig;
let receiver: Receiver;
useDeliveryRig((ofFile, its) => {
  rig = ofFile;
  receiver = its;
});

describe('secrets', () => {
  it('appear in no log line and no table, whatever the receiver and the token endpoint answer', async () => {
    const clientSecret = 'cl1ent-secret-0123456789abcdef';
    const token = 'access-token-0123456789abcdef';
    const inQuery = 'key-in-the-address-0123456789';
    const tokenUrl = `${receiver.url}/token`;
    const endpoint = `${receiver.url}/hook?key=${inQuery}`;
    let tokensGiven = 0;
    receiver.script([], (request, response) => {
      const echo = `${JSON.stringify(request.headers)} ${request.body} ${clientSecret} ${token}`;
      if (request.path !== '/token') return void response.writeHead(500).end(echo);
      tokensGiven += 1;
      if (tokensGiven > 1) return void response.writeHead(400).end(echo);
      const body = JSON.stringify({ access_token: token, token_type: 'bearer', expires_in: 1 });
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    const { deliveryIds } = await rig.closeChallenge([
      notification(endpoint, tokenUrl, clientSecret),
      notification(endpoint, tokenUrl, `${clientSecret}-of-another`),
      notification(`http://127.0.0.1:9/?key=${inQuery}`, tokenUrl, clientSecret),
      notification(endpoint, tokenUrl, clientSecret),
    ]);
    // A delivery that cannot even be opened.
    const broken = { sealed_endpoint: Buffer.from('nothing that was sealed') };
    await rig.db.updateTable('delivery').set(broken).where('id', '=', deliveryIds[3]!).execute();
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    rig.dispatch({ log });
    await expect
      .poll(() => lines.filter((line) => /webhook attempt|broke off/.test(line)).length, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(4);
    const secrets = { clientSecret, token, inQuery, webhookSecret: rig.webhookSecret };
    expect(findSecrets(Buffer.from(lines.join('')), secrets)).toEqual([]);
    expect(findSecrets(Buffer.from(await dumpDatabase(rig.url)), secrets)).toEqual([]);
    // Checks that the search finds what it looks for.
    expect(findSecrets(Buffer.from(`x${clientSecret}`), secrets)).toEqual(['clientSecret']);
    expect(receiver.requests.map((request) => request.headers.authorization)).toContain(`Bearer ${token}`);
  });
});
