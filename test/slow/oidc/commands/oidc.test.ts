// `likeness oidc`: what operators do with clients, subjects and keys, and the errors they get.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accountsCommand } from '../../../../src/cli/accounts.ts';
import { keysCommand } from '../../../../src/cli/keys.ts';
import { administerOidc } from '../../../../src/composition/oidc/administration.ts';
import { oidcCommand } from '../../../../src/oidc/commands/oidc.ts';
import { createDeployment, runCommand, type TestDeployment } from '../../../support/command-line.ts';

let deployment: TestDeployment;
beforeAll(async () => {
  deployment = await createDeployment();
  vi.stubEnv('MASTER_KEY', Buffer.alloc(32, 1).toString('base64'));
  await run('accounts', 'create', 'one');
});
afterAll(() => deployment?.remove());

const run = (...args: string[]) =>
  runCommand([accountsCommand(), keysCommand(), oidcCommand(administerOidc)], args);
const json = async (...args: string[]) => JSON.parse(await run('oidc', ...args, '--json'));
const add = (name: string, ...args: string[]) =>
  json('clients', 'add', name, '--account', 'one', '--redirect-uri', 'https://rp.example/cb', ...args);

describe('oidc clients', () => {
  it('are added with a secret that is shown once, listed, given a new secret, and removed', async () => {
    const added = await add('shop', '--enrol', '--device', 'offer', '--purpose', 'paying.');
    expect(added).toMatchObject({
      name: 'shop',
      enrolment: 'authenticated',
      device_binding: 'offer',
      purpose: 'paying.',
      session_seconds: 0,
    });
    expect(added.client_secret).toMatch(/^los_[\w-]{43}$/);
    const listed = await run('oidc', 'clients', 'list');
    expect(listed).toContain(added.client_id);
    expect(listed).not.toContain(added.client_secret);
    const { client_secret: second } = await json('clients', 'replace-secret', added.client_id);
    expect(second).not.toBe(added.client_secret);
    expect(await json('clients', 'remove', added.client_id)).toEqual({
      client_id: added.client_id,
      removed: true,
    });
    await expect(run('oidc', 'clients', 'remove', added.client_id)).rejects.toThrow('there is no client');
  });

  it.each([
    [['--redirect-uri', 'http://rp.example/cb'], 'must be https'],
    [['--redirect-uri', 'https://rp.example/cb#x'], 'no fragment'],
    [['--redirect-uri', 'https://*.rp.example/cb'], 'no wildcard'],
    [['--redirect-uri', 'https://u:p@rp.example/cb'], 'no user name'],
    [['--redirect-uri', 'javascript:alert(1)'], 'must be https'],
    [['--redirect-uri', 'myapp:/cb', '--auth', 'none'], 'must be https'],
    [['--auth', 'private_key_jwt'], 'needs a JWKS'],
    [['--auth', 'none', '--enrol'], 'cannot enrol anybody'],
    [['--hint-issuer', 'https://login.example/t'], 'give --hint-issuer and --hint-jwks together'],
    [['--privacy-url', 'http://rp.example'], 'must be https'],
    [['--device', 'always'], 'Allowed choices are off, offer, require'],
    [['--session-seconds', '90000'], 'whole number from 0'],
  ])('are refused with %s', async (args, words) => {
    await expect(add(`refused ${words}`, ...args)).rejects.toThrow(words);
  });

  it('can have their texts changed, and keep the texts that are not given', async () => {
    const { client_id: id } = await add('words', '--purpose', 'paying.', '--consent-text', 'Checked here.');
    const changed = await json(
      'clients',
      'texts',
      id,
      '--consent-text',
      'Checked\nelsewhere.',
      '--purpose',
      '',
    );
    expect(changed).toMatchObject({
      client_id: id,
      consent_text: 'Checked\nelsewhere.',
      purpose: null,
      display_name: null,
    });
    expect(await json('clients', 'texts', id, '--purpose', 'again.')).toMatchObject({
      consent_text: 'Checked\nelsewhere.',
      purpose: 'again.',
    });
    const refused = (...args: string[]) => expect(run('oidc', 'clients', 'texts', ...args)).rejects;
    await refused(id, '--consent-text', 'x'.repeat(1001)).toThrow('1 to 1000 characters');
    await refused(id, '--privacy-url', 'http://rp.example').toThrow('must be https');
    await refused('oc_00000000000000000000000000', '--purpose', 'x.').toThrow('there is no client');
  });

  it('belong to a sandbox with --sandbox, once the account has one', async () => {
    await expect(add('tested', '--sandbox')).rejects.toThrow('keys create --account one --sandbox');
    await run('keys', 'create', '--account', 'one', '--sandbox');
    const tested = await add('tested', '--sandbox', '--enrol');
    expect(tested).toMatchObject({ profile: 'sandbox', enrolment: 'authenticated' });
    expect((await add('live', '--enrol')).account).not.toBe(tested.account);
    const entra = ['--hint-issuer', 'https://login.example/t', '--hint-jwks', 'https://login.example/t/keys'];
    await expect(add('entra', '--sandbox', ...entra)).rejects.toThrow('nobody is checked there');
  });

  it('need unique names and existing accounts', async () => {
    await add('twice');
    await expect(add('twice')).rejects.toThrow('a client named twice already exists');
    const elsewhere = [
      'clients',
      'add',
      'x',
      '--account',
      'nobody',
      '--redirect-uri',
      'https://rp.example/cb',
    ];
    await expect(json(...elsewhere)).rejects.toThrow('there is no account nobody');
  });

  it('can be an app without a secret, with a scheme in reverse-domain form', async () => {
    const app = await add('app', '--redirect-uri', 'com.example.app:/cb', '--auth', 'none');
    expect(app.client_secret).toBeNull();
    await expect(json('clients', 'replace-secret', app.client_id)).rejects.toThrow('with a secret');
  });
});

describe('oidc subjects and keys', () => {
  it('refuse to link anything but a FeatureID in force, and to erase an unknown subject', async () => {
    const { client_id: id } = await add('subjects');
    const link = ['subjects', 'link', '--client', id, '--hint', 'x', '--featid'];
    await expect(json(...link, 'lfid1_x')).rejects.toThrow('not a readable FeatureID');
    const { generateFeatid } = await import('../../../../src/featid/featid-text.ts');
    await expect(json(...link, generateFeatid().text)).rejects.toThrow('not in force');
    await expect(json('subjects', 'erase', '--client', id, '--hint', 'x')).rejects.toThrow('knows nobody');
    await expect(json('subjects', 'erase', '--client', id)).rejects.toThrow('--hint or --sub');
  });

  it('rotate', async () => {
    const first = await json('keys', 'rotate');
    const second = await json('keys', 'rotate', '--discard');
    expect(second.kid).not.toBe(first.kid);
    const left = await deployment.database.db.selectFrom('oidc_signing_key').select('id').execute();
    expect(left).toEqual([{ id: second.kid }]);
  });
});
