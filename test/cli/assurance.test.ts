// `likeness assurance`: a signed report of a deployment with judged challenges, its check, and what must not be in it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assurance } from '../../src/lab/assurance/contents.ts';
import { jwsOfPage } from '../../src/lab/assurance/page.ts';
import { createRig, type Rig } from '../challenge/challenge-rig.ts';
import { runLikeness } from '../support/command-line.ts';
import { findSecrets, type Secrets } from '../support/secret-search.ts';
import { environmentOf, fill } from './assurance-rig.ts';

let rig: Rig;
let secrets: Secrets;
let written: Awaited<ReturnType<typeof runLikeness>>;
let page = '';
let report: Assurance;
const at = (name: string) => join(rig.foundation.config.dataDir, name);

const run = (...args: string[]) => runLikeness(args, environmentOf(rig));

beforeAll(async () => {
  rig = await createRig();
  secrets = await fill(rig);
  written = await run('assurance', '--out', at('report.html'));
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
    const { networks, configuration, thresholds, judgement, recording_judgement: recording } = report.judged;
    expect(report.judged.checks).toContainEqual({
      check: 'brightness',
      measures: 'luma of the inner face',
      passes: '≥ 40',
      decides: 'face',
    });
    for (const hash of [judgement, recording]) expect(hash).toMatch(/^[0-9a-f]{12}$/);
    expect(recording).not.toBe(judgement);
    expect(networks.map(({ id }) => id)).toEqual(expect.arrayContaining(['face-mesh', 'mobilefacenet']));
    // Those of the files that run, as the receipts have them.
    const running = new Map(report.judged.engine.models.map(({ id, sha256 }) => [id, sha256]));
    expect(networks.find(({ id }) => id === 'face-mesh')?.sha256).toBe(running.get('face-mesh'));
    expect(thresholds.length).toBeGreaterThan(0);
    const shown = (name: string) => configuration.find((one) => one.name === name)?.value;
    expect(shown('MASTER_KEY')).toBe('***');
    expect(shown('S3_ENDPOINT')).toBe('https://key:***@s3.example/');
    expect(shown('DATABASE_URL')).toContain(':***@');
  });

  it('marks published figures as stale where this deployment decides otherwise', () => {
    const published = report.measured.filter(
      ({ command, rate }) => command.startsWith('npm') && rate !== null,
    );
    expect(published.length).toBeGreaterThan(50);
    expect(published.every(({ stale }) => stale)).toBe(true);
  });

  it('names as figures only what has a rate', () => {
    const figures = report.measured.filter(({ rate }) => rate !== null).length;
    expect(figures).toBeLessThan(report.measured.length);
    expect(written.stdout).toContain(`${figures} published figures, `);
    expect(written.stdout).toContain(`; ${report.measured.length - figures} rows without one`);
  });

  it('counts its own people with intervals, by level, week and mode', () => {
    const all = report.here.rates!.find(({ by }) => by === 'all')!;
    expect(all).toMatchObject({
      first_try: { count: 1, n: 2, rate: 0.5 },
      three_tries: { count: 2, n: 2 },
      gave_up: { count: 0, n: 2 },
    });
    const [low, high] = all.first_try.interval;
    expect([low, high]).toEqual([expect.closeTo(0.0945, 3), expect.closeTo(0.9055, 3)]);
    const ways = new Set(report.here.rates!.map(({ by }) => by));
    expect([...ways].sort()).toEqual(['all', 'browser', 'level', 'mode', 'week']);
    const sentBack = report.here.sent_back!;
    expect(sentBack[0]).toMatchObject({
      by: 'all',
      reason: 'too_dark',
      share: { count: 1, n: 2, rate: 0.5 },
    });
    expect([...new Set(sentBack.map(({ by }) => by))]).toEqual(['all', 'browser', 'level', 'mode', 'week']);
  });

  it('gives light and distance of what was sent back, reasons and devices from sealed results', () => {
    const { spreads, sealed } = report.here;
    const spread = (recordings: string, measure: string) =>
      spreads.measured!.find((one) => one.recordings === recordings && one.measure === measure);
    expect(spread('sent back', 'light')).toMatchObject({ n: 1, quantiles: [31, 31, 31, 31, 31] });
    expect(spread('sent back', 'distance')).toMatchObject({ n: 1, quantiles: [40, 40, 40, 40, 40] });
    expect(spread('judged for good', 'light')).toMatchObject({ n: 1, quantiles: [120, 120, 120, 120, 120] });
    expect(sealed).toMatchObject({ newest: 500, opened: 2, devices: { count: 1, n: 2 } });
    expect(sealed!.reasons).toMatchObject([
      { reason: 'smile_missing', share: { count: 1, n: 2, rate: 0.5 } },
    ]);
    const shares = Object.fromEntries(
      sealed!.device_statuses.map(({ status, share }) => [status, share.count]),
    );
    expect(shares).toEqual({ bound: 1, new: 0, none: 0, failed: 0, unavailable: 0 });
  });

  it('counts nothing before --since', async () => {
    await run('assurance', '--since', '2999-01-01', '--out', at('later.jws'));
    const later = readFileSync(at('later.jws'), 'utf8').split('.')[1]!;
    const { here } = JSON.parse(Buffer.from(later, 'base64url').toString()) as Assurance;
    expect(here.rates).toEqual([]);
    expect(here.sealed!.opened).toBe(0);
    expect(here.spreads.measured!.every(({ n, quantiles }) => n === 0 && quantiles === null)).toBe(true);
    expect(await verify('later.jws')).toMatchObject({ code: 0 });
  });

  it('holds nothing biometric, personal or secret, in any encoding', async () => {
    const { stdout } = await run(
      'assurance',
      'verify',
      at('report.html'),
      '--jwks',
      at('jwks.json'),
      '--json',
    );
    const payload = Buffer.from(jwsOfPage(page)!.split('.')[1]!, 'base64url');
    for (const text of [payload, Buffer.from(JSON.stringify(report)), Buffer.from(page), Buffer.from(stdout)])
      expect(findSecrets(text, secrets)).toEqual([]);
  });

  it.each(['utf8', 'hex', 'base64', 'base64url'] as const)('would be found to hold it in %s', (encoding) => {
    for (const [name, secret] of Object.entries(secrets)) {
      const planted = Buffer.from(secret as Uint8Array);
      const text = Buffer.from(encoding === 'utf8' ? planted : planted.toString(encoding));
      expect(findSecrets(Buffer.concat([Buffer.from(page), text]), { [name]: secret })).toEqual([name]);
    }
  });
});

