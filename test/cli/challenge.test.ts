// `likeness challenge`: a challenge from the shell against the real HTTP surface.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Fault } from '../../src/base/errors.ts';
import { openRequest } from '../../src/challenge/seals.ts';
import { challengeCommand } from '../../src/cli/challenge.ts';
import { deviceText } from '../../src/cli/device-text.ts';
import { DEV_CREDENTIALS_FILE } from '../../src/composition/development/credentials.ts';
import { createHttpRig, type HttpRig } from '../http/http-rig.ts';
import { runCommand } from '../support/command-line.ts';

let rig: HttpRig;
let url = '';

beforeAll(async () => {
  rig = await createHttpRig();
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  vi.stubEnv('LIKENESS_URL', url);
  vi.stubEnv('LIKENESS_API_KEY', rig.key);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rig?.close();
});

const run = (...args: string[]) => runCommand([challengeCommand()], args);

describe('challenge', () => {
  test('create prints the link and its QR code; show reads the challenge', async () => {
    const text = await run('challenge', 'create', '--reference', 'shell', '--expires-in', '60');
    expect(text).toMatch(/\/c\/[\w-]{43}\n/);
    expect(text).toContain('█');
    const id = /ch_[0-9a-z]{26}/.exec(text)![0];
    expect(await run('challenge', 'show', id)).toMatch(/^status {5}created\nresult {5}–\n/);
    const whole = JSON.parse(await run('challenge', 'show', id, '--json'));
    expect(whole).toMatchObject({ challenge_id: id, customer_reference: 'shell', consent_required: true });
  });

  test('create sends comparisons, devices, redirect and notifications, and hides the privacy screen', async () => {
    const featid = await rig.makeFeatid();
    const created = JSON.parse(
      await run(
        'challenge',
        'create',
        '--compare',
        featid,
        '--device-binding',
        'offer',
        '--allow-new-device',
        '--redirect',
        'myapp://done',
        '--no-consent',
        '--webhook',
        'https://shop.example/hook',
        '--json',
      ),
    );
    const row = await rig.db
      .selectFrom('challenge')
      .select('public_request')
      .where('id', '=', created.challenge_id)
      .executeTakeFirstOrThrow();
    expect(row.public_request).toEqual({
      liveness_only: false,
      require_consent: false,
      liveness_level: 'quick',
      accessible_way: 'one_kind',
      device_binding: 'offer',
      allow_new_device: true,
      liveness_level_when_bound: null,
    });
    const { flow } = await openRequest(rig.custody, await rig.placeOf(created.challenge_id));
    expect(flow.exit_redirect_url).toBe('myapp://done');
  });

  test("with --sandbox uses development mode's sandbox key, and says that nobody was checked", async () => {
    const account = (await rig.accounts.find(rig.accountId))!;
    const { key } = await rig.accounts.createKey(account, { sandbox: true }, 'test');
    const dataDir = mkdtempSync(join(tmpdir(), 'likeness-cli-'));
    writeFileSync(join(dataDir, DEV_CREDENTIALS_FILE), JSON.stringify({ sandbox_api_key: key }));
    for (const [name, value] of Object.entries({ MODE: 'development', BASE_URL: '', DATA_DIR: dataDir })) {
      vi.stubEnv(name, value);
    }
    try {
      const args = ['--sandbox', '--reference', 'sandbox:no_face', '--device-binding', 'require', '--json'];
      const { challenge_id } = JSON.parse(await run('challenge', 'create', ...args));
      const shown = await run('challenge', 'show', challenge_id, '--sandbox');
      expect(shown).toMatch(/^result {5}fail \(sandbox: nobody was checked\)$/m);
      expect(shown).toMatch(/^device {5}none$/m);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });

  test('a device is shown with what is known of its passkey', () => {
    const since = '2026-01-31T09:30:00.123Z';
    const bound = { status: 'bound', backed_up: true, credential_since: since } as const;
    expect(deviceText(bound)).toBe(`bound, may be synchronised, since ${since}`);
    expect(deviceText({ ...bound, backed_up: false })).toBe(`bound, stays on the device, since ${since}`);
  });

  test('says why the service refused', async () => {
    const refused = run('challenge', 'create', '--compare', 'nonsense');
    await expect(refused).rejects.toBeInstanceOf(Fault);
    await expect(run('challenge', 'show', 'ch_00000000000000000000000000')).rejects.toThrow(
      /no such resource/,
    );
    await expect(run('challenge', 'show', 'x', '--url', 'http://127.0.0.1:1')).rejects.toThrow(/not answer/);
  });
});
