// Devices of some makers only (PASSKEY_ATTESTATION): the built page asks Chromium's virtual authenticator for attestation
// `direct`, and a service that trusts its maker, or another one, verifies it.
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import { generate } from 'selfsigned';
import { afterAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { freePort } from '../../support/free-port.ts';
import { plugIn } from '../../web/support/authenticator.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { visits } from '../../web/support/visit.ts';

const folder = mkdtempSync(join(tmpdir(), 'likeness-makers-'));
const CHROMIUM = join(folder, 'chromium.pem');
const ANOTHER = join(folder, 'another.pem');
const authority = await generate([{ shortName: 'CN', value: 'Another maker' }], {
  keyType: 'ec',
  algorithm: 'sha256',
  extensions: [{ name: 'basicConstraints', cA: true }],
});
writeFileSync(ANOTHER, authority.cert);
writeFileSync(CHROMIUM, await makerOf(await certificateOfChromium()));

/** What Chromium's authenticator vouches with: a certificate that its one built-in key signed itself. */
async function certificateOfChromium(): Promise<X509Certificate> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<p>'),
  ).listen(0);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}`);
    await plugIn(page);
    const made = await page.evaluate(`navigator.credentials.create({ publicKey: {
      challenge: new Uint8Array(32), rp: { name: 'test' }, attestation: 'direct',
      user: { id: new Uint8Array(16), name: 'test', displayName: 'test' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }] } }).then((key) => key.toJSON().response.attestationObject)`);
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(made as string));
    return new X509Certificate(attestation.get('attStmt').get('x5c')![0]!);
  } finally {
    await browser.close();
    server.close();
  }
}

/** A certificate of that key as an authority, as a maker would publish it; in PEM. */
async function makerOf(certificate: X509Certificate): Promise<string> {
  const { cert } = await generate(
    certificate.subject.split('\n').map((part) => {
      const [shortName, value] = part.split('=');
      return { shortName: shortName!, value: value! };
    }),
    {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [{ name: 'basicConstraints', cA: true }],
      ca: { key: authority.private, cert: authority.cert },
      keyPair: {
        privateKey: authority.private,
        publicKey: certificate.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
      },
    },
  );
  return cert;
}

afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  // These judgements make no FeatureID that could be bound.
  ['that is trusted', CHROMIUM, 'none'],
  ['that is not', ANOTHER, 'failed'],
])('a passkey of a maker %s', async (_, makers, status) => {
  const visit = visits({ BASE_URL: `http://localhost:${await freePort()}`, PASSKEY_ATTESTATION: makers });

  it(`ends as \`${status}\``, async () => {
    const { url } = await visit.prepare({ challenge: { require_consent: false, device_binding: 'offer' } });
    const { page } = await visit.tab('face');
    const authenticator = await plugIn(page);
    await page.goto(url);
    for (const action of ['start', 'add-device']) await press(page, action);
    await untilScreen(page, 'done');
    expect(await authenticator.held()).toHaveLength(1);
    const answer = await visit.rig.call('GET', `/v1/challenges/${visit.check.id}`);
    expect(answer.json()).toMatchObject({ device_result: { status } });
  });
});
