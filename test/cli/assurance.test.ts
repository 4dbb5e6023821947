// `likeness assurance`: a signed report of a deployment with judged challenges, its check, and what must not be in it.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assurance } from '../../src/lab/assurance/contents.ts';
import { jwsOfPage } from '../../src/lab/assurance/page.ts';
import {
  createRig,
  createStarted,
  judgementOf,
  type Rig,
  resultOf,
  settle,
  someTemplate,
  submit,
} from '../challenge/challenge-rig.ts';
import { runLikeness } from '../support/command-line.ts';
import { findSecrets, type Secrets } from '../support/secret-search.ts';

const PASSWORD = `console-${randomBytes(9).toString('hex')}`;
const REFERENCE = `reference-${randomBytes(9).toString('hex')}`;
const VIDEO = randomBytes(1500);
const PICTURE = randomBytes(48);

let rig: Rig;
let secrets: Secrets;
let page = '';
let report: Assurance;
const at = (name: string) => join(rig.foundation.config.dataDir, name);
const run = (...args: string[]) =>
  runLikeness(args, { ...rig.foundation.environment, LOG_LEVEL: 'silent', CONSOLE_PASSWORD: PASSWORD });

beforeAll(async () => {
  rig = await createRig();
  const template = someTemplate();
  const passing = judgementOf({ template, bestFrame: PICTURE });
  const first = await createStarted(rig, { customer_reference: REFERENCE });
  await settle(rig, await submit(rig, first.link, VIDEO), passing);
  const second = await createStarted(rig);
  await settle(rig, await submit(rig, second.link), judgementOf({ reasons: ['smile_missing'] }));
  const result = (await resultOf(rig, first)).liveness_result;
  const featid = result?.liveness_featid;
  secrets = {
    'console password': PASSWORD,
    reference: REFERENCE,
    recording: VIDEO.subarray(0, 48),
    'master key': Buffer.from(rig.foundation.environment.MASTER_KEY!, 'base64'),
    challenge: first.challengeId,
    account: rig.caller.accountId,
    template: Buffer.from(Float32Array.from(template.embedding).buffer).subarray(0, 48),
    featid: featid!,
    'picture bytes': PICTURE,
  };
  const written = await run('assurance', '--out', at('report.html'));
  expect(written, written.stderr).toMatchObject({ code: 0 });
  writeFileSync(at('jwks.json'), JSON.stringify({ keys: await rig.foundation.receiptKeys.published() }));
  page = readFileSync(at('report.html'), 'utf8');
  report = JSON.parse(Buffer.from(jwsOfPage(page)!.split('.')[1]!, 'base64url').toString());
});
afterAll(() => rig?.close());

const verify = (file: string) => run('assurance', 'verify', at(file), '--jwks', at('jwks.json'));

describe('the report', () => {
  it('says first that nobody certified it, and loads nothing', () => {
    expect(page.split('<body>')[1]!.trimStart()).toMatch(/^<p><strong>Not certified by any laboratory\./);
    expect(page).not.toMatch(/<script|<img|<link|src=|href=/);
    expect(report.notice).toBe('Not certified by any laboratory.');
  });

  it('says what judges, with licences, thresholds and masked secrets', () => {
    const { networks, configuration, thresholds, code } = report.judged;
    expect(code).toMatch(/^[0-9a-f]{12}$/);
    expect(networks.map(({ id }) => id)).toEqual(expect.arrayContaining(['face-mesh', 'mobilefacenet']));
    expect(thresholds.length).toBeGreaterThan(0);
    expect(configuration.find(({ name }) => name === 'MASTER_KEY')?.value).toBe('***');
  });

  it('counts its own challenges with intervals', () => {
    const all = report.here.rates!.find(({ by }) => by === 'all')!;
    expect(all.three_tries.n).toBe(2);
    expect(all.first_try.interval[0]).toBeGreaterThanOrEqual(0);
    expect(report.here.rates!.map(({ by }) => by)).toEqual(expect.arrayContaining(['level', 'week']));
    expect(report.here.sealed).toMatchObject({ newest: 500, opened: 2 });
    expect(report.here.sealed.reasons).toContainEqual({ reason: 'smile_missing', count: 1 });
  });

  it('counts nothing before --since', async () => {
    await run('assurance', '--since', '2999-01-01', '--out', at('later.jws'));
    const later = readFileSync(at('later.jws'), 'utf8').split('.')[1]!;
    const { here } = JSON.parse(Buffer.from(later, 'base64url').toString()) as Assurance;
    expect(here.rates).toEqual([]);
    expect(here.sealed.opened).toBe(0);
    expect(await verify('later.jws')).toMatchObject({ code: 0 });
  });

  it('holds nothing biometric, personal or secret', () => {
    const payload = Buffer.from(JSON.stringify(report));
    expect(findSecrets(payload, secrets)).toEqual([]);
    expect(findSecrets(Buffer.from(page), secrets)).toEqual([]);
    // The search would find them.
    expect(findSecrets(Buffer.concat([payload, Buffer.from(REFERENCE)]), secrets)).toEqual(['reference']);
  });
});

describe('verify', () => {
  it('accepts the page and the JWS in it', async () => {
    expect(await verify('report.html')).toMatchObject({ code: 0 });
    writeFileSync(at('report.jws'), jwsOfPage(page)!);
    expect((await verify('report.jws')).stdout).toContain('verified');
  });

  it('refuses a page with another figure around an unaltered signature', async () => {
    writeFileSync(at('forged.html'), page.replace('Not certified by any laboratory.', 'Certified.'));
    const { code, stdout } = await verify('forged.html');
    expect(code).toBe(4);
    expect(stdout).toContain('the page around them is not what');
  });

  it('refuses a receipt, and keys of others', async () => {
    const receipt = await rig.foundation.receiptKeys.sign(report, {
      alg: 'EdDSA',
      typ: 'likeness-receipt+jwt',
    });
    writeFileSync(at('receipt.jws'), receipt);
    expect(await verify('receipt.jws')).toMatchObject({ code: 4 });
    writeFileSync(at('none.json'), '{"keys":[]}');
    const others = await run('assurance', 'verify', at('report.html'), '--jwks', at('none.json'));
    expect(others.code).toBe(4);
  });

  it('refuses whatever is changed in the page', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(page.length - 1), fc.constantFrom('0', 'x', ' '), async (place, sign) => {
        const changed = page.slice(0, place) + sign + page.slice(place + 1);
        if (changed === page) return;
        writeFileSync(at('changed.html'), changed);
        expect((await verify('changed.html')).code).toBe(4);
      }),
      { numRuns: 30 },
    );
  });

  it('names wrong usage', async () => {
    expect(await run('assurance')).toMatchObject({ code: 2 });
    expect(await run('assurance', '--since', 'soon', '--out', at('x.html'))).toMatchObject({ code: 2 });
  });
});
