import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { serve } from '../../../src/composition/serve.ts';
import { readTrustAnchors } from '../../../src/passkeys/attestation/trust-anchors.ts';
import { issue } from './authority.ts';

const root = await issue({ isAuthority: true, name: 'Root' });
const intermediate = await issue({ issuer: root, isAuthority: true, name: 'Intermediate' });
const device = await issue({ issuer: root, name: 'Device' });

describe('the file of makers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-makers-'));
  const path = join(folder, 'makers.pem');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('may have several, with words between them', () => {
    writeFileSync(path, `# Maker\r\n${root.pem}\r\n# another\r\n${intermediate.pem}`);
    expect(readTrustAnchors(path).map(({ raw }) => raw)).toEqual([
      root.certificate.raw,
      intermediate.certificate.raw,
    ]);
  });

  it.each([
    ['is empty', '', 'no certificate'],
    ['has none', 'nothing', 'no certificate'],
    [
      'has a damaged one',
      root.pem.replace(/\n[A-Za-z0-9+/]{16}/, '\nAAAAAAAAAAAAAAAA'),
      'certificate 1 is damaged',
    ],
    ['has one that is cut off', `${root.pem}\n${root.pem.slice(0, 200)}`, 'certificate 2 is damaged'],
    ['has a device’s', `${root.pem}\n${device.pem}`, 'certificate 2 is not an authority'],
  ])('is refused by the variable’s name if it %s', (_, text, why) => {
    writeFileSync(path, text);
    expect(() => readTrustAnchors(path)).toThrowError(new RegExp(`PASSKEY_ATTESTATION.*${why}`));
  });

  it('is refused if it is missing, at the start of the service', async () => {
    rmSync(path, { force: true });
    expect(() => readTrustAnchors(path)).toThrowError(/PASSKEY_ATTESTATION.*ENOENT/);
    await expect(serve({ PASSKEY_ATTESTATION: path, DATA_DIR: folder, PORT: '0' })).rejects.toThrowError(
      /PASSKEY_ATTESTATION/,
    );
  });
});