describe('verify', () => {
  it('accepts the page and the JWS in it', async () => {
    expect(await verify('report.html')).toMatchObject({ code: 0 });
    writeFileSync(at('report.jws'), jwsOfPage(page)!);
    expect((await verify('report.jws')).stdout).toContain('verified');
  });

  it('accepts the data as JSON, and refuses others beside the same signature', async () => {
    await run('assurance', '--out', at('report.json'));
    expect(await verify('report.json')).toMatchObject({ code: 0 });
    const text = readFileSync(at('report.json'), 'utf8');
    expect(JSON.parse(text).report.notice).toBe('Not certified by any laboratory.');
    for (const forged of [
      text.replace('Not certified by', 'Certified by'),
      text.replace('{', '{"report":{},'),
    ]) {
      writeFileSync(at('forged.json'), forged);
      expect(await verify('forged.json')).toMatchObject({ code: 4 });
    }
  });

  it('refuses a page with another figure around an unaltered signature', async () => {
    writeFileSync(at('forged.html'), page.replace('Not certified by any laboratory.', 'Certified.'));
    const { code, stdout } = await verify('forged.html');
    expect(code).toBe(4);
    expect(stdout).toContain('the file around them is not what');
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
    const named = await run('assurance', '--out', at('report.pdf'));
    expect(named).toMatchObject({ code: 2, stderr: expect.stringContaining('.html, .json, .jws') });
    expect(await run('assurance', '--since', 'soon', '--out', at('x.html'))).toMatchObject({ code: 2 });
  });
});
